#pragma once

#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/window/main_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/settle.h"
#include "widgets/link/sample_selection.h"

#include <QAction>
#include <QTemporaryDir>

#include <memory>

namespace assay::test {

/// The whole program on a small demo, with the real engine and settings of its own, in American English, 1440 x 900.
class DemoWindow {
public:
    DemoWindow();
    /// Of another engine. @param calls engineCalls() for sets of full size @param settings folder of the settings;
    /// empty: new ones
    explicit DemoWindow(const EngineCalls& calls, const QString& settings = {});

    /// Makes the window the active one. @return whether it is
    bool activate();
    /// Opens the demo in the active window and waits until it is scored. @return whether it was
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

/// A base of tests: a demo window, and what they look for in it.
class DemoTest {
protected:
    /// Makes a window, without an audit. @return whether it is active
    bool makeWindow(const EngineCalls& calls, const QString& settings = {});
    /// Makes a window with the small demo open. @return whether it is
    bool openDemo();
    void closeWindow();

    QAction* action(const char* name) const { return child<QAction>(name); }
    template <class T>
    T* child(const char* name) const {
        return window_->findChild<T*>(QString::fromUtf8(name));
    }
    static void press(QWidget* target, Qt::Key key, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<DemoWindow> demo_;
    SampleSelection* selection_ = nullptr;
    AuditSession* session_ = nullptr;
    MainWindow* window_ = nullptr;
};

} // namespace assay::test
