#pragma once

#include "gui/desktop/theme.h"
#include "gui/window/main_window.h"
#include "tests/gui/support/fake_engine.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/widgets/support/file_content.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/link/panel.h"
#include "widgets/link/sample_selection.h"

#include <QAction>
#include <QDockWidget>
#include <QSlider>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace assay::test {

/// Stands in for a panel: counts what it is told, a click selects row 4, a slider sets a fidelity rule.
class ProbeView : public Panel {
public:
    explicit ProbeView(PanelHost& host);

    QSlider* slider;
    int told = 0;

protected:
    void stateChanged(const Changes&) override;
    void selectionChanged() override { ++told; }
    void hoverChanged() override { ++told; }
    void mouseReleaseEvent(QMouseEvent*) override {
        if (state().hasModel())
            selection()->select({state().currentSet(), 4});
    }
};

/// A catalogue in which every panel is a ProbeView.
std::vector<PanelRow> probePanels();

/// A main window with a ProbeView in every panel, above an engine that computes nothing. Settings are its own.
class ProbeWindow {
public:
    ProbeWindow();

protected:
    /// Everything anew, with no settings.
    void begin();
    void end();
    /// The window alone, as when the program is started again.
    void makeWindow();
    void openDemo();
    void openFiles();
    /// @return a file of that name, empty
    QString touch(const char* name) const;

    QAction* action(const char* name) const;
    template <class T>
    T* child(const char* name) const {
        return window_->findChild<T*>(QString::fromUtf8(name));
    }
    ProbeView* probe(const char* dock) const { return dynamic_cast<ProbeView*>(child<QDockWidget>(dock)->widget()); }
    SampleId sample(std::uint32_t row) const { return {syntheticSet(0), row}; }

    QTemporaryDir home_;
    QTemporaryDir data_;
    std::unique_ptr<FakeEngine> engine_;
    std::unique_ptr<Theme> theme_;
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<AuditSession> session_;
    std::unique_ptr<MainWindow> window_;
    QStringList answers_; ///< what the file dialogs are answered; a folder: the name that is suggested, in it
};

} // namespace assay::test
