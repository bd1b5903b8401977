#include "widgets/keep/rule_slider.h"

#include "widgets/common/controls.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kSteps = 500; // of the slider over a continuous range

} // namespace

RuleSlider::RuleSlider(const QString& name, const QString& title, QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal, this)), spin_(new QDoubleSpinBox(this)) {
    slider_->setObjectName(QStringLiteral("ruleSlider_%1").arg(name));
    slider_->setAccessibleName(title);
    slider_->setRange(0, kSteps);
    spin_->setObjectName(QStringLiteral("ruleSpin_%1").arg(name));
    spin_->setAccessibleName(title);
    spin_->setKeyboardTracking(false);
    spin_->setAlignment(Qt::AlignRight);
    spin_->installEventFilter(this);
    spin_->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("-0000.000")) + 36);
    auto* layout = newLayout<QHBoxLayout>(this);
    layout->addWidget(slider_, 1);
    layout->addWidget(spin_);
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        value_ = valueAt(step);
        show();
        emit edited(value_);
    });
    connect(spin_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        value_ = shares_ ? value / 100.0 : value;
        show();
        emit edited(value_);
    });
    show();
}

bool RuleSlider::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        // The field would only take its own text back, and the rule would stay. While nothing is being typed these keys
        // are the window's.
        const bool typing = spin_->valueFromText(spin_->text()) != spin_->value();
        if (!typing && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void RuleSlider::runThroughShares(double most) {
    shares_ = true;
    steps_.clear();
    low_ = 0.0;
    high_ = most;
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietSpin(spin_);
    slider_->setRange(0, kSteps);
    spin_->setSuffix(tr(" %"));
    spin_->setDecimals(2);
    spin_->setSingleStep(0.5);
    spin_->setRange(0.0, 100.0);
    show();
}

void RuleSlider::runThrough(const HistogramBins& bins, Unit unit) {
    shares_ = false;
    steps_ = bins.values;
    low_ = bins.discrete() ? steps_.front() : bins.edges.front();
    high_ = bins.discrete() ? steps_.back() : bins.edges.back();
    const double span = high_ - low_;
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietSpin(spin_);
    slider_->setRange(0, steps_.empty() ? kSteps : static_cast<int>(steps_.size()) - 1);
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    const bool whole = unit == Unit::Count;
    const int digits = whole || !(span > 0.0) ? 0 : 2 - static_cast<int>(std::floor(std::log10(span)));
    spin_->setSuffix({});
    spin_->setDecimals(whole ? 0 : std::clamp(digits, 2, 6));
    spin_->setSingleStep(steps_.size() > 1 ? steps_[1] - steps_[0] : span > 0.0 ? span / 100.0 : 1.0);
    // Wide open: a rule set for another model may lie beyond this one's values.
    spin_->setRange(std::min(-1e9, low_), std::max(1e9, high_));
    show();
}

void RuleSlider::setValue(double value) {
    value_ = value;
    show();
}

void RuleSlider::show() {
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietSpin(spin_);
    slider_->setValue(stepOf(value_));
    spin_->setValue(shares_ ? 100.0 * value_ : value_);
}

int RuleSlider::stepOf(double value) const {
    if (!steps_.empty()) {
        const auto nearest = std::min_element(steps_.begin(), steps_.end(), [value](double a, double b) {
            return std::abs(a - value) < std::abs(b - value);
        });
        return static_cast<int>(nearest - steps_.begin());
    }
    const double share = high_ > low_ ? (value - low_) / (high_ - low_) : 0.0;
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

double RuleSlider::valueAt(int step) const {
    if (!steps_.empty())
        return steps_[static_cast<std::size_t>(std::clamp(step, 0, static_cast<int>(steps_.size()) - 1))];
    // The ends exactly, so that a wide open rule rejects nothing.
    if (step == 0 || step == kSteps)
        return step == 0 ? low_ : high_;
    return low_ + (high_ - low_) * step / kSteps;
}

} // namespace assay
