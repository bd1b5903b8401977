#include "tests/gui/support/demo_window.h"

#include "tests/gui/support/small_demo.h"

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

DemoWindow::DemoWindow() : DemoWindow(smallDemoCalls()) {}

DemoWindow::DemoWindow(const EngineCalls& calls, const QString& settings)
    : prepared_(prepare(settings.isEmpty() ? home_.path() : settings)), session(&selection, calls),
      window(&session, &theme) {
    window.resize(1440, 900);
    window.show();
}

bool DemoWindow::activate() {
    window.activateWindow();
    return prepared_ && QTest::qWaitForWindowActive(&window);
}

bool DemoWindow::open() {
    if (!activate())
        return false;
    session.openDemo();
    return waitIdle(session) && session.isOpen();
}

bool DemoWindow::reset() {
    while (session.document()->undoGroup()->canUndo())
        session.document()->undoGroup()->undo();
    selection.clear(); // looking at a sample is no step
    return activate();
}

bool DemoTest::makeWindow(const EngineCalls& calls, const QString& settings) {
    closeWindow();
    demo_ = std::make_unique<DemoWindow>(calls, settings);
    selection_ = &demo_->selection;
    session_ = &demo_->session;
    window_ = &demo_->window;
    return demo_->activate();
}

bool DemoTest::openDemo() {
    return makeWindow(smallDemoCalls()) && demo_->open();
}

void DemoTest::closeWindow() {
    demo_.reset();
    selection_ = nullptr;
    session_ = nullptr;
    window_ = nullptr;
}

void DemoTest::press(QWidget* target, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    target->setFocus();
    QTest::keyClick(target, key, modifiers);
}

} // namespace assay::test
