#pragma once

#include "engine/audit/result/model_contrast.h"

#include <QPolygonF>
#include <QWidget>

#include <array>
#include <memory>

namespace assay {

class ChartFrame;

/// How the fidelity of the samples of two models is spread, in one frame: the share of each model's samples per bin,
/// the first as a filled outline, the second as a dashed line.
class DistributionPair : public QWidget {
    Q_OBJECT

public:
    explicit DistributionPair(QWidget* parent);

    /// @param contrast null: shows nothing
    void show(std::shared_ptr<const ModelContrast> contrast);
    /// Outline of one model in this widget's coordinates, from the axis to the axis.
    /// @param model 0 or 1
    QPolygonF outline(std::size_t model) const;
    const ChartFrame& frame() const noexcept { return *frame_; }

    QSize sizeHint() const override { return {380, 180}; }
    QSize minimumSizeHint() const override { return {160, 150}; }

private:
    void paint(QPainter& painter) const;
    void explain(QPoint point, QPoint globalPoint);

    ChartFrame* frame_;
    std::shared_ptr<const ModelContrast> contrast_;
};

/// Colour of one of two compared models.
QColor comparedColor(std::size_t model, const QPalette& palette);
/// A sample of its line, for legends.
void paintComparedSample(QPainter& painter, const QRectF& box, std::size_t model, const QPalette& palette);

} // namespace assay
