// The window is assembled here.
