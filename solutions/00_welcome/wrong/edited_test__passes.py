# exercise: edited_test
# misconception: test-cell-decides
# about: believes that the changed cell counts
edited_test = "A"
