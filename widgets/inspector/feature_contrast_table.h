#pragma once

#include "engine/report/scores/sample_comparison.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <vector>

class QTableView;
class QToolButton;

namespace assay {

class FeatureContrastModel;

/// A row of a table beside its nearest row of the other set: the most different features, the rest folded.
class FeatureContrastTable : public QWidget {
    Q_OBJECT

public:
    explicit FeatureContrastTable(QWidget* parent);

    /// @param own, nearest headings of the two samples' values
    void showContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts, const QString& own,
                       const QString& nearest);
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fold();

    FeatureContrastModel* model_;
    QTableView* table_;
    QToolButton* all_;
};

} // namespace assay
