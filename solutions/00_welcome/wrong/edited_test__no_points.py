# exercise: edited_test
# misconception: test-cell-decides
# about: believes that the notebook is thrown out
edited_test = "b"
