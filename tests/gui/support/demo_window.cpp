#include "tests/gui/support/demo_window.h"

#include "tests/gui/support/small_demo.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QLocale>
#include <QSettings>
#include <QUndoGroup>
#include <QtTest>

#include <utility>

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

bool DemoTest::makeWindow() {
    return makeWindow(smallDemoCalls());
}

bool DemoTest::openDemo() {
    return makeWindow() && demo_->open();
}

SampleId DemoTest::clickTile() const {
    QTest::mouseClick(gallery()->viewport(), Qt::LeftButton, {}, QPoint(40, 40));
    return selection_->focus().value_or(SampleId{});
}

void DemoTest::closeWindow() {
    demo_.reset();
    selection_ = nullptr;
    session_ = nullptr;
    window_ = nullptr;
}

bool DemoTest::openAndWait(const AuditFiles& files) const {
    session_->open(files);
    return waitOpen();
}

AuditFiles DemoTest::setsOf(const QString& real, std::vector<ModelFile> models) {
    AuditFiles files;
    files.real = real;
    files.models = std::move(models);
    return files;
}

AuditFiles DemoTest::savedAudit(const QString& file) {
    AuditFiles files;
    files.audit = file;
    return files;
}

bool DemoTest::says(const QWidget* parent, const char* label, const QString& words) {
    constexpr int kHang = 30000;
    const bool said = QTest::qWaitFor([&] { return text(parent, label).contains(words); }, kHang);
    if (!said)
        qWarning("%s says '%s'", label, qPrintable(text(parent, label)));
    return said;
}

void DemoTest::click(const QWidget* parent, const char* button) {
    QTest::mouseClick(parent->findChild<QAbstractButton*>(button), Qt::LeftButton);
}

void DemoTest::clickOpen(const QWidget* dialog) {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
}

void DemoTest::press(QWidget* target, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    target->setFocus();
    QTest::keyClick(target, key, modifiers);
}

} // namespace assay::test
