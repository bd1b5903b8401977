#include "widgets/keep/rule_row.h"

#include "engine/base/find_by.h"
#include "engine/metrics/tables/column_values.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/keep/rule_histogram.h"
#include "widgets/keep/rule_slider.h"

#include <QActionGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace assay {
namespace {

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
constexpr double kUsualShare = 0.05; // of a rule on the highest or lowest values

const Rate* rateOf(std::string_view column) {
    return findBy(kRates, &Rate::column, column);
}

/// One kind of rule in the menu, and how its check box reads.
struct Kind {
    Bound bound;
    Effect effect;
    const char* menu;
    const char* title; ///< %1: the column
};

constexpr std::array<Kind, 8> kKinds{{
    {Bound::AtLeast, Effect::Keep, QT_TRANSLATE_NOOP("assay::RuleRow", "Keep at least"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "%1 \u2265")},
    {Bound::AtMost, Effect::Keep, QT_TRANSLATE_NOOP("assay::RuleRow", "Keep at most"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "%1 \u2264")},
    {Bound::Between, Effect::Keep, QT_TRANSLATE_NOOP("assay::RuleRow", "Keep a range"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "%1 from .. to")},
    {Bound::Between, Effect::Reject, QT_TRANSLATE_NOOP("assay::RuleRow", "Reject a range"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "Reject %1 from .. to")},
    {Bound::Highest, Effect::Reject, QT_TRANSLATE_NOOP("assay::RuleRow", "Reject the highest n %"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "Reject the highest: %1")},
    {Bound::Lowest, Effect::Reject, QT_TRANSLATE_NOOP("assay::RuleRow", "Reject the lowest n %"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "Reject the lowest: %1")},
    {Bound::Is, Effect::Keep, QT_TRANSLATE_NOOP("assay::RuleRow", "Keep only"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "%1 is")},
    {Bound::Is, Effect::Reject, QT_TRANSLATE_NOOP("assay::RuleRow", "Reject"),
     QT_TRANSLATE_NOOP("assay::RuleRow", "Reject %1")},
}};

const Kind* kindOf(const FilterRule& rule) {
    const auto at = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) {
        return kind.bound == rule.bound && kind.effect == rule.effect;
    });
    return at == kKinds.end() ? nullptr : &*at;
}

/// The rule that a row of a column begins with.
FilterRule firstRule(const std::string& id, const Column* column) {
    if (const SetRule* onSet = findSetRule(id))
        return onSet->rule();
    if (column == nullptr)
        return {id, Bound::Is, 0.0, 0.0, {}, Effect::Reject};
    if (column->unit == Unit::Word) // on the numbers: good is the first word
        return {id, Bound::AtMost, 0.0};
    if (column->unit == Unit::YesNo)
        return {id, Bound::AtLeast, 1.0};
    // Of external figures such as a confidence or a rating, low ones are rejected more often.
    return {id, column->better == Direction::Higher || isExternal(id) ? Bound::AtLeast : Bound::AtMost};
}

} // namespace

RuleRow::RuleRow(const std::string& column, std::shared_ptr<const Column> described, const QString& name,
                 QWidget* parent)
    : QWidget(parent), column_(std::move(described)), rule_(firstRule(column, column_.get())) {
    setObjectName(QStringLiteral("rule_%1").arg(name));
    check_ = new QCheckBox(this);
    check_->setObjectName(QStringLiteral("ruleCheck_%1").arg(name));
    if (column_)
        check_->setToolTip(metricToolTip(*column_));
    taken_ = new QLabel(this);
    taken_->setObjectName(QStringLiteral("ruleTaken_%1").arg(name));
    taken_->setForegroundRole(QPalette::PlaceholderText);
    taken_->setWordWrap(true);
    taken_->setToolTip(
        tr("Good samples: the held-out set where there is one, else the real set, each sample left out of "
           "its own neighbours"));
    makeMenu(name);
    auto* layout = newLayout<QGridLayout>(this);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(0, 1);
    layout->addWidget(check_, 0, 0);
    layout->addWidget(more_, 0, 1);
    makeControls(name);
    int line = 1;
    for (QWidget* part : {static_cast<QWidget*>(words_), static_cast<QWidget*>(histogram_),
                          static_cast<QWidget*>(lower_), static_cast<QWidget*>(upper_), static_cast<QWidget*>(taken_)})
        if (part)
            layout->addWidget(part, line++, 0, 1, 2);
    connect(check_, &QCheckBox::toggled, this, [this](bool on) {
        if (on && !set_)
            rule_.value = defaultThreshold();
        set_ = set_ || on;
        showAll();
        emit edited();
    });
    arrange();
    showAll();
}

bool RuleRow::isWord() const {
    return rule_.bound == Bound::Is;
}

bool RuleRow::hasNumber() const {
    return column_ && column_->unit != Unit::YesNo && column_->unit != Unit::Word;
}

bool RuleRow::isRate() const {
    return rateOf(rule_.column) != nullptr && rule_.bound == Bound::AtLeast;
}

bool RuleRow::isShare() const {
    return rule_.bound == Bound::Highest || rule_.bound == Bound::Lowest;
}

void RuleRow::makeControls(const QString& name) {
    const bool words = !column_ ? findSetRule(rule_.column) == nullptr : column_->unit == Unit::Word;
    if (words) {
        words_ = new ElidingComboBox(this, 4);
        words_->setObjectName(QStringLiteral("ruleWord_%1").arg(name));
        connect(words_, &QComboBox::activated, this, [this](int at) {
            rule_.word = words_->itemData(at).toString().toStdString();
            touched();
        });
    }
    if (column_ && column_->unit == Unit::Word) {
        std::vector<std::string> ids;
        QStringList titles;
        for (const std::string_view word : column_->words) {
            ids.emplace_back(word);
            titles << formatValue(static_cast<double>(ids.size() - 1), *column_);
        }
        setWords(ids, titles);
    }
    if (!hasNumber())
        return;
    histogram_ = new RuleHistogram(this);
    histogram_->setObjectName(QStringLiteral("ruleHistogram_%1").arg(name));
    histogram_->hide();
    connect(histogram_, &RuleHistogram::dragged, this, &RuleRow::setNearestBound);
    const QString spoken = catalogText(column_->title);
    lower_ = new RuleSlider(name, spoken, this);
    upper_ = new RuleSlider(name + QStringLiteral("_upper"), tr("%1, upper end").arg(spoken), this);
    connect(lower_, &RuleSlider::edited, this, [this](double value) {
        rule_.value = value;
        if (rule_.bound == Bound::Between)
            rule_.upper = std::max(rule_.upper, value);
        touched();
    });
    connect(upper_, &RuleSlider::edited, this, [this](double value) {
        rule_.upper = value;
        rule_.value = std::min(rule_.value, value);
        touched();
    });
}

void RuleRow::makeMenu(const QString& name) {
    more_ = new QToolButton(this);
    more_->setObjectName(QStringLiteral("ruleMore_%1").arg(name));
    more_->setText(QStringLiteral("\u22ef"));
    more_->setAutoRaise(true);
    more_->setAccessibleName(tr("Other rules on this score"));
    more_->setToolTip(tr("Other rules on this score: a range, the highest or lowest n %, and what becomes of them"));
    menu_ = new QMenu(more_);
    menu_->setObjectName(QStringLiteral("ruleMenu_%1").arg(name));
    connect(more_, &QToolButton::clicked, this,
            [this] { menu_->popup(more_->mapToGlobal(QPoint(0, more_->height()))); });
    connect(menu_, &QMenu::aboutToShow, this, &RuleRow::fillMenu);
}

void RuleRow::fillMenu() {
    menu_->clear();
    auto* kinds = new QActionGroup(menu_);
    for (const Kind& kind : kKinds) {
        const bool wordKind = kind.bound == Bound::Is;
        if (wordKind ? words_ == nullptr : !hasNumber())
            continue;
        QAction* action = menu_->addAction(tr(kind.menu));
        action->setCheckable(true);
        action->setChecked(kind.bound == rule_.bound && kind.effect == rule_.effect);
        kinds->addAction(action);
        connect(action, &QAction::triggered, this, [this, kind] { change(kind.bound, kind.effect); });
    }
    menu_->addSeparator();
    connect(menu_->addAction(tr("Remove this rule")), &QAction::triggered, this, &RuleRow::removeRequested);
}

void RuleRow::change(Bound bound, Effect effect) {
    const bool sameScale = (bound == Bound::Highest || bound == Bound::Lowest) == isShare();
    rule_.bound = bound;
    rule_.effect = effect;
    if (bound == Bound::Is && rule_.word.empty() && words_ && words_->count() > 0)
        rule_.word = words_->itemData(words_->count() > 1 && column_ ? 1 : 0).toString().toStdString();
    if (!sameScale || !set_)
        rule_.value = defaultThreshold();
    if (bound == Bound::Between)
        rule_.upper = highest();
    arrange();
    touched();
}

/// The end of the range that is nearer, or the one bound that there is.
void RuleRow::setNearestBound(double value) {
    if (isShare() || isRate())
        return;
    const bool upper = rule_.bound == Bound::Between && std::abs(value - rule_.upper) < std::abs(value - rule_.value);
    (upper ? rule_.upper : rule_.value) = value;
    touched();
}

/// Whoever moves a rule puts it into force.
void RuleRow::touched() {
    set_ = true;
    const QSignalBlocker quiet(check_);
    check_->setChecked(true);
    showAll();
    emit edited();
}

double RuleRow::defaultThreshold() const {
    if (!hasNumber())
        return rule_.value;
    if (isShare())
        return kUsualShare;
    if (const Rate* rate = rateOf(rule_.column))
        return rate->usual;
    return rule_.bound == Bound::AtMost ? highest() : lowest();
}

double RuleRow::lowest() const {
    return bins_.count() == 0 ? 0.0 : bins_.discrete() ? bins_.values.front() : bins_.edges.front();
}

double RuleRow::highest() const {
    return bins_.count() == 0 ? 1.0 : bins_.discrete() ? bins_.values.back() : bins_.edges.back();
}

std::optional<FilterRule> RuleRow::rule() const {
    if (!check_->isChecked() || (isWord() && rule_.word.empty()))
        return std::nullopt;
    FilterRule rule = rule_;
    if (!set_)
        rule.value = defaultThreshold();
    return rule;
}

void RuleRow::show(const std::optional<FilterRule>& rule) {
    const QSignalBlocker quiet(check_);
    // A rule taken away from outside is gone; one that the person switched off has its value kept for another try.
    if (rule) {
        rule_ = *rule;
        set_ = true;
    } else if (lower_ && check_->isChecked()) {
        set_ = false;
    }
    check_->setChecked(rule.has_value());
    arrange();
    showAll();
}

void RuleRow::switchOn() {
    if (!check_->isChecked())
        check_->click();
}

QString RuleRow::title() const {
    if (const SetRule* onSet = findSetRule(rule_.column))
        return catalogText(onSet->caption);
    if (!column_)
        return (rule_.effect == Effect::Keep ? tr("%1 is") : tr("Reject %1"))
            .arg(rule_.column == kTagRule     ? tr("tag")
                 : rule_.column == kGroupRule ? tr("group")
                                              : tr("class"));
    const QString name = catalogText(column_->title);
    if (isRate())
        return tr(rateOf(rule_.column)->title);
    if (column_->unit == Unit::YesNo)
        return rule_.effect == Effect::Keep ? tr("%1 only").arg(name) : tr("Reject: %1").arg(name);
    if (column_->unit == Unit::Word && !isWord())
        return tr("%1: %2 only").arg(name, formatValue(0.0, *column_));
    const Kind* kind = kindOf(rule_);
    return (kind ? tr(kind->title) : tr("Reject: %1"))
        .arg(column_->unit == Unit::Nats && !isShare() ? tr("%1 (nats)").arg(name) : name);
}

/// Which controls the kind of rule needs, and what they run through.
void RuleRow::arrange() {
    check_->setText(title());
    if (words_)
        words_->setVisible(isWord());
    more_->setVisible(words_ != nullptr || hasNumber() || !column_);
    if (!lower_)
        return;
    upper_->setVisible(rule_.bound == Bound::Between);
    if (isShare())
        lower_->runThroughShares(1.0);
    else if (isRate())
        lower_->runThroughShares(kHighestRate);
    else if (bins_.count() > 0)
        lower_->runThrough(bins_, column_->unit);
    if (bins_.count() > 0)
        upper_->runThrough(bins_, column_->unit);
}

void RuleRow::setWords(const std::vector<std::string>& words, const QStringList& titles) {
    if (!words_)
        return;
    const QSignalBlocker quiet(words_);
    words_->clear();
    for (std::size_t at = 0; at < words.size(); ++at)
        words_->addItem(titles.at(static_cast<qsizetype>(at)), QString::fromStdString(words[at]));
    if (rule_.word.empty() && !words.empty() && isWord())
        rule_.word = words.front();
    showAll();
}

void RuleRow::setFailing(std::optional<std::size_t> failing, std::size_t samples) {
    failing_ = failing;
    samples_ = samples;
    showTaken();
}

/// "rejects 310 (3.1 %), 1.0 % of good samples", while the rule is in force.
void RuleRow::showTaken() {
    const std::optional<FilterRule> inForce = rule();
    QStringList parts;
    if (inForce && failing_ && samples_ > 0)
        parts << tr("rejects %1 (%2)")
                     .arg(formatCount(*failing_),
                          formatPercent(static_cast<double>(*failing_) / static_cast<double>(samples_)));
    if (inForce && !good_.empty() && values_) {
        const RuleRange range = rangeOf(*inForce, *values_);
        const auto lost = std::count_if(good_.begin(), good_.end(), [&](double value) { return !range.keeps(value); });
        const QString share = formatPercent(static_cast<double>(lost) / static_cast<double>(good_.size()));
        parts << (parts.isEmpty() ? tr("rejects %1 of good samples") : tr("%1 of good samples")).arg(share);
    }
    taken_->setText(parts.join(QStringLiteral(", ")));
    taken_->setVisible(!parts.isEmpty());
}

void RuleRow::setValues(std::shared_ptr<const std::vector<double>> values, std::size_t k, std::vector<double> good) {
    good_ = std::move(good);
    values_ = std::move(values);
    if (histogram_ && rateOf(rule_.column) == nullptr) // of p-values a histogram says less than the numbers
        histogram_->setValues(*column_, *values_, good_, k);
    if (hasNumber())
        bins_ = chooseBins(*values_, column_->unit, k);
    arrange();
    showAll();
}

void RuleRow::showAll() {
    check_->setText(title());
    if (histogram_)
        histogram_->setRule(rule());
    showTaken();
    if (words_)
        words_->setCurrentIndex(words_->findData(QString::fromStdString(rule_.word)));
    if (!lower_)
        return;
    lower_->setValue(set_ ? rule_.value : defaultThreshold());
    upper_->setValue(rule_.upper);
}

} // namespace assay
