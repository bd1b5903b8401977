#include "widgets/keep/rule_histogram.h"

#include "engine/math/statistics/histogram.h"
#include "widgets/common/colors.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kHeight = 30;
constexpr std::size_t kMaxBins = 40;

/// Number of evenly spaced rows; more would not change bars of thirty pixels visibly.
std::vector<double> thinned(const std::vector<double>& values) {
    constexpr std::size_t kEnough = 50'000;
    std::vector<double> some;
    for (std::size_t row = 0; row < values.size(); row += values.size() / kEnough + 1)
        some.push_back(values[row]);
    return some;
}

std::vector<double> shares(const HistogramBins& bins, const std::vector<double>& values) {
    std::vector<double> result;
    for (const std::size_t count : countPerBin(bins, values))
        result.push_back(static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, values.size())));
    return result;
}

} // namespace

RuleHistogram::RuleHistogram(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Filled: the model's samples. Line: good samples, held out or real. Shaded: what the rule rejects. "
                  "Drag to move a bound."));
}

QSize RuleHistogram::sizeHint() const {
    return {120, kHeight};
}

void RuleHistogram::setValues(const Column& column, const std::vector<double>& synthetic,
                              const std::vector<double>& good, std::size_t k) {
    const std::vector<double> some = thinned(synthetic);
    const std::vector<double> someGood = thinned(good);
    std::vector<double> both = some;
    both.insert(both.end(), someGood.begin(), someGood.end());
    const HistogramBins bins = chooseBins(both, column.unit, k, kMaxBins);
    edges_ = bins.edges;
    synthetic_ = shares(bins, some);
    good_ = good.empty() ? std::vector<double>() : shares(bins, someGood);
    setVisible(bins.count() > 0);
    update();
}

void RuleHistogram::setRule(const std::optional<FilterRule>& rule) {
    if (rule == rule_)
        return;
    rule_ = rule;
    update();
}

QRectF RuleHistogram::plot() const {
    return QRectF(rect()).adjusted(0.5, 1.5, -0.5, -0.5);
}

double RuleHistogram::xOf(double value) const {
    const double span = edges_.back() - edges_.front();
    return plot().left() + plot().width() * std::clamp((value - edges_.front()) / span, 0.0, 1.0);
}

double RuleHistogram::valueAt(double x) const {
    const double share = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    return edges_.front() + share * (edges_.back() - edges_.front());
}

void RuleHistogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && edges_.size() > 1)
        emit dragged(valueAt(event->position().x()));
}

void RuleHistogram::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) && edges_.size() > 1)
        emit dragged(valueAt(event->position().x()));
}

/// Shades what the rule rejects, and marks its bounds.
void RuleHistogram::shade(QPainter& painter) const {
    const bool extreme = rule_->bound == Bound::Highest || rule_->bound == Bound::Lowest;
    if (extreme || rule_->bound == Bound::Is) // where these begin is for the numbers to say
        return;
    QColor color = colors::rejected(palette());
    color.setAlphaF(0.45F);
    const QRectF all = plot();
    const double from = rule_->bound == Bound::AtMost ? all.left() : xOf(rule_->value);
    const double to = rule_->bound == Bound::AtLeast  ? all.right()
                      : rule_->bound == Bound::AtMost ? xOf(rule_->value)
                                                      : xOf(rule_->upper);
    if (rule_->effect == Effect::Reject) {
        painter.fillRect(QRectF(QPointF(from, all.top()), QPointF(to, all.bottom())), color);
    } else {
        painter.fillRect(QRectF(all.topLeft(), QPointF(from, all.bottom())), color);
        painter.fillRect(QRectF(QPointF(to, all.top()), all.bottomRight()), color);
    }
    painter.setPen(palette().color(QPalette::WindowText));
    if (rule_->bound != Bound::AtMost)
        painter.drawLine(QPointF(from, all.top()), QPointF(from, all.bottom()));
    if (rule_->bound != Bound::AtLeast)
        painter.drawLine(QPointF(to, all.top()), QPointF(to, all.bottom()));
}

void RuleHistogram::paintEvent(QPaintEvent*) {
    if (edges_.size() < 2)
        return;
    QPainter painter(this);
    const QRectF plot = this->plot();
    double most = 0.0;
    for (const std::vector<double>* side : {&synthetic_, &good_})
        for (const double share : *side)
            most = std::max(most, share);
    if (most <= 0.0)
        return;
    if (rule_)
        shade(painter);
    QPolygonF line;
    for (std::size_t bin = 0; bin + 1 < edges_.size(); ++bin) {
        const double left = xOf(edges_[bin]);
        const double right = xOf(edges_[bin + 1]);
        const double height = plot.height() * synthetic_[bin] / most;
        QColor fill = colors::synthetic(palette());
        fill.setAlphaF(0.7F);
        painter.fillRect(QRectF(left, plot.bottom() - height, std::max(1.0, right - left - 0.5), height), fill);
        if (!good_.empty()) {
            const double top = plot.bottom() - plot.height() * good_[bin] / most;
            line << QPointF(left, top) << QPointF(right, top);
        }
    }
    painter.setPen(QPen(colors::real(palette()), 1.5));
    painter.drawPolyline(line);
}

} // namespace assay
