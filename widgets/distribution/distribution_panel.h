#pragma once

#include "widgets/distribution/histogram_view.h"
#include "widgets/link/panel.h"

class QComboBox;
class QToolButton;

namespace assay {

/// How a column of the samples is spread, and which one.
class DistributionPanel : public Panel {
    Q_OBJECT

public:
    explicit DistributionPanel(PanelHost& host);

    HistogramView* histogram() const noexcept { return histogram_; }
    /// Id of the column.
    QString column() const;
    /// Shows another column; nothing happens for an id that the catalogue does not know.
    void setColumn(const QString& id);
    void setLook(const HistogramView::Look& look);
    /// "column" and how it is drawn.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    std::optional<Figure> figure() override;

protected:
    void stateChanged(const Changes& changes) override;

private:
    void listColumns();
    QToolButton* makeLookButton();

    QComboBox* columns_;
    HistogramView* histogram_;
};

} // namespace assay
