#include "widgets/scores/scores_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/scores/scores_table.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace assay {
namespace {

constexpr int kNarrowestBar = 240;

} // namespace

ScoresPanel::ScoresPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("scoresPanel"));
    setContent(makeTablePage(), tr("Every score of every synthetic set is listed here, with its meaning."));
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        table_->rows().search(text);
        showCount();
    });
    connect(search_, &QLineEdit::returnPressed, table_, qOverload<>(&QWidget::setFocus));
    connect(picker_, &QComboBox::activated, this, [this](int at) {
        const QVariant model = picker_->itemData(at);
        compared_ = model.isValid() ? state().audit->models[model.value<std::size_t>()]->name : std::string();
        showComparison();
        emit choicesChanged();
    });
    connect(table_, &TableView::copied, this, &ScoresPanel::sayWhatIsCopied);
    connect(table_, &TableView::opened, this, [this](int /*row*/, int column) { choose(column); });
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &ScoresPanel::choose);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, search_, [this] {
        search_->setFocus();
        search_->selectAll();
    });
}

QString ScoresPanel::searchWords() {
    QStringList words{tr("all scores table")};
    for (const Metric& metric : metricCatalog())
        words << catalogText(metric.synonyms);
    return words.join(QLatin1Char(' '));
}

void ScoresPanel::makePicker(QWidget* bar) {
    pickerTitle_ = new QLabel(tr("Compare with:"), bar);
    picker_ = named<ElidingComboBox>("scoresCompare", bar, 5);
    picker_->setAccessibleName(tr("Compare the current model with"));
    picker_->setToolTip(
        tr("Adds how much each score of the current model differs from that of this one, with its 95 % interval"));
    picker_->setMaximumWidth(240);
    pickerTitle_->setBuddy(picker_);
}

QWidget* ScoresPanel::makeBar() {
    auto* bar = new QWidget(this);
    auto* layout = newLayout<QHBoxLayout>(bar, {6, 4, 6, 4});
    search_ = named<QLineEdit>("scoresSearch", bar);
    search_->setPlaceholderText(tr("Search scores"));
    search_->setToolTip(tr("Lists scores whose name, definition or source contains this text (Ctrl+F)"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(280);
    count_ = named<QLabel>("scoresCount", bar);
    makePicker(bar);
    copyButton_ =
        newButton<QToolButton>("scoresCopy", tr("Copy table"),
                               tr("Copy the table for a spreadsheet, in full precision (Ctrl+C in the table)"), bar);
    connect(copyButton_, &QToolButton::clicked, this, [this] { table_->copy(); });
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
    table_ = new TableView(page);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setSelectionBehavior(QAbstractItemView::SelectItems);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerItem); // no name or number is cut off at the left
    table_->setObjectName(QStringLiteral("scoresTable"));
    table_->setAccessibleName(title());
    sizes_ = named<QLabel>("scoresSizes", page);
    sizes_->setWordWrap(true);
    sizes_->setMargin(6);
    sizes_->hide();
    notes_ = named<QLabel>("scoresNotes", page);
    notes_->setWordWrap(true);
    notes_->setMargin(6);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addWidget(makeBar());
    layout->addWidget(sizes_);
    layout->addWidget(table_, 1);
    layout->addWidget(notes_);
    return page;
}

void ScoresPanel::stateChanged(const Changes& changes) {
    if (!state().hasModel())
        table_->setContent({});
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
    table_->setContent(scoresTable({state().audit, state().model, other}));
    const auto models = static_cast<int>(modelCount());
    const auto current = static_cast<int>(state().model);
    QHeaderView* header = table_->horizontalHeader();
    for (int column = 0; column < header->count(); ++column) // differences stand beside the current model's scores
        header->moveSection(header->visualIndex(column), column < models ? column : current + 1);
    sizes_->setText(other ? sizeCaveat(state().current(), *state().audit->models[*other]) : QString());
    sizes_->setVisible(!sizes_->text().isEmpty());
    if (other)
        table_->scrollToColumn(models);
    table_->scrollToColumn(current);
    showCount();
    showNotes();
}

void ScoresPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitBar();
}

void ScoresPanel::fitBar() {
    const int room = width() / fontMetrics().averageCharWidth();
    pickerTitle_->setVisible(room >= 90 && modelCount() > 1);
    copyButton_->setVisible(room >= 60); // Ctrl+C does it too
}

void ScoresPanel::sayWhatIsCopied() {
    QToolTip::showText(
        table_->mapToGlobal(QPoint(8, 8)),
        tr("Copied: scores %1, models %2")
            .arg(formatCount(static_cast<std::uint64_t>(table_->rows().rowCount())), formatCount(modelCount())),
        table_);
}

void ScoresPanel::choose(int column) {
    const auto chosen = static_cast<std::size_t>(column);
    if (chosen < modelCount() && chosen != state().model)
        host().setModel(chosen);
}

void ScoresPanel::showCount() {
    const auto listed = static_cast<std::uint64_t>(table_->rows().rowCount());
    const auto all = static_cast<std::uint64_t>(table_->content().rows);
    if (listed == 0 && all > 0)
        count_->setText(tr("No score is called that"));
    else
        count_->setText(listed == all ? tr("%1 scores").arg(formatCount(all))
                                      : tr("%1 of %2").arg(formatCount(listed), formatCount(all)));
}

void ScoresPanel::showNotes() {
    QStringList notes{tr("\u2191 higher is better, \u2193 lower is better, \u2192 nearest to that number is best")};
    if (modelCount() > 1)
        notes << tr("\u2022 best of its row, \u25e6 but of a model with (!)");
    if (compared())
        notes << tr("bold difference: its 95 % interval excludes 0");
    std::map<QString, QStringList> absent; // by why
    const bool isComplete =
        std::ranges::all_of(state().audit->models, [](const auto& model) { return model->complete; });
    for (const Metric* metric : absentMetrics(state().audit.get()))
        absent[!isComplete                       ? tr("being computed")
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
