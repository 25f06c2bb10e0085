# exercise: telling_inputs
# about: sets of tuples, negative numbers
def telling_inputs():
    return dict(
        zip(
            ["*", "/", "**", "tanh", "relu"],
            [{(-2, 5)}, [(-1, -4)], [(0.1, -1)], [1], [-0.01, 100]],
        )
    )
