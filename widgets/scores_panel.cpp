#include "widgets/scores_panel.h"

#include "widgets/hint_label.h"
#include "widgets/number_format.h"
#include "widgets/score_text.h"
#include "widgets/scores_model.h"
#include "widgets/scores_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <map>

namespace assay {

ScoresPanel::ScoresPanel(SampleSelection* selection, QWidget* parent) : LinkedView(selection, parent) {
    setObjectName(QStringLiteral("scoresPanel"));
    model_ = new ScoresModel(this);
    found_ = new QSortFilterProxyModel(this);
    found_->setSourceModel(model_);
    found_->setFilterRole(ScoresModel::SearchRole);
    found_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    found_->setFilterKeyColumn(0);
    hint_ = new QLabel(tr("Every score of every synthetic set would be listed here, with its meaning.\n"
                          "Open a real and a synthetic set to begin."),
                       this);
    hint_->setObjectName(QStringLiteral("scoresHint"));
    makeHint(hint_);
    pages_ = new QStackedLayout(this);
    pages_->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(hint_);
    pages_->addWidget(makeTablePage());
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        found_->setFilterFixedString(text.trimmed());
        showCount();
    });
    connect(search_, &QLineEdit::returnPressed, table_, qOverload<>(&QWidget::setFocus));
    connect(table_, &ScoresTable::copyRequested, this, &ScoresPanel::copy);
    connect(table_, &ScoresTable::modelChosen, this, &ScoresPanel::choose);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, search_, [this] {
        search_->setFocus();
        search_->selectAll();
    });
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
    auto* copyButton = new QToolButton(bar);
    copyButton->setObjectName(QStringLiteral("scoresCopy"));
    copyButton->setText(tr("Copy table"));
    copyButton->setToolTip(tr("Copies what is listed for a spreadsheet, in full precision (Ctrl+C in the table)"));
    connect(copyButton, &QToolButton::clicked, this, &ScoresPanel::copy);
    layout->addWidget(search_, 1);
    layout->addWidget(count_);
    layout->addStretch(0);
    layout->addWidget(copyButton);
    return bar;
}

QWidget* ScoresPanel::makeTablePage() {
    auto* page = new QWidget(this);
    table_ = new ScoresTable(found_, page);
    table_->setObjectName(QStringLiteral("scoresTable"));
    table_->setAccessibleName(title());
    notes_ = new QLabel(page);
    notes_->setObjectName(QStringLiteral("scoresNotes"));
    notes_->setWordWrap(true);
    notes_->setMargin(6);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(table_, 1);
    layout->addWidget(notes_);
    return page;
}

void ScoresPanel::stateChanged(const ViewState& previous) {
    if (previous.audit != state().audit) {
        model_->setAudit(state().audit);
        table_->fitColumns();
        showCount();
        showNotes();
    }
    const bool any = model_->columnCount() > 0;
    pages_->setCurrentIndex(any ? 1 : 0);
    if (!any)
        return;
    model_->setCurrent(state().model);
    if (previous.audit != state().audit || previous.model != state().model)
        table_->scrollToModel(static_cast<int>(state().model));
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
            .arg(formatCount(rows.size()), formatCount(static_cast<std::uint64_t>(model_->columnCount()))),
        table_);
}

void ScoresPanel::choose(int column) {
    const auto chosen = static_cast<std::size_t>(column);
    if (chosen != state().model)
        emit modelChosen(chosen);
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
    if (model_->columnCount() > 1)
        notes << tr("\u2022 best of its row, \u25e6 but of a model with (!)");
    std::map<Needs, QStringList> absent;
    for (const Metric* metric : model_->absent())
        absent[metric->needs] << catalogText(metric->title);
    QStringList names;
    for (const auto& [needs, titles] : absent) {
        const QString count = formatCount(static_cast<std::uint64_t>(titles.size()));
        notes << (needs == Needs::Tables ? tr("not computed: %1").arg(count)
                                         : tr("more with %1: %2").arg(needsText(needs), count));
        names << titles;
    }
    notes_->setText(notes.join(QStringLiteral("  \u00b7  ")));
    notes_->setToolTip(names.isEmpty() ? QString() : tr("Not here: %1").arg(names.join(QStringLiteral(", "))));
}

} // namespace assay
