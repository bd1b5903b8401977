#pragma once

class QWidget;

namespace assay::test {

/// Handles the events that are queued and those that follow from them, until none is left: layouts are done and queued
/// calls are made. Waits for no timer and no other thread.
void settle();

/// Waits until an OpenGL widget has been drawn into its window once more. @return whether it was
bool waitForFrame(QWidget* canvas);

} // namespace assay::test
