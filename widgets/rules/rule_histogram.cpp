#include "widgets/rules/rule_histogram.h"

#include "engine/stats/histogram.h"
#include "widgets/common/colors.h"

#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kHeight = 30;
constexpr std::size_t kMostBins = 40;

/// As many as bars of thirty pixels can tell, evenly from all rows.
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
    setToolTip(tr("Filled: the model's samples. Line: good samples, held out or real. Shaded: what the rule rejects."));
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
    const HistogramBins bins = chooseBins(both, column.unit, k, kMostBins);
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

void RuleHistogram::paintEvent(QPaintEvent*) {
    if (edges_.size() < 2)
        return;
    QPainter painter(this);
    const QRectF plot = QRectF(rect()).adjusted(0.5, 1.5, -0.5, -0.5);
    double most = 0.0;
    for (const std::vector<double>* side : {&synthetic_, &good_})
        for (const double share : *side)
            most = std::max(most, share);
    if (most <= 0.0)
        return;
    const double span = edges_.back() - edges_.front();
    const auto x = [&](double value) {
        return plot.left() + plot.width() * std::clamp((value - edges_.front()) / span, 0.0, 1.0);
    };
    if (rule_) {
        const double at = x(rule_->value);
        QColor shade = colors::rejected(palette());
        shade.setAlphaF(0.45F);
        const QRectF taken = rule_->bound == Bound::AtLeast ? QRectF(plot.topLeft(), QPointF(at, plot.bottom()))
                                                            : QRectF(QPointF(at, plot.top()), plot.bottomRight());
        painter.fillRect(taken, shade);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
    }
    QPolygonF line;
    for (std::size_t bin = 0; bin + 1 < edges_.size(); ++bin) {
        const double left = x(edges_[bin]);
        const double right = x(edges_[bin + 1]);
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
