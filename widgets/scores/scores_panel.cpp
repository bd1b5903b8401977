#include "widgets/scores/scores_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/scores/scores_model.h"
#include "widgets/scores/scores_table.h"
#include "widgets/text/model_summary.h"
#include "widgets/text/score_difference.h"
#include "widgets/text/score_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <map>

namespace assay {
namespace {

constexpr int kNarrowestBar = 240;

} // namespace

ScoresPanel::ScoresPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("scoresPanel"));
    model_ = new ScoresModel(this);
    found_ = new QSortFilterProxyModel(this);
    found_->setSourceModel(model_);
    found_->setFilterRole(ScoresModel::SearchRole);
    found_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    found_->setFilterKeyColumn(0);
    setContent(makeTablePage(), tr("Every score of every synthetic set is listed here, with its meaning."));
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        found_->setFilterFixedString(text.trimmed());
        showCount();
    });
    connect(search_, &QLineEdit::returnPressed, table_, qOverload<>(&QWidget::setFocus));
    connect(picker_, &QComboBox::activated, this, [this](int at) {
        const QVariant model = picker_->itemData(at);
        compared_ = model.isValid() ? state().audit->models[model.value<std::size_t>()]->name : std::string();
        showComparison();
        emit choicesChanged();
    });
    connect(table_, &ScoresTable::copyRequested, this, &ScoresPanel::copy);
    connect(table_, &ScoresTable::modelChosen, this, &ScoresPanel::choose);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, search_, [this] {
        search_->setFocus();
        search_->selectAll();
    });
}

void ScoresPanel::makePicker(QWidget* bar) {
    pickerTitle_ = new QLabel(tr("Compare with:"), bar);
    picker_ = new ElidingComboBox(bar);
    picker_->setObjectName(QStringLiteral("scoresCompare"));
    picker_->setAccessibleName(tr("Compare the current model with"));
    picker_->setToolTip(
        tr("Adds how much each score of the current model differs from that of this one, with its 95 % interval"));
    picker_->setMinimumContentsLength(5);
    picker_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    picker_->setMaximumWidth(240);
    pickerTitle_->setBuddy(picker_);
}

QWidget* ScoresPanel::makeBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(6, 4, 6, 4);
    search_ = new QLineEdit(bar);
    search_->setObjectName(QStringLiteral("scoresSearch"));
    search_->setPlaceholderText(tr("Search scores"));
    search_->setToolTip(tr("Lists scores whose name, definition or source contains this text (Ctrl+F)"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(280);
    count_ = new QLabel(bar);
    count_->setObjectName(QStringLiteral("scoresCount"));
    makePicker(bar);
    copyButton_ = new QToolButton(bar);
    copyButton_->setObjectName(QStringLiteral("scoresCopy"));
    copyButton_->setText(tr("Copy table"));
    copyButton_->setToolTip(tr("Copy the table for a spreadsheet, in full precision (Ctrl+C in the table)"));
    connect(copyButton_, &QToolButton::clicked, this, &ScoresPanel::copy);
    layout->addWidget(search_, 1);
    layout->addWidget(count_);
    layout->addSpacing(6);
    layout->addWidget(pickerTitle_);
    layout->addWidget(picker_, 1);
    layout->addWidget(copyButton_);
    bar->setMinimumWidth(kNarrowestBar); // what can be done without goes first: fitBar()
    return bar;
}

QWidget* ScoresPanel::makeTablePage() {
    auto* page = new QWidget(this);
    table_ = new ScoresTable(found_, page);
    table_->setObjectName(QStringLiteral("scoresTable"));
    table_->setAccessibleName(title());
    sizes_ = new QLabel(page);
    sizes_->setObjectName(QStringLiteral("scoresSizes"));
    sizes_->setWordWrap(true);
    sizes_->setMargin(6);
    sizes_->hide();
    notes_ = new QLabel(page);
    notes_->setObjectName(QStringLiteral("scoresNotes"));
    notes_->setWordWrap(true);
    notes_->setMargin(6);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(sizes_);
    layout->addWidget(table_, 1);
    layout->addWidget(notes_);
    return page;
}

void ScoresPanel::stateChanged(const Changes& changes) {
    if (changes.audit) {
        model_->setAudit(state().audit);
        table_->fitColumns();
        showCount();
    }
    if (!state().hasModel() || (!changes.audit && !changes.model))
        return;
    // The two models swap: a comparison of a model with itself has no content.
    if (!changes.audit && compared_ == state().current().name)
        compared_ = changes.before.current().name;
    showPicker();
    showComparison();
}

QJsonObject ScoresPanel::saveState() const {
    return {{QStringLiteral("compared"), QString::fromStdString(compared_)}};
}

void ScoresPanel::restoreState(const QJsonObject& state) {
    compared_ = state.value(QStringLiteral("compared")).toString(QString::fromStdString(compared_)).toStdString();
    if (this->state().hasModel()) {
        showPicker();
        showComparison();
    }
}

std::optional<std::size_t> ScoresPanel::compared() const {
    const auto& models = state().audit->models;
    for (std::size_t m = 0; m < models.size(); ++m)
        if (m != state().model && models[m]->name == compared_)
            return m;
    return std::nullopt;
}

void ScoresPanel::showPicker() {
    const QSignalBlocker quiet(picker_);
    const auto& models = state().audit->models;
    picker_->clear();
    picker_->addItem(tr("no other model"));
    for (std::size_t m = 0; m < models.size(); ++m)
        if (m != state().model)
            picker_->addItem(markedName(*models[m]), QVariant::fromValue(m));
    const auto other = compared();
    picker_->setCurrentIndex(other ? picker_->findData(QVariant::fromValue(*other)) : 0);
    picker_->setVisible(models.size() > 1);
    fitBar();
}

void ScoresPanel::showComparison() {
    const auto other = compared();
    const auto current = static_cast<int>(state().model);
    model_->setCurrent(state().model, other);
    sizes_->setVisible(false);
    if (other) {
        const int column = model_->modelCount();
        table_->fitColumn(column);
        table_->placeBeside(column, current);
        table_->scrollToModel(column);
        sizes_->setText(sizeCaveat(state().current(), *state().audit->models[*other]));
        sizes_->setVisible(!sizes_->text().isEmpty());
    }
    table_->scrollToModel(current);
    showNotes();
}

void ScoresPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitBar();
}

void ScoresPanel::fitBar() {
    const int room = width() / fontMetrics().averageCharWidth();
    pickerTitle_->setVisible(room >= 90 && model_->modelCount() > 1);
    copyButton_->setVisible(room >= 60); // Ctrl+C does it too
}

std::vector<int> ScoresPanel::listedRows() const {
    std::vector<int> rows;
    for (int row = 0; row < found_->rowCount(); ++row)
        rows.push_back(found_->mapToSource(found_->index(row, 0)).row());
    return rows;
}

void ScoresPanel::copy() {
    const std::vector<int> rows = listedRows();
    QApplication::clipboard()->setText(model_->toTsv(rows));
    QToolTip::showText(
        table_->mapToGlobal(QPoint(8, 8)),
        tr("Copied: scores %1, models %2")
            .arg(formatCount(rows.size()), formatCount(static_cast<std::uint64_t>(model_->modelCount()))),
        table_);
}

void ScoresPanel::choose(int column) {
    const auto chosen = static_cast<std::size_t>(column);
    if (!model_->isDifference(column) && chosen != state().model)
        host().setModel(chosen);
}

void ScoresPanel::showCount() {
    const auto listed = static_cast<std::uint64_t>(found_->rowCount());
    const auto all = static_cast<std::uint64_t>(model_->rowCount());
    if (listed == 0 && all > 0)
        count_->setText(tr("No score is called that"));
    else
        count_->setText(listed == all ? tr("%1 scores").arg(formatCount(all))
                                      : tr("%1 of %2").arg(formatCount(listed), formatCount(all)));
}

void ScoresPanel::showNotes() {
    QStringList notes{tr("\u2191 higher is better, \u2193 lower is better, \u2192 nearest to that number is best")};
    if (model_->modelCount() > 1)
        notes << tr("\u2022 best of its row, \u25e6 but of a model with (!)");
    if (compared())
        notes << tr("bold difference: its 95 % interval excludes 0");
    std::map<QString, QStringList> absent; // by why
    for (const Metric* metric : model_->absent())
        absent[!model_->isComplete()             ? tr("being computed")
               : metric->needs == needs::kTables ? tr("not computed")
                                                 : tr("more with %1").arg(needsText(metric->needs))]
            << catalogText(metric->title);
    QStringList names;
    for (const auto& [why, titles] : absent) {
        notes << tr("%1: %2").arg(why, formatCount(static_cast<std::uint64_t>(titles.size())));
        names << titles;
    }
    notes_->setText(notes.join(QStringLiteral("  \u00b7  ")));
    notes_->setToolTip(names.isEmpty() ? QString() : tr("Not here: %1").arg(names.join(QStringLiteral(", "))));
}

} // namespace assay
