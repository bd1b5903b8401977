#include "widgets/extremes/extremes_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/tables/table_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kSamplesShown = 12;

/// Rows by value, the largest first; without a value last.
std::vector<std::uint32_t> largestFirst(const std::vector<double>& values) {
    std::vector<std::uint32_t> rows(values.size());
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        rows[row] = row;
    std::ranges::stable_sort(rows, [&](auto a, auto b) { return values[a] > values[b] || values[b] != values[b]; });
    return rows;
}

} // namespace

ExtremesPanel::ExtremesPanel(PanelHost& host) : Panel(host) {
    auto* page = new QWidget(this);
    table_ = named<TableView>("extremesTable", page);
    plot_ = new Plot(page);
    wall_ = new SampleGrid(selection(), pictures(), GridLook{}, page);
    auto* right = newLayout<QVBoxLayout>();
    right->addWidget(plot_, 1);
    right->addWidget(wall_, 1);
    auto* layout = newLayout<QHBoxLayout>(page);
    layout->addWidget(table_, 1);
    layout->addLayout(right, 2);
    setContent(page, tr("The samples with the largest value of each score are shown here."));
    connect(table_, &TableView::rowChosen, this, &ExtremesPanel::showColumn);
    connect(plot_, &Plot::themed, this, &ExtremesPanel::showColumn);
    connect(wall_, &SampleGrid::inspectRequested, this, [this](SampleId sample) { this->host().inspect(sample); });
}

void ExtremesPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        showScores();
    else if (changes.shown)
        showColumn();
    else
        wall_->setState(state());
}

void ExtremesPanel::showScores() {
    columns_.clear();
    for (const Column& column : columnCatalog())
        if (state().hasModel() && column.side == Side::Synthetic && column.unit != Unit::Row &&
            state().current().hasColumn(column.id))
            columns_.push_back(&column);
    const auto of = cellsOf(columns_);
    table_->setContent(
        {.rows = static_cast<int>(columns_.size()),
         .columns = {{.title = tr("Score"),
                      .cell = of([](const Column* column) { return textCell(catalogText(column->title)); }),
                      .side = Qt::AlignLeft},
                     {.title = tr("Largest"), .cell = of([this](const Column* column) {
                                                  const double most =
                                                      std::ranges::max(state().current().column(column->id));
                                                  return cellOf(formatValue(most, *column), most);
                                              })}}});
    table_->showRow(0);
    showColumn();
}

void ExtremesPanel::showColumn() {
    if (columns_.empty() || table_->currentRow() < 0)
        return;
    const Column& column = *columns_[static_cast<std::size_t>(table_->currentRow())];
    const std::vector<double>& values = state().current().column(column.id);
    PlotSeries line{.line = QPen(colors::synthetic(palette()), 2.0), .pick = PlotSeries::Pick::Nothing};
    std::vector<SampleId> samples;
    ValueRange range;
    range.include(values);
    for (const std::uint32_t row : largestFirst(values)) {
        line.points.emplace_back(static_cast<double>(line.points.size() + 1), values[row]);
        if (const SampleId sample{state().currentSet(), row}; samples.size() < kSamplesShown && state().isShown(sample))
            samples.push_back(sample);
    }
    plot_->show(
        {.x = {tr("Rank"), 0.0, static_cast<double>(values.size()), static_cast<double>(values.size()) / 4.0, 0},
         .y = fittedAxis(catalogText(column.title), range),
         .series = {line}});
    wall_->setCells(state(), GridList::singles(samples));
}

} // namespace assay
