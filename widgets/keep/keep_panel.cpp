#include "widgets/keep/keep_panel.h"

#include "engine/audit/findings/findings.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/good_samples.h"
#include "engine/subsets/rules/set_rules.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/keep/kept_scores.h"
#include "widgets/keep/rule_row.h"
#include "widgets/link/sample_selection.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

/// Columns that have a rule from the start; any other one can be added.
constexpr std::array<std::string_view, 4> kOfferedFirst{"p_any", "fidelity", "pce", "authentic"};

/// The column of this id; null where there is none. Stays valid when an external one is taken away.
std::shared_ptr<const Column> describedColumn(const ViewState& state, const std::string& id) {
    if (const Column* known = findColumn(id))
        return {std::shared_ptr<const void>(), known}; // of the catalogue, which stays
    if (state.hasModel())
        for (const ColumnValues& values : state.current().columns)
            if (values.id == id && values.external)
                return {values.external, &values.external->column()};
    return nullptr;
}

} // namespace

KeepPanel::KeepPanel(PanelHost& host) : Panel(host) {
    body_ = new QWidget(this);
    auto* layout = newLayout<QVBoxLayout>(body_, {8, 6, 8, 8});
    rowLayout_ = new QVBoxLayout;
    rowLayout_->setSpacing(8);
    layout->addWidget(makeMatch());
    layout->addLayout(rowLayout_);
    add_ = newButton<QToolButton>("ruleAdd", tr("Add rule..."),
                                  tr("A rule that most people want, or one on any score, class or tag"), body_);
    add_->setPopupMode(QToolButton::InstantPopup);
    add_->setAutoRaise(true);
    addMenu_ = named<QMenu>("ruleAddMenu", add_);
    add_->setMenu(addMenu_);
    layout->addWidget(add_, 0, Qt::AlignLeft);
    layout->addWidget(makeCounts());
    scoreTable_ = new KeptScores(body_);
    layout->addWidget(scoreTable_);
    layout->addWidget(makeLost());
    layout->addStretch(1);
    setMinimumWidth(240); // narrower, and buttons and numbers would be cut off
    auto* scroll = newScroll(body_, this, Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(this);
    auto* pageLayout = newLayout<QVBoxLayout>(page, {}, 0);
    pageLayout->addWidget(scroll, 1);
    pageLayout->addWidget(makeButtons()); // below what scrolls: always within reach
    setContent(page, tr("Thresholds on the scores decide here which synthetic samples to keep."));
    for (std::string_view column : kOfferedFirst)
        addRow(std::string(column));
    tabInLayoutOrder(body_);
    connect(addMenu_, &QMenu::aboutToShow, this, &KeepPanel::fillAddMenu);
}

QWidget* KeepPanel::makeMatch() {
    match_ = new QWidget(body_);
    auto* layout = newLayout<QHBoxLayout>(match_);
    auto* label = new QLabel(tr("Keep what passes"), match_);
    matchChoice_ = named<ElidingComboBox>("ruleMatch", match_, 4);
    matchChoice_->addItem(tr("every rule"), static_cast<int>(RuleMatch::All));
    matchChoice_->addItem(tr("one of the rules"), static_cast<int>(RuleMatch::Any));
    matchChoice_->setToolTip(tr("Keep samples that pass all rules, or any rule"));
    label->setBuddy(matchChoice_);
    layout->addWidget(label);
    layout->addWidget(matchChoice_, 1);
    connect(matchChoice_, &QComboBox::activated, this, [this] { host().setRules(rules()); });
    match_->hide();
    return match_;
}

QWidget* KeepPanel::makeCounts() {
    auto* counts = new QWidget(body_);
    auto* layout = newLayout<QVBoxLayout>(counts, {0, 4, 0, 4}, 3);
    kept_ = named<QLabel>("keptCount", counts);
    bar_ = new KeptBar(counts);
    rejected_ = named<QLabel>("rejectedCount", counts);
    layout->addWidget(kept_);
    layout->addWidget(bar_);
    falseAlarms_ = named<QLabel>("falseAlarms", counts);
    falseAlarms_->setToolTip(
        tr("<b>False alarms</b><br>How many good samples the rules would reject. Good samples are the held-out set, or "
           "without one the real set, each sample left out of its own neighbours. Rules that reject a much larger "
           "share of a model's samples have found something."));
    warning_ = named<QLabel>("rulesWarning", counts);
    warning_->setWordWrap(true);
    warning_->hide();
    for (QLabel* line : {kept_, rejected_, falseAlarms_})
        line->setWordWrap(true); // numbers of seven digits in a narrow panel
    layout->addWidget(rejected_);
    layout->addWidget(falseAlarms_);
    layout->addWidget(warning_);
    return counts;
}

QWidget* KeepPanel::makeLost() {
    lostRow_ = new QWidget(body_);
    auto* layout = newLayout<QGridLayout>(lostRow_, {0, 0, 0, 4});
    lostText_ = named<QLabel>("coverageLost", lostRow_);
    lostText_->setWordWrap(true);
    lostText_->setToolTip(
        tr("Real samples that only rejected samples cover: every sample of this model in their ball is rejected"));
    const auto button = [&](const char* name, const QString& text, const QString& toolTip, auto act) {
        auto* made = newButton<QPushButton>(name, text, toolTip, lostRow_);
        connect(made, &QPushButton::clicked, this, act);
        return made;
    };
    layout->addWidget(lostText_, 0, 0, 1, 2);
    layout->addWidget(
        button("showLost", tr("Select them"), tr("Selects the real samples that are not covered any more"),
               [this] { selection()->replace(SampleSet(SetId::Real, state().computed.coverageLost->real)); }),
        1, 0);
    layout->addWidget(button("protectCoverers", tr("Keep their coverers"),
                             tr("Keeps the nearest sample of each by hand, whatever the rules say"),
                             [this] {
                                 host().judge(SampleSet(state().currentSet(), state().computed.coverageLost->coverers),
                                              HandVerdict::Accepted);
                             }),
                      1, 1);
    lostRow_->hide();
    return lostRow_;
}

void KeepPanel::showTable() {
    const Computed& known = state().computed;
    const bool hasAudits = known.keptAudits && known.keptAudits->kept;
    scoreTable_->show(state(), known.keptScores.get(), known.randomScores.get(),
                      hasAudits ? known.keptAudits.get() : nullptr, known.keptFrechet.get());
}

void KeepPanel::showLost() {
    const auto& lost = state().computed.coverageLost;
    lostRow_->setVisible(lost && !lost->real.empty());
    if (lost && !lost->real.empty())
        lostText_->setText(
            lost->real.size() == 1
                ? tr("One real sample is covered by rejected samples alone.")
                : tr("%1 real samples are covered by rejected samples alone.").arg(formatCount(lost->real.size())));
}

QWidget* KeepPanel::makeButtons() {
    auto* buttons = new QWidget(this);
    auto* layout = newLayout<QGridLayout>(buttons, {8, 6, 8, 8});
    const auto button = [&](const QString& name, const QString& text, const QString& toolTip) {
        auto* made = new QPushButton(text, buttons);
        made->setObjectName(name);
        made->setToolTip(toolTip);
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
    propose_ = button(QStringLiteral("rulesPropose"), tr("Propose..."),
                      tr("Finds which samples to remove for a fidelity or a Fréchet distance that you choose"));
    layout->addWidget(propose_, 1, 0);
    layout->addWidget(reset_, 1, 1);
    connect(propose_, &QPushButton::clicked, this, [this] { host().run(PanelCommand::ProposeRemoval); });
    connect(exportKept_, &QPushButton::clicked, this, [this] { host().exportSamples(ExportWhat::Kept); });
    connect(exportRejected_, &QPushButton::clicked, this, [this] { host().exportSamples(ExportWhat::Rejected); });
    connect(reset_, &QPushButton::clicked, this, &KeepPanel::reset);
    return buttons;
}

RuleRow* KeepPanel::addRow(const std::string& id) {
    const std::shared_ptr<const Column> column = describedColumn(state(), id);
    const bool known = column ? column->side == Side::Synthetic : isWordRule(id) || findSetRule(id) != nullptr;
    if (!known)
        return nullptr;
    QString name = QString::fromStdString(id);
    const auto same = std::ranges::count_if(rows_, [&](const RuleRow* row) { return row->columnId() == id; });
    if (same > 0)
        name += QStringLiteral("_%1").arg(same + 1);
    auto* row = new RuleRow(id, column, name, body_);
    showWords(*row);
    showValues(*row);
    connect(row, &RuleRow::edited, this, [this] { host().setRules(rules()); });
    connect(row, &RuleRow::removeRequested, this, [this, row] { removeRow(row); });
    rowLayout_->addWidget(row);
    rows_.push_back(row);
    tabInLayoutOrder(body_);
    return row;
}

void KeepPanel::removeRow(RuleRow* row) {
    const bool inForce = row->rule().has_value();
    dropRow(row);
    if (inForce)
        host().setRules(rules());
}

void KeepPanel::dropRow(RuleRow* row) {
    std::erase(rows_, row);
    row->hide();
    row->deleteLater(); // its menu may have sent this
}

/// Whether the row is there from the start.
bool KeepPanel::isOffered(const RuleRow* row) const {
    const auto first =
        std::ranges::find_if(rows_, [&](const RuleRow* other) { return other->columnId() == row->columnId(); });
    return *first == row && std::ranges::find(kOfferedFirst, row->columnId()) != kOfferedFirst.end();
}

void KeepPanel::showValues(RuleRow& row) const {
    if (!state().hasModel() || !state().current().hasColumn(row.columnId()))
        return;
    auto good = goodSampleValues(*state().audit, state().model, row.columnId());
    row.setValues({state().audit, &state().current().column(row.columnId())}, state().audit->k,
                  std::move(good).value_or(std::vector<double>()));
}

/// The classes and groups of the model, and the tags by name.
void KeepPanel::showWords(RuleRow& row) const {
    std::vector<std::string> words;
    QStringList titles;
    if (row.columnId() == kTagRule) {
        for (int tag = 1; tag <= kTags; ++tag) {
            words.push_back(std::to_string(tag));
            titles << QString::fromStdString(state().tagName(tag));
        }
    } else if (isWordRule(row.columnId()) && state().hasModel()) {
        const bool isClass = row.columnId() == kClassRule;
        const EmbeddingSet& set = *state().current().set;
        for (const std::string& name : (isClass ? set.labels() : set.groups()).names) {
            words.push_back(name);
            titles << (!name.empty() ? QString::fromStdString(name) : isClass ? tr("no class") : tr("no group"));
        }
    } else {
        return;
    }
    row.setWords(words, titles);
}

/// A row of this rule, in force.
void KeepPanel::putInForce(const FilterRule& rule) {
    const auto free =
        std::ranges::find_if(rows_, [&](const RuleRow* row) { return row->columnId() == rule.column && !row->rule(); });
    RuleRow* row = free != rows_.end() ? *free : addRow(rule.column);
    if (!row)
        return;
    row->show(rule);
    row->setFocus();
    host().setRules(rules());
}

void KeepPanel::addReady(QMenu& menu) {
    const auto fits = [this](const std::string& column) {
        if (!state().hasModel())
            return false;
        if (const SetRule* onSet = findSetRule(column))
            return !onSet->needsClasses ||
                   (state().current().set->hasLabels() && state().audit->real->set->hasLabels());
        return state().current().hasColumn(column);
    };
    for (const ReadyRule& ready : readyRules()) {
        QAction* action = menu.addAction(catalogText(ready.title));
        action->setObjectName(QStringLiteral("ruleReady_%1").arg(catalogText(ready.id)));
        action->setEnabled(fits(ready.rule.column));
        connect(action, &QAction::triggered, this, [this, rule = ready.rule] { putInForce(rule); });
    }
}

void KeepPanel::fillAddMenu() {
    addMenu_->clear();
    addMenu_->setToolTipsVisible(true);
    addReady(*addMenu_);
    addMenu_->addSeparator();
    const auto add = [this](const std::string& id, const QString& text, const QString& toolTip) {
        QAction* action = addMenu_->addAction(text);
        action->setData(QString::fromStdString(id));
        action->setToolTip(toolTip);
        connect(action, &QAction::triggered, this, [this, id] {
            if (RuleRow* row = addRow(id)) {
                row->switchOn(); // whoever adds a rule wants it
                row->setFocus();
            }
        });
    };
    if (state().hasModel() && state().current().set->hasLabels())
        add(std::string(kClassRule), tr("Class"), tr("Rejects or keeps one class"));
    if (state().hasModel() && state().current().set->hasGroups())
        add(std::string(kGroupRule), tr("Group"), tr("Rejects or keeps the samples of one group"));
    add(std::string(kTagRule), tr("Tag"), tr("Rejects or keeps what has a tag"));
    for (const Column* column : state().columns())
        if (column->side == Side::Synthetic && column->unit != Unit::Row)
            add(std::string(column->id), catalogText(column->title), metricToolTip(*column));
    addMenu_->addSeparator();
    connect(addMenu_->addAction(tr("Load rules...")), &QAction::triggered, this,
            [this] { host().run(PanelCommand::LoadRules); });
    QAction* save = addMenu_->addAction(tr("Save rules..."));
    save->setEnabled(!rules().empty());
    connect(save, &QAction::triggered, this, [this] { host().run(PanelCommand::SaveRules); });
}

FilterRules KeepPanel::rules() const {
    FilterRules result;
    for (const RuleRow* row : rows_)
        if (const auto rule = row->rule())
            result.list.push_back(*rule);
    if (result.list.size() > 1)
        result.match = static_cast<RuleMatch>(matchChoice_->currentData().toInt());
    return result;
}

void KeepPanel::setRules(const FilterRules& rules) {
    std::vector<const RuleRow*> taken;
    const auto isFree = [&](const RuleRow* row) { return std::ranges::find(taken, row) == taken.end(); };
    for (const FilterRule& rule : rules.list) {
        const auto at = std::ranges::find_if(
            rows_, [&](const RuleRow* row) { return row->columnId() == rule.column && isFree(row); });
        RuleRow* row = at != rows_.end() ? *at : addRow(rule.column);
        if (!row)
            continue;
        row->show(rule);
        taken.push_back(row);
    }
    for (RuleRow* row : std::vector<RuleRow*>(rows_)) {
        if (!isFree(row))
            continue;
        // A rule that was taken back takes its row along. One that a person has switched off stays within reach.
        const bool takenBack = row->rule().has_value() && !isOffered(row);
        row->show(std::nullopt);
        if (takenBack)
            dropRow(row);
    }
    if (rules.list.size() > 1)
        matchChoice_->setCurrentIndex(matchChoice_->findData(static_cast<int>(rules.match)));
    showCounts();
}

void KeepPanel::reset() {
    if (rules().empty())
        return;
    setRules({});
    host().setRules({});
}

void KeepPanel::stateChanged(const Changes& changes) {
    const ModelAudit* model = state().hasModel() ? &state().current() : nullptr;
    if (changes.real)
        for (RuleRow* row : std::vector<RuleRow*>(rows_))
            if (!row->rule() && !isOffered(row))
                dropRow(row); // it was about another audit
    for (RuleRow* row : std::vector<RuleRow*>(rows_))
        if (isExternal(row->columnId()) && model && !model->hasColumn(row->columnId()))
            dropRow(row); // the table was taken away, and the rule with it
    for (RuleRow* row : rows_) {
        if (model && (changes.model || changes.heldOut))
            showValues(*row);
        if (changes.model || changes.tagNames)
            showWords(*row);
    }
    if (changes.rules)
        setRules(state().rules ? *state().rules : FilterRules());
    showCounts();
    showLost();
    showTable();
}

void KeepPanel::showCounts() {
    const std::size_t total = state().hasModel() ? state().current().set->rows() : 0;
    std::size_t kept = total;
    if (state().hasModel() && state().kept)
        kept = static_cast<std::size_t>(std::count(state().kept->begin(), state().kept->end(), true));
    const auto [keptShare, rejectedShare] = formatParts(kept, total - kept);
    kept_->setText(tr("Kept: <b>%1</b> (%2)").arg(formatCount(kept), keptShare.toHtmlEscaped()));
    QString rejected = tr("Rejected: <b>%1</b> (%2)").arg(formatCount(total - kept), rejectedShare.toHtmlEscaped());
    if (state().hasModel() && state().rejectedByHand)
        rejected += tr(", %1 by hand").arg(formatCount(state().rejectedByHand->size()));
    rejected_->setText(rejected);
    bar_->setShare(total == 0 ? 1.0 : static_cast<double>(kept) / static_cast<double>(total));
    exportKept_->setEnabled(kept > 0);
    exportRejected_->setEnabled(kept < total);
    showFailing();
    showFalseAlarms();
}

/// How many samples each rule rejects, once that is known of the rules as they are shown.
void KeepPanel::showFailing() {
    match_->setVisible(rules().list.size() > 1);
    const auto& failing = state().failingRules;
    const bool known = state().hasModel() && failing && failing->size() == rules().list.size();
    std::size_t at = 0;
    for (RuleRow* row : rows_)
        row->setFailing(known && row->rule() ? std::optional((*failing)[at++]) : std::nullopt,
                        known ? state().current().set->rows() : 0);
}

/// As falseAlarmRate(), from what the rows hold already: a slider must not wait.
std::optional<double> KeepPanel::shareTaken(const FilterRules& inForce) const {
    std::vector<bool> kept;
    for (const RuleRow* row : rows_) {
        const std::optional<FilterRule> rule = row->rule();
        if (!rule)
            continue;
        const std::vector<double>& good = row->goodValues();
        if (good.empty() || !state().current().hasColumn(rule->column))
            return std::nullopt;
        const bool all = inForce.match == RuleMatch::All;
        const RuleRange range = rangeOf(*rule, state().current().column(rule->column));
        kept.resize(good.size(), all);
        for (std::size_t at = 0; at < good.size(); ++at)
            kept[at] = all ? kept[at] && range.keeps(good[at]) : kept[at] || range.keeps(good[at]);
    }
    return static_cast<double>(std::count(kept.begin(), kept.end(), false)) / static_cast<double>(kept.size());
}

void KeepPanel::showFalseAlarms() {
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
void KeepPanel::showWarning() {
    const ModelAudit& model = state().current();
    const MetricInterval* bad = model.interval("bad_share");
    if (bad == nullptr || !state().kept)
        return;
    const auto total = static_cast<double>(state().kept->size());
    const double rejected = static_cast<double>(std::count(state().kept->begin(), state().kept->end(), false)) / total;
    constexpr double kSlack = 0.02; // p-values and estimates are not that sharp
    warning_->setVisible(rejected > bad->high + kSlack);
    warning_->setText(tr("You reject more than the estimated bad share, %1 (%2 to %3); the excess is probably good.")
                          .arg(formatPercent(model.metric("bad_share")), formatPercent(std::max(bad->low, 0.0)),
                               formatPercent(std::min(bad->high, 1.0))));
}

} // namespace assay
