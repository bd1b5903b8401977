#include "tests/gui/support/demo_window.h"

#include "tests/gui/support/small_demo.h"
#include "tests/gui/support/wait_idle.h"

#include <QLocale>
#include <QSettings>
#include <QUndoGroup>
#include <QtTest>

namespace assay::test {
namespace {

bool prepare(const QString& home) {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home);
    return true;
}

} // namespace

DemoWindow::DemoWindow()
    : prepared_(prepare(home_.path())), session(&selection, smallDemoCalls()), window(&session, &theme) {
    window.resize(1440, 900);
    window.show();
}

bool DemoWindow::open() {
    window.activateWindow();
    if (!prepared_ || !QTest::qWaitForWindowActive(&window))
        return false;
    session.openDemo();
    return waitIdle(session) && session.isOpen();
}

bool DemoWindow::reset() {
    while (session.document()->undoGroup()->canUndo())
        session.document()->undoGroup()->undo();
    selection.clear(); // looking at a sample is no step
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
}

} // namespace assay::test
