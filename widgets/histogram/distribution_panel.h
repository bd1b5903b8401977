#pragma once

#include "widgets/link/linked_view.h"

class QComboBox;

namespace assay {

class HistogramView;

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

    std::optional<Figure> figure() override;

signals:
    void columnChanged();

protected:
    void stateChanged(const ViewState& previous) override;

private:
    void listColumns();

    QComboBox* columns_;
    HistogramView* histogram_;
};

} // namespace assay
