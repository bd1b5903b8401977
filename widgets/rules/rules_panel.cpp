#include "widgets/rules/rules_panel.h"

#include "engine/audit/good_samples.h"
#include "engine/metrics/catalog.h"
#include "widgets/common/hint_label.h"
#include "widgets/common/number_format.h"
#include "widgets/rules/kept_bar.h"
#include "widgets/rules/kept_scores.h"
#include "widgets/rules/rule_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace assay {
namespace {

/// Columns that have a rule from the start; any other one can be added.
constexpr std::array<std::string_view, 4> kOfferedFirst{"p_any", "fidelity", "pce", "authentic"};

} // namespace

RulesPanel::RulesPanel(SampleSelection* selection, QWidget* parent) : LinkedView(selection, parent) {
    auto* hint = new QLabel(tr("Thresholds on the scores would decide here which synthetic samples to keep.\n"
                               "Open a real and a synthetic set to begin."),
                            this);
    hint->setObjectName(QStringLiteral("rulesHint"));
    makeHint(hint);
    body_ = new QWidget(this);
    auto* layout = new QVBoxLayout(body_);
    layout->setContentsMargins(8, 6, 8, 8);
    rowLayout_ = new QVBoxLayout;
    rowLayout_->setSpacing(8);
    layout->addLayout(rowLayout_);
    add_ = new QToolButton(body_);
    add_->setObjectName(QStringLiteral("ruleAdd"));
    add_->setText(tr("Add rule..."));
    add_->setToolTip(tr("A threshold on another score"));
    add_->setPopupMode(QToolButton::InstantPopup);
    add_->setAutoRaise(true);
    addMenu_ = new QMenu(add_);
    addMenu_->setObjectName(QStringLiteral("ruleAddMenu"));
    add_->setMenu(addMenu_);
    layout->addWidget(add_, 0, Qt::AlignLeft);
    layout->addWidget(makeCounts());
    scoreTable_ = new KeptScores(body_);
    layout->addWidget(scoreTable_);
    layout->addWidget(makeButtons());
    layout->addStretch(1);
    setMinimumWidth(240); // narrower, and buttons and numbers would be cut off
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body_);
    pages_ = new QStackedLayout(this);
    pages_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(hint);
    pages_->addWidget(scroll);
    for (std::string_view column : kOfferedFirst)
        addRow(column);
    connect(addMenu_, &QMenu::aboutToShow, this, &RulesPanel::fillAddMenu);
    connect(addMenu_, &QMenu::triggered, this, [this](QAction* action) {
        if (RuleRow* row = addRow(action->data().toString().toStdString())) {
            row->switchOn(); // whoever adds a rule wants it
            row->setFocus();
        }
    });
}

QWidget* RulesPanel::makeCounts() {
    auto* counts = new QWidget(body_);
    auto* layout = new QVBoxLayout(counts);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(3);
    kept_ = new QLabel(counts);
    kept_->setObjectName(QStringLiteral("keptCount"));
    bar_ = new KeptBar(counts);
    rejected_ = new QLabel(counts);
    rejected_->setObjectName(QStringLiteral("rejectedCount"));
    layout->addWidget(kept_);
    layout->addWidget(bar_);
    falseAlarms_ = new QLabel(counts);
    falseAlarms_->setObjectName(QStringLiteral("falseAlarms"));
    falseAlarms_->setToolTip(tr(
        "<b>False alarms</b><br>What the rules would reject of good samples: of the held-out set where there is one, "
        "else "
        "of the real set, each sample left out of its own neighbours. Rules that reject many more of a model's samples "
        "have found something."));
    warning_ = new QLabel(counts);
    warning_->setObjectName(QStringLiteral("rulesWarning"));
    warning_->setWordWrap(true);
    warning_->hide();
    layout->addWidget(rejected_);
    layout->addWidget(falseAlarms_);
    layout->addWidget(warning_);
    return counts;
}

QWidget* RulesPanel::makeButtons() {
    auto* buttons = new QWidget(body_);
    auto* layout = new QGridLayout(buttons);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const QString& name, const QString& text, const QString& toolTip) {
        auto* made = new QPushButton(text, buttons);
        made->setObjectName(name);
        made->setToolTip(toolTip);
        made->setAutoDefault(false);
        return made;
    };
    exportKept_ = button(QStringLiteral("exportKept"), tr("Export kept..."),
                         tr("Writes the kept samples with all their scores, or their ids"));
    exportRejected_ = button(QStringLiteral("exportRejected"), tr("Export rejected..."),
                             tr("Writes the rejected samples with all their scores and the reason, or their ids"));
    reset_ = button(QStringLiteral("rulesReset"), tr("Reset"),
                    tr("Drops every rule: all samples are kept but those rejected by hand"));
    layout->addWidget(exportKept_, 0, 0);
    layout->addWidget(exportRejected_, 0, 1);
    layout->addWidget(reset_, 1, 0, 1, 2);
    connect(exportKept_, &QPushButton::clicked, this, [this] { emit exportRequested(ExportWhat::Kept); });
    connect(exportRejected_, &QPushButton::clicked, this, [this] { emit exportRequested(ExportWhat::Rejected); });
    connect(reset_, &QPushButton::clicked, this, &RulesPanel::reset);
    return buttons;
}

RuleRow* RulesPanel::rowFor(std::string_view column) const {
    const auto at = std::find_if(rows_.begin(), rows_.end(), [&](RuleRow* row) { return row->columnId() == column; });
    return at == rows_.end() ? nullptr : *at;
}

RuleRow* RulesPanel::addRow(std::string_view id) {
    const Column* column = findColumn(id);
    if (!column || column->side != Side::Synthetic || rowFor(id))
        return nullptr;
    auto* row = new RuleRow(*column, body_);
    if (state().hasModel())
        for (const ColumnValues& values : state().current().columns)
            if (values.id == id)
                showValues(*row, values);
    connect(row, &RuleRow::edited, this, [this] { emit rulesEdited(rules()); });
    rowLayout_->addWidget(row);
    rows_.push_back(row);
    return row;
}

void RulesPanel::showValues(RuleRow& row, const ColumnValues& values) const {
    const auto good = goodSampleValues(*state().audit, state().model, values.id);
    row.setValues(values.values, state().audit->k, good.value_or(std::vector<double>()));
}

void RulesPanel::fillAddMenu() {
    addMenu_->clear();
    for (const Column& column : columnCatalog()) {
        if (column.side != Side::Synthetic || column.unit == Unit::Row || rowFor(column.id))
            continue;
        if (state().hasModel() && !state().current().hasColumn(column.id))
            continue;
        QAction* action = addMenu_->addAction(catalogText(column.title));
        action->setData(catalogText(column.id));
        action->setToolTip(metricToolTip(column.title, column.definition, column.source));
    }
    if (addMenu_->isEmpty())
        addMenu_->addAction(tr("Every score has its rule"))->setEnabled(false);
    addMenu_->setToolTipsVisible(true);
}

FilterRules RulesPanel::rules() const {
    FilterRules result;
    for (const RuleRow* row : rows_)
        if (const auto rule = row->rule())
            result.push_back(*rule);
    result.insert(result.end(), foreign_.begin(), foreign_.end());
    return result;
}

void RulesPanel::setRules(const FilterRules& rules) {
    foreign_.clear();
    std::vector<const RuleRow*> inForce;
    for (const FilterRule& rule : rules) {
        RuleRow* row = rowFor(rule.column);
        if (!row)
            row = addRow(rule.column);
        const bool taken = std::find(inForce.begin(), inForce.end(), row) != inForce.end();
        if (row && !taken)
            row->show(rule);
        // A second bound on the same column, or the bound that the row does not offer, stays in force unseen.
        if (!row || taken || row->rule() != rule) {
            if (row && !taken)
                row->show(std::nullopt);
            foreign_.push_back(rule);
        } else {
            inForce.push_back(row);
        }
    }
    for (RuleRow* row : rows_)
        if (std::find(inForce.begin(), inForce.end(), row) == inForce.end())
            row->show(std::nullopt);
    showCounts();
}

void RulesPanel::showScores(std::shared_ptr<const WhatIfResult> scores) {
    scores_ = std::move(scores);
    scoreTable_->show(state(), scores_.get(), random_.get());
}

void RulesPanel::showRandomScores(std::shared_ptr<const WhatIfResult> scores) {
    random_ = std::move(scores);
    scoreTable_->show(state(), scores_.get(), random_.get());
}

void RulesPanel::reset() {
    if (rules().empty())
        return;
    setRules({});
    emit rulesEdited({});
}

void RulesPanel::stateChanged(const ViewState& previous) {
    pages_->setCurrentIndex(state().hasModel() ? 1 : 0);
    const ModelAudit* before = previous.hasModel() ? &previous.current() : nullptr;
    const ModelAudit* after = state().hasModel() ? &state().current() : nullptr;
    const bool otherGood = previous.audit && state().audit && previous.audit->heldOut != state().audit->heldOut;
    if (after && (before != after || otherGood))
        for (const ColumnValues& values : after->columns)
            if (RuleRow* row = rowFor(values.id))
                showValues(*row, values);
    showCounts();
    if (before != after || !state().kept)
        random_.reset();
    if (before != after || !state().kept)
        scores_.reset(); // of other samples; those of the state that came before stay until the new ones are known
    scoreTable_->show(state(), scores_.get(), random_.get());
}

void RulesPanel::showCounts() {
    const std::size_t total = state().hasModel() ? state().current().set->rows() : 0;
    std::size_t kept = total;
    if (state().hasModel() && state().kept)
        kept = static_cast<std::size_t>(std::count(state().kept->begin(), state().kept->end(), true));
    const auto [keptShare, rejectedShare] = formatParts(kept, total - kept);
    kept_->setText(tr("Kept: <b>%1</b> (%2)").arg(formatCount(kept), keptShare.toHtmlEscaped()));
    QString rejected = tr("Rejected: <b>%1</b> (%2)").arg(formatCount(total - kept), rejectedShare.toHtmlEscaped());
    if (state().hasModel() && state().byHand)
        rejected += tr(", %1 by hand").arg(formatCount(state().byHand->size()));
    rejected_->setText(rejected);
    bar_->setShare(total == 0 ? 1.0 : static_cast<double>(kept) / static_cast<double>(total));
    exportKept_->setEnabled(kept > 0);
    exportRejected_->setEnabled(kept < total);
    showFalseAlarms();
}

/// As falseAlarmRate(), from what the rows hold already: a slider must not wait.
std::optional<double> RulesPanel::shareTaken(const FilterRules& inForce) const {
    std::vector<bool> taken;
    for (const FilterRule& rule : inForce) {
        const RuleRow* row = rowFor(rule.column);
        if (row == nullptr || row->goodValues().empty())
            return std::nullopt;
        const std::vector<double>& good = row->goodValues();
        taken.resize(good.size(), false);
        for (std::size_t at = 0; at < good.size(); ++at)
            if (!satisfies(good[at], rule))
                taken[at] = true;
    }
    return static_cast<double>(std::count(taken.begin(), taken.end(), true)) / static_cast<double>(taken.size());
}

void RulesPanel::showFalseAlarms() {
    const FilterRules inForce = rules();
    falseAlarms_->setVisible(false);
    warning_->setVisible(false);
    if (!state().hasModel() || inForce.empty())
        return;
    const std::optional<double> rate = shareTaken(inForce);
    falseAlarms_->setVisible(rate.has_value());
    if (rate)
        falseAlarms_->setText((state().audit->heldOut ? tr("Of held-out real samples: <b>%1</b> rejected")
                                                      : tr("Of good samples: <b>%1</b> rejected"))
                                  .arg(formatPercent(*rate).toHtmlEscaped()));
    showWarning();
}

/// Whoever rejects more than what is bad rejects good samples.
void RulesPanel::showWarning() {
    const MetricInterval* bad = state().current().interval("estimated_bad");
    if (bad == nullptr || !state().kept)
        return;
    const auto total = static_cast<double>(state().kept->size());
    const double rejected = static_cast<double>(std::count(state().kept->begin(), state().kept->end(), false)) / total;
    constexpr double kSlack = 0.02; // p-values and estimates are not that sharp
    warning_->setVisible(rejected > bad->high + kSlack);
    warning_->setText(tr("More is rejected than seems to be bad: about %1 (%2 to %3). The rest of it are good samples.")
                          .arg(formatPercent(state().current().metric("estimated_bad")), formatPercent(bad->low),
                               formatPercent(bad->high)));
}

} // namespace assay
