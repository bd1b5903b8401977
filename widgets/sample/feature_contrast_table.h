#pragma once

#include "engine/report/scores/sample_comparison.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace assay {

class TableView;
struct TableContent;

/// A row of a table beside its nearest row of the other set: the most different features, the rest folded.
class FeatureContrastTable : public QWidget {
    Q_OBJECT

public:
    explicit FeatureContrastTable(QWidget* parent);

    /// @param own, nearest headings of the two samples' values
    void showContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts, const QString& own,
                       const QString& nearest);
    void clear();

private:
    void fold();

    TableContent contentOf(std::size_t rows) const;

    std::shared_ptr<const RealAnalysis> real_; ///< names of the features
    std::vector<FeatureContrast> contrasts_;
    QString own_;
    QString nearest_;
    TableView* table_;
    QToolButton* all_;
};

} // namespace assay
