"""Does health tell a shift where there is one, and none where there is none? On many models, with every own method."""
