# exercise: squares
# misconception: result-as-text
# about: joins the results in one string
def squares(numbers):
    return ", ".join(f"{number * number}" for number in numbers)
