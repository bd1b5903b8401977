#include "widgets/diagnostics/diagnostics_panel.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/diagnostics/diagnostics_tables.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/tables/sample_table.h"

#include <QBoxLayout>
#include <QScrollArea>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kMargin = 6;
constexpr int kSpacing = 12;  // between tables and list
constexpr int kMinList = 120; // height of the list beside the tables

QLabel* caption(const QString& text, const QString& toolTip, QWidget* parent) {
    auto* label = new ElidingLabel(parent);
    label->setText(text);
    label->setToolTip(toolTip);
    makeCaption(label);
    return label;
}

} // namespace

DiagnosticsPanel::DiagnosticsPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("diagnosticsPanel"));
    scroll_ = newScroll(makeBody(), this, Qt::ScrollBarAlwaysOff);
    setContent(scroll_, tr("What inflates density is shown here: how many synthetic samples the real balls hold, and "
                           "which balls hold the most."));
    connect(balls_, &SampleTable::inspectRequested, this,
            [&host](SampleId) { host.showPanel(QStringLiteral("sample")); });
}

QWidget* DiagnosticsPanel::makeBody() {
    auto* body = new QWidget(this);
    answer_ = named<QLabel>("diagnosticsAnswer", body);
    answer_->setWordWrap(true);
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
    columns_->setSpacing(kSpacing);
    columns_->addWidget(makeTables(body), 1);
    columns_->addWidget(makeBalls(body), 1);
    auto* layout = newLayout<QVBoxLayout>(body, {kMargin, kMargin, kMargin, kMargin}, kMargin);
    layout->addWidget(answer_);
    layout->addLayout(columns_, 1);
    return body;
}

QWidget* DiagnosticsPanel::makeTables(QWidget* parent) {
    auto* tables = new QWidget(parent);
    steps_ = new TableView(tables);
    steps_->showWhole();
    steps_->setObjectName(QStringLiteral("densitySteps"));
    steps_->setAccessibleName(tr("Steps from density to clipped density"));
    occupancy_ = new TableView(tables);
    occupancy_->showWhole();
    occupancy_->setObjectName(QStringLiteral("ballOccupancy"));
    occupancy_->setAccessibleName(tr("Occupancy of the real balls"));
    auto* layout = newLayout<QVBoxLayout>(tables, {}, 3);
    layout->addWidget(caption(tr("From density to clipped density"),
                              tr("What each correction takes away (Salvy, Talbot, Thirion, ICLR 2026, tables 3 to 6)"),
                              tables));
    layout->addWidget(steps_);
    layout->addSpacing(kMargin);
    layout->addWidget(caption(tr("Occupancy of the real balls"),
                              tr("How many synthetic samples the balls of the real samples hold, as they are and with "
                                 "clipped radii (Salvy, Talbot, Thirion, ICLR 2026, table 2)"),
                              tables));
    layout->addWidget(occupancy_);
    layout->addStretch(1);
    return tables;
}

QWidget* DiagnosticsPanel::makeBalls(QWidget* parent) {
    auto* part = new QWidget(parent);
    balls_ = new SampleTable(selection(), pictures(), part);
    balls_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    balls_->setObjectName(QStringLiteral("fullestBalls"));
    balls_->setAccessibleName(tr("Fullest balls"));
    auto* layout = newLayout<QVBoxLayout>(part, {}, 3);
    layout->addWidget(caption(tr("Fullest balls"),
                              tr("The real samples whose balls hold most synthetic samples. Outliers with large balls "
                                 "inflate density."),
                              part));
    layout->addWidget(balls_, 1);
    return part;
}

void DiagnosticsPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        showModel();
    else if (changes.shown)
        balls_->showSamples(state(), fullBalls(state()));
}

void DiagnosticsPanel::selectionChanged() {
    const auto row = balls_->followFocus();
    if (!row)
        return;
    const QPoint centre = balls_->mapTo(scroll_->widget(), row->center());
    scroll_->ensureVisible(centre.x(), centre.y(), 0, row->height());
}

void DiagnosticsPanel::showModel() {
    balls_->showSamples(state(), fullBalls(state()));
    if (!state().hasModel())
        return;
    if (state().current().diagnostics.densitySteps.empty()) {
        showMessage(tr("This audit holds no diagnostics of density."));
        return;
    }
    showContent();
    steps_->setContent(densitySteps(state()));
    occupancy_->setContent(ballOccupancy(state()));
    showAnswer();
    balls_->followFocus();
    arrange();
}

void DiagnosticsPanel::showAnswer() {
    const Diagnostics& diagnostics = state().current().diagnostics;
    const double density = diagnostics.densitySteps[0].value;
    const double clipped = diagnostics.densitySteps[1].value;
    QString words = tr("Density is %1; with no radius above the median it is %2.")
                        .arg(formatNumber(density), formatNumber(clipped));
    const std::vector<FullBall>& fullest = diagnostics.fullestBalls;
    if (fullest.empty()) {
        words += QLatin1Char(' ') + tr("No real ball holds a synthetic sample.");
    } else {
        const auto widest = std::ranges::max_element(fullest, {}, &FullBall::radius);
        words += QLatin1Char(' ') + tr("The fullest %1 of %2 balls make up %3 of density.")
                                        .arg(formatCount(fullest.size()), formatCount(state().audit->real->set->rows()),
                                             formatPercent(diagnostics.fullestShare));
        if (std::isfinite(widest->radiusToMedian))
            words += QLatin1Char(' ') +
                     tr("They reach up to %1 times the median radius.").arg(formatNumber(widest->radiusToMedian));
    }
    answer_->setText(words);
    const Metric& metric = *findMetric("density");
    answer_->setToolTip(metricToolTip(metric) +
                        tr("<p>A ball's part is the share of all memberships of synthetic samples in real balls.</p>"));
}

void DiagnosticsPanel::arrange() {
    // Beside each other where there is room for both; below each other everything scrolls as one.
    const int tables = std::max(steps_->sizeHint().width(), occupancy_->sizeHint().width());
    const int room = width() - 2 * kMargin - columns_->spacing();
    const bool wide = room >= tables + balls_->leastWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // By keys, too; in a panel where nothing is out of sight they go to the list at once.
    scroll_->setFocusPolicy(wide ? Qt::NoFocus : Qt::TabFocus);
    steps_->setMinimumWidth(wide ? tables : 0);
    balls_->setMinimumHeight(wide ? kMinList : balls_->heightOf(balls_->rows().rowCount()));
}

void DiagnosticsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

} // namespace assay
