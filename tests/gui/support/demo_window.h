#pragma once

#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/window/main_window.h"
#include "widgets/link/sample_selection.h"

#include <QTemporaryDir>

namespace assay::test {

/// The whole program on a small demo, with the real engine and settings of its own, in American English, 1440 x 900.
class DemoWindow {
public:
    DemoWindow();

    /// Opens the demo and waits until it is scored. @return whether it was
    bool open();
    /// Undoes everything and makes the window the active one. @return whether it is
    bool reset();
    /// Path of a file in a folder that goes with this.
    QString file(const QString& name) const { return home_.filePath(name); }

private:
    QTemporaryDir home_; // first: the others write there
    bool prepared_;

public:
    Theme theme;
    SampleSelection selection;
    AuditSession session;
    MainWindow window;
};

} // namespace assay::test
