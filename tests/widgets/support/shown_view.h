#pragma once

#include "tests/widgets/support/file_content.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/test_host.h"
#include "tests/widgets/support/test_rows.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSize>
#include <QtTest>

#include <cstddef>
#include <vector>

namespace assay::test {

/// A state under another filter, as the session makes it.
inline ViewState filtered(ViewState state, const ViewFilter& filter) {
    state.filter = filter;
    state.shown = shownBy(state);
    return state;
}

/// A panel in a window that has the keyboard, and in the session's place: it shows the model and the filter that it
/// asks for.
template <typename View>
struct ShownView {
    class Host : public TestHost {
    public:
        Host(SampleSelection* selection, ShownView& window) : TestHost(selection), window_(window) {}

        void setModel(std::size_t model) override {
            TestHost::setModel(model);
            ViewState next = window_.view.state();
            next.model = model;
            window_.view.showState(next);
        }
        void setFilter(const ViewFilter& filter) override {
            TestHost::setFilter(filter);
            window_.view.showState(filtered(window_.view.state(), filter));
        }

    private:
        ShownView& window_;
    };

    SampleSelection selection;
    Host host{&selection, *this};
    View view{host};

    QLabel* hint = child<QLabel>("panelMessage"); ///< stands in place of the content

    template <class Part>
    Part* child(const char* name) const {
        return view.template findChild<Part*>(QString::fromUtf8(name));
    }
    QString text(const char* label) const { return child<QLabel>(label)->text(); }
    void click(const char* button) const { QTest::mouseClick(child<QAbstractButton>(button), Qt::LeftButton); }
    void showFiltered(const ViewFilter& filter) { view.showState(filtered(view.state(), filter)); }

    ShownView(const ViewState& state, QSize size) {
        view.resize(size);
        view.showState(state);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        QCoreApplication::processEvents();
    }
};

} // namespace assay::test
