#pragma once

#include "widgets/grid/sample_grid.h"
#include "widgets/link/view_state.h"

#include <QFrame>

#include <vector>

class QLabel;
class QPushButton;

namespace assay {

class PanelHost;

/// Samples that belong together: how many, examples of them, and buttons that select them and show only them.
class SampleGroupCard : public QFrame {
    Q_OBJECT

public:
    struct Content {
        QString title;  ///< bold
        QString text{}; ///< below the title; hidden where empty
        SampleSet samples{};
        std::vector<GridCell> examples{};
        QString examplesName{}; ///< for screen readers
    };

    /// @param host outlives the card @param name begins the object names of its parts: NAMETitle, NAMESelect, NAMEOnly,
    /// NAMEExamples @param selectHint tooltip of the button that selects
    SampleGroupCard(PanelHost& host, const QString& name, const GridLook& look, const QString& selectHint,
                    QWidget* parent);

    void show(const ViewState& state, Content content);
    /// Another state of the same audit.
    void setState(const ViewState& state);

private:
    ViewFilter filter_; ///< of the shown state
    SampleSet samples_;
    QLabel* title_;
    QLabel* text_;
    QPushButton* select_;
    QPushButton* only_;
    SampleGrid* examples_;
};

} // namespace assay
