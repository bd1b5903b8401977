#pragma once

#include "widgets/histogram/histogram_view.h"
#include "widgets/link/linked_view.h"

class QComboBox;
class QToolButton;

namespace assay {

/// How a column of the samples is spread, and which one.
class DistributionPanel : public LinkedView {
    Q_OBJECT

public:
    DistributionPanel(SampleSelection* selection, QWidget* parent);

    HistogramView* histogram() const noexcept { return histogram_; }
    /// Id of the column.
    QString column() const;
    /// Shows another column; nothing happens for an id that the catalogue does not know.
    void setColumn(const QString& id);
    const HistogramView::Look& look() const;
    void setLook(const HistogramView::Look& look);

    std::optional<Figure> figure() override;

signals:
    /// Another column is shown, or it looks different.
    void changed();

protected:
    void stateChanged(const ViewState& previous) override;

private:
    void listColumns();
    QToolButton* makeLookButton();

    QComboBox* columns_;
    HistogramView* histogram_;
};

} // namespace assay
