#include "widgets/rules/rule_row.h"

#include "engine/stats/histogram.h"
#include "widgets/common/number_format.h"
#include "widgets/rules/rule_histogram.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr int kSteps = 500; // of the slider over a continuous range

/// A column whose threshold is itself a rate of wrong rejections.
struct Rate {
    std::string_view column;
    const char* title;
    double usual;
};

constexpr std::array<Rate, 2> kRates{{
    {"p_any", QT_TRANSLATE_NOOP("assay::RuleRow", "Good samples lost \u2264"), 0.01},
    {"q_any", QT_TRANSLATE_NOOP("assay::RuleRow", "Good among the rejected \u2264"), 0.05},
}};
constexpr double kHighestRate = 0.2;

const Rate* rateOf(std::string_view column) {
    const auto at = std::find_if(kRates.begin(), kRates.end(), [&](const Rate& rate) { return rate.column == column; });
    return at == kRates.end() ? nullptr : &*at;
}

} // namespace

RuleRow::RuleRow(const Column& column, QWidget* parent) : QWidget(parent), column_(column) {
    const QString id = catalogText(column.id);
    setObjectName(QStringLiteral("rule_%1").arg(id));
    check_ = new QCheckBox(this);
    check_->setObjectName(QStringLiteral("ruleCheck_%1").arg(id));
    const QString title = catalogText(column.title);
    check_->setToolTip(metricToolTip(column.title, column.definition, column.source));
    taken_ = new QLabel(this);
    taken_->setObjectName(QStringLiteral("ruleTaken_%1").arg(id));
    taken_->setForegroundRole(QPalette::PlaceholderText);
    taken_->setWordWrap(true);
    taken_->setToolTip(
        tr("Good samples: the held-out set where there is one, else the real set, each sample left out of "
           "its own neighbours"));
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(0, 1);
    if (column.unit == Unit::YesNo) {
        layout->addWidget(check_, 0, 0);
        check_->setText(tr("%1 only").arg(title));
        value_ = 1.0;
    } else if (column.unit == Unit::Word) {
        layout->addWidget(check_, 0, 0);
        check_->setText(tr("%1: %2 only").arg(title, formatValue(0.0, column)));
        value_ = 0.0;
    } else {
        const QString unit = column.unit == Unit::Nats ? tr("%1 (nats)").arg(title) : title;
        check_->setText(QStringLiteral("%1 %2").arg(unit, bound() == Bound::AtLeast ? QStringLiteral("\u2265")
                                                                                    : QStringLiteral("\u2264")));
        if (const Rate* rate = rateOf(column.id))
            check_->setText(tr(rate->title));
        makeControls();
        histogram_ = new RuleHistogram(this);
        histogram_->setObjectName(QStringLiteral("ruleHistogram_%1").arg(id));
        histogram_->hide();
        layout->addWidget(check_, 0, 0, 1, 2); // titles are long, and panels may be narrow
        layout->addWidget(histogram_, 1, 0);
        layout->addWidget(slider_, 2, 0);
        layout->addWidget(spin_, 2, 1);
    }
    layout->addWidget(taken_, 3, 0, 1, 2);
    taken_->hide();
    connect(check_, &QCheckBox::toggled, this, [this](bool on) {
        if (on && !value_)
            value_ = harmless();
        showValue();
        emit edited();
    });
}

void RuleRow::makeControls() {
    const QString id = catalogText(column_.id);
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setObjectName(QStringLiteral("ruleSlider_%1").arg(id));
    slider_->setAccessibleName(check_->text());
    slider_->setToolTip(check_->toolTip());
    slider_->setRange(0, kSteps);
    spin_ = new QDoubleSpinBox(this);
    spin_->setObjectName(QStringLiteral("ruleSpin_%1").arg(id));
    spin_->setAccessibleName(check_->text());
    spin_->setToolTip(check_->toolTip());
    spin_->setKeyboardTracking(false);
    spin_->setAlignment(Qt::AlignRight);
    spin_->installEventFilter(this);
    spin_->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("-0000.000")) + 36);
    connect(slider_, &QSlider::valueChanged, this, &RuleRow::setValueFromSlider);
    if (isRate()) {
        spin_->setSuffix(tr(" %"));
        spin_->setDecimals(2);
        spin_->setSingleStep(0.5);
        spin_->setRange(0.0, 100.0);
        high_ = kHighestRate;
    }
    connect(spin_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        value_ = isRate() ? value / 100.0 : value;
        const QSignalBlocker quiet(check_);
        check_->setChecked(true);
        showValue();
        emit edited();
    });
    showValue();
}

bool RuleRow::eventFilter(QObject* watched, QEvent* event) {
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

Bound RuleRow::bound() const {
    return column_.better == Direction::Higher ? Bound::AtLeast : Bound::AtMost;
}

bool RuleRow::isRate() const {
    return rateOf(column_.id) != nullptr;
}

double RuleRow::harmless() const {
    if (const Rate* rate = rateOf(column_.id))
        return rate->usual;
    return bound() == Bound::AtLeast ? low_ : high_;
}

std::optional<FilterRule> RuleRow::rule() const {
    if (!check_->isChecked())
        return std::nullopt;
    return FilterRule{std::string(column_.id), bound(), value_.value_or(harmless())};
}

void RuleRow::show(const std::optional<FilterRule>& rule) {
    const QSignalBlocker quiet(check_);
    // A rule taken away from outside is gone; one that the person switched off has its value kept for another try.
    if (rule)
        value_ = rule->value;
    else if (slider_ && check_->isChecked())
        value_.reset();
    check_->setChecked(rule.has_value());
    showValue();
}

void RuleRow::switchOn() {
    if (!check_->isChecked())
        check_->click();
}

/// "rejects 2.1 % of good samples", while the rule is in force.
void RuleRow::showTaken() {
    const std::optional<FilterRule> inForce = rule();
    if (histogram_)
        histogram_->setRule(inForce);
    taken_->setVisible(inForce.has_value() && !good_.empty());
    if (!inForce || good_.empty())
        return;
    const auto lost =
        std::count_if(good_.begin(), good_.end(), [&](double value) { return !satisfies(value, *inForce); });
    taken_->setText(tr("rejects %1 of good samples")
                        .arg(formatPercent(static_cast<double>(lost) / static_cast<double>(good_.size()))));
}

void RuleRow::setValues(const std::vector<double>& values, std::size_t k, const std::vector<double>& good) {
    good_ = good;
    if (histogram_ && !isRate()) // of p-values a histogram says less than the numbers
        histogram_->setValues(column_, values, good, k);
    showTaken();
    if (!slider_ || isRate())
        return;
    const HistogramBins bins = chooseBins(values, column_.unit, k);
    if (bins.count() == 0)
        return;
    steps_ = bins.values;
    low_ = bins.discrete() ? steps_.front() : bins.edges.front();
    high_ = bins.discrete() ? steps_.back() : bins.edges.back();
    const double span = high_ - low_;
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietSpin(spin_);
    slider_->setRange(0, steps_.empty() ? kSteps : static_cast<int>(steps_.size()) - 1);
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    const bool whole = column_.unit == Unit::Count;
    const int digits = whole || !(span > 0.0) ? 0 : 2 - static_cast<int>(std::floor(std::log10(span)));
    spin_->setDecimals(whole ? 0 : std::clamp(digits, 2, 6));
    spin_->setSingleStep(steps_.size() > 1 ? steps_[1] - steps_[0] : span > 0.0 ? span / 100.0 : 1.0);
    // Wide open: a rule set for another model may lie beyond this one's values.
    spin_->setRange(std::min(-1e9, low_), std::max(1e9, high_));
    showValue();
}

int RuleRow::stepOf(double value) const {
    if (!steps_.empty()) {
        const auto nearest = std::min_element(steps_.begin(), steps_.end(), [value](double a, double b) {
            return std::abs(a - value) < std::abs(b - value);
        });
        return static_cast<int>(nearest - steps_.begin());
    }
    const double share = high_ > low_ ? (value - low_) / (high_ - low_) : 0.0;
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

double RuleRow::valueAt(int step) const {
    if (!steps_.empty())
        return steps_[static_cast<std::size_t>(std::clamp(step, 0, static_cast<int>(steps_.size()) - 1))];
    // The ends exactly, so that a wide open rule rejects nothing.
    if (step == 0 || step == kSteps)
        return step == 0 ? low_ : high_;
    return low_ + (high_ - low_) * step / kSteps;
}

void RuleRow::setValueFromSlider(int step) {
    value_ = valueAt(step);
    const QSignalBlocker quiet(check_); // moving a rule puts it into force
    check_->setChecked(true);
    showValue();
    emit edited();
}

void RuleRow::showValue() {
    showTaken();
    if (!slider_)
        return;
    const double value = value_.value_or(harmless());
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietSpin(spin_);
    slider_->setValue(stepOf(value));
    spin_->setValue(isRate() ? 100.0 * value : value);
}

} // namespace assay
