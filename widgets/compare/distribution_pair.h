#pragma once

#include "engine/audit/result/compare.h"
#include "widgets/charts/plot.h"

#include <memory>

namespace assay {

/// The distribution of the fidelity of two models' samples: the share of each model's samples per bin, the first as a
/// filled outline, the second as a dashed line.
class DistributionPair : public Plot {
    Q_OBJECT

public:
    explicit DistributionPair(QWidget* parent);

    /// @param contrast null: shows nothing
    void show(std::shared_ptr<const ModelContrast> contrast);
    using QWidget::show;

    QSize sizeHint() const override { return {380, 180}; }
    QSize minimumSizeHint() const override { return {160, 150}; }

private:
    PlotSeries outline(std::size_t model) const;
    QString describe(PlotPoint point) const;

    std::shared_ptr<const ModelContrast> contrast_;
};

/// Colour of one of two compared models.
QColor comparedColor(std::size_t model, const QPalette& palette);
/// A sample of its line, for legends.
void paintComparedSample(QPainter& painter, const QRectF& box, std::size_t model, const QPalette& palette);

} // namespace assay
