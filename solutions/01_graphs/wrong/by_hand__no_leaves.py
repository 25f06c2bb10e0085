# exercise: by_hand
# misconception: order-leaves-left-out
# about: orders the operations only
by_hand = ["d", "e", "p", "f"]
