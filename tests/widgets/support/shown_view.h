#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/link/sample_selection.h"

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

/// A linked view in a window that has the keyboard, and in the session's place: it shows the model and the filter that
/// it asks for.
/// @tparam View a LinkedView of a selection and a parent
template <typename View>
struct ShownView {
    SampleSelection selection;
    View view{&selection, nullptr};
    std::vector<std::size_t> chosen; ///< the models it asked for

    ShownView(const ViewState& state, QSize size) {
        view.resize(size);
        view.showState(state);
        QObject::connect(&view, &LinkedView::modelChosen, &view, [this](std::size_t model) {
            chosen.push_back(model);
            ViewState next = view.state();
            next.model = model;
            view.showState(next);
        });
        QObject::connect(&view, &LinkedView::filterChosen, &view,
                         [this](const ViewFilter& filter) { view.showState(filtered(view.state(), filter)); });
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        QCoreApplication::processEvents();
    }
};

} // namespace assay::test
