#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/subsets/rules/filter.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace assay {

/// One column's distribution among synthetic and among good samples, with the threshold of a rule: what it takes of
/// either. Small, without axes: it stands beside the rule's slider.
class RuleHistogram : public QWidget {
    Q_OBJECT

public:
    explicit RuleHistogram(QWidget* parent);

    /// @param good none where they are not known
    void setValues(const Column& column, const std::vector<double>& synthetic, const std::vector<double>& good,
                   std::size_t k);
    /// Shades what the rule rejects; nothing where it is not in force.
    void setRule(const std::optional<FilterRule>& rule);

    QSize sizeHint() const override;

signals:
    /// The person wants a bound here; also while dragging.
    void dragged(double value);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    double valueAt(double x) const;
    double xOf(double value) const;
    void shade(QPainter& painter) const;

    std::vector<double> edges_;
    std::vector<double> synthetic_; ///< share of all in each bin
    std::vector<double> good_;
    std::optional<FilterRule> rule_;
};

} // namespace assay
