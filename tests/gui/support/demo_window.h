#pragma once

#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/window/main_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/widgets/support/file_content.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QTemporaryDir>

#include <memory>
#include <vector>

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
    /// Makes a window, without an audit. @param calls left out: of the small demo @return whether it is active
    bool makeWindow();
    bool makeWindow(const EngineCalls& calls, const QString& settings = {});
    /// Makes a window with the small demo open. @return whether it is
    bool openDemo();
    void closeWindow();

    QAction* action(const char* name) const { return child<QAction>(name); }
    template <class T>
    T* child(const char* name) const {
        return window_->findChild<T*>(QString::fromUtf8(name));
    }
    const ViewState& state() const { return session_->state(); }
    QString text(const char* label) const { return text(window_, label); }
    static QString text(const QWidget* parent, const char* label) { return parent->findChild<QLabel*>(label)->text(); }
    static void click(const QWidget* parent, const char* button);
    static void clickOpen(const QWidget* dialog);
    QString file(const char* name) const { return demo_->file(QString::fromUtf8(name)); }
    QDockWidget* dock(const char* panel) const { return child<QDockWidget>(panel); }
    SampleGrid* gallery() const { return child<SampleGrid>("rankingGallery"); }
    RankingModel* ranking() const { return window_->findChild<RankingView*>()->model(); }
    /// Clicks a picture of the gallery, the first one. @return its sample
    SampleId clickTile() const;
    void setRules(const FilterRules& rules) const { session_->editor()->setRules(rules); }
    /// Waits until nothing runs any more. @return whether an audit is open then
    bool waitOpen() const { return waitIdle(*session_) && session_->isOpen(); }
    /// Opens files and waits until they are scored. @return whether they are
    bool openAndWait(const AuditFiles& files) const;
    /// An audit of a real set and models; one that was saved.
    static AuditFiles setsOf(const QString& real, std::vector<ModelFile> models);
    static AuditFiles savedAudit(const QString& file);
    /// Waits until a label holds some words. @return whether it came to that
    static bool says(const QWidget* parent, const char* label, const QString& words);
    static void press(QWidget* target, Qt::Key key, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<DemoWindow> demo_;
    SampleSelection* selection_ = nullptr;
    AuditSession* session_ = nullptr;
    MainWindow* window_ = nullptr;
};

} // namespace assay::test
