#include "widgets/useful/useful_panel.h"

#include "engine/audit/findings/findings.h"
#include "engine/data/brief_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/tables/heat_table.h"
#include "widgets/useful/useful_content.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kRoomForColumns = 560; // in logical pixels
constexpr int kMinForColumns = 440;  // where there is no height to stack parts, either
constexpr int kLow = 380;
constexpr int kMinTable = 150; // height of a table below others
constexpr int kMinBeside = 48; // height of one beside others
constexpr double kSmall = 0.9; // type of the matrix: ten classes fit a panel of usual width
constexpr const char* kCurveBy = "fidelity";

} // namespace

/// What the colours of errors mean.
class UsefulPanel::HeatLegend : public QWidget {
public:
    using QWidget::QWidget;

    /// @param largest share that the strongest colour stands for; 0: nothing is drawn
    void showLargest(double largest) {
        largest_ = largest;
        update();
    }

    QSize sizeHint() const override { return {160, fontMetrics().height() + 6}; }
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        if (largest_ <= 0.0)
            return;
        QPainter painter(this);
        const int wide = std::min(90, width() / 3);
        for (int x = 0; x < wide; ++x)
            painter.fillRect(6 + x, 4, 1, height() - 8, colors::amount(static_cast<double>(x) / wide, palette()));
        painter.setPen(colors::mutedText(palette()));
        painter.drawText(rect().adjusted(wide + 12, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         UsefulPanel::tr("errors, up to %1 of a class").arg(formatPercent(largest_)));
    }

private:
    double largest_ = 0.0;
};

namespace {

QLabel* caption(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    makeCaption(label);
    label->setContentsMargins(6, 4, 6, 0);
    return label;
}

} // namespace

UsefulPanel::UsefulPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("usefulPanel"));
    setContent(makePage(), usefulHint(state()));
    connect(table_, &TableView::chosenChanged, this, &UsefulPanel::selectClasses);
    connect(cells_, &HeatTable::chosenChanged, this, &UsefulPanel::selectCells);
    showModel();
}

QWidget* UsefulPanel::makePage() {
    auto* page = new QWidget(this);
    sentence_ = named<WrappingLabel>("usefulSentence", page);
    kept_ = named<WrappingLabel>("usefulKept", page);
    curve_ = newButton<QPushButton>(
        "usefulCurve", tr("Discarding curve"),
        tr("Shows in Curves how usefulness changes as the samples of the lowest fidelity are discarded, "
           "beside as many discarded at random. Computed first where it is missing, which takes about "
           "twenty trainings for each model"),
        page);
    connect(curve_, &QPushButton::clicked, this, [this] { host().showUsefulCurve(kCurveBy); });
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(sentence_);
    words->addWidget(kept_);
    bar_ = new QBoxLayout(QBoxLayout::LeftToRight);
    bar_->setContentsMargins(6, 4, 6, 4);
    bar_->setSpacing(8);
    bar_->addLayout(words, 1);
    bar_->addWidget(curve_, 0, Qt::AlignTop | Qt::AlignRight);
    body_ = new QWidget(page);
    auto* left = new QWidget(body_);
    chart_ = named<IntervalChart>("usefulChart", left);
    auto* leftColumn = newLayout<QVBoxLayout>(left, {}, 0);
    leftColumn->addWidget(chart_);
    leftColumn->addWidget(byClass_ = makeByClass(left), 1);
    leftColumn->addStretch(0);
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight, body_);
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->addWidget(left, 9);
    columns_->addWidget(confusion_ = makeMatrix(body_), 10);
    auto* scroll = newScroll(body_, page);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addLayout(bar_);
    layout->addWidget(scroll, 1);
    return page;
}

QWidget* UsefulPanel::makeByClass(QWidget* parent) {
    auto* part = new QWidget(parent);
    table_ = new TableView(part);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setObjectName(QStringLiteral("usefulClasses"));
    table_->setAccessibleName(tr("Utility by class"));
    auto* layout = newLayout<QVBoxLayout>(part, {}, 2);
    layout->addWidget(caption(tr("Accuracy by class, trained on"), part));
    layout->addWidget(table_, 1);
    return part;
}

QWidget* UsefulPanel::makeMatrix(QWidget* parent) {
    auto* part = new QWidget(parent);
    cells_ = new HeatTable(part);
    QFont small = cells_->font();
    small.setPointSizeF(kSmall * small.pointSizeF());
    cells_->setFont(small);
    cells_->setObjectName(QStringLiteral("usefulConfusion"));
    cells_->setAccessibleName(tr("Confusion matrix of the real samples"));
    matrixNote_ = named<WrappingLabel>("usefulConfusionNote", part);
    matrixNote_->setContentsMargins(6, 0, 6, 2);
    matrixNote_->setForegroundRole(QPalette::PlaceholderText);
    legend_ = new HeatLegend(part);
    QLabel* title = caption(tr("Confusion matrix"), part);
    title->setToolTip(definitionToolTip(*findGlossaryEntry("word/confusion_matrix")));
    auto* layout = newLayout<QVBoxLayout>(part, {}, 2);
    layout->addWidget(title);
    layout->addWidget(matrixNote_);
    layout->addWidget(cells_, 1);
    layout->addWidget(legend_);
    return part;
}

QString UsefulPanel::whyNothing(const ViewState& state) {
    if (!state.hasModel() || state.current().utility.exists() || !state.current().complete)
        return {};
    return QString::fromStdString(usefulSentence(state.current()));
}

bool UsefulPanel::hasClasses() const {
    return state().hasModel() && state().current().utility.exists() && !state().current().utility.classes.empty();
}

void UsefulPanel::showClasses(std::shared_ptr<const PredictedClasses> classes) {
    if (!classes || !state().hasModel() || classes->model.get() != &state().current())
        return;
    selecting_ = true; // an empty table selects nothing
    showCounts(std::make_shared<const ConfusionCounts>(std::move(classes)));
    selecting_ = false;
    showMatrixNote();
}

void UsefulPanel::showCounts(std::shared_ptr<const ConfusionCounts> counts) {
    counts_ = std::move(counts);
    cells_->setHeat(counts_ ? confusionTable(counts_) : HeatContent());
    legend_->showLargest(counts_ ? counts_->largestError() : 0.0);
}

void UsefulPanel::stateChanged(const Changes& changes) {
    if (changes.model)
        showModel();
    else if (changes.kept || changes.computed)
        showAccuracy();
    if (hasClasses() && changes.model && !counts_)
        ask(
            "classes", tr("Classifying real samples"),
            [audit = state().audit, model = state().model](const JobContext& job) {
                return UsefulWhatIf(audit, model, {}, job).predictedClasses(job);
            },
            [this](std::shared_ptr<const PredictedClasses> classes) { showClasses(std::move(classes)); });
    if (state().hasModel() && state().current().utility.exists() && keepsSome(state()) &&
        usefulOfKept(state()) == nullptr)
        host().run(PanelCommand::ScoreUsefulness);
}

void UsefulPanel::showModel() {
    selecting_ = true;
    table_->setContent(classUtilityTable(state()));
    table_->sortByColumn(UtilityChange, Qt::DescendingOrder);
    if (counts_ && (!state().hasModel() || counts_->classes().model.get() != &state().current()))
        showCounts(nullptr);
    selecting_ = false;
    byClass_->setVisible(hasClasses());
    confusion_->setVisible(hasClasses());
    if (!state().hasModel())
        return;
    if (!state().current().utility.exists()) {
        showMessage(usefulHint(state()));
        return;
    }
    showContent();
    sentence_->setText(QString::fromStdString(usefulSentence(state().current())));
    showAccuracy();
    showMatrixNote();
    arrange();
}

void UsefulPanel::showAccuracy() {
    if (!state().hasModel() || !state().current().utility.exists())
        return;
    const bool numbers = state().current().hasMetric("utility_r2");
    const UsefulMetric metric = numbers ? UsefulMetric{"utility_r2", &UsefulScores::r2}
                                        : UsefulMetric{"utility_accuracy", &UsefulScores::accuracy};
    const std::function<QString(double)> text = numbers ? std::function<QString(double)>(formatNumber) : formatTenths;
    IntervalAxis axis;
    axis.title = usefulAxisTitle(state());
    axis.lowest = numbers ? -std::numeric_limits<double>::infinity() : 0.0;
    axis.highest = 1.0;
    axis.leastSpan = 0.02;
    axis.ticks = numbers ? IntervalAxis::Ticks::Numbers : IntervalAxis::Ticks::Percent;
    axis.definition = metricToolTip(*findMetric(metric.id));
    std::vector<IntervalRow> rows = usefulRows(state(), metric, text);
    const char* real = numbers ? "real_utility_r2" : "real_utility_accuracy";
    IntervalRow ofReal = metricRow(state(), real, tr("real data"), text);
    ofReal.mark = IntervalRow::Mark::Real;
    rows.insert(rows.begin() + 1, ofReal);
    chart_->show(axis, rows);
    const QString kept = usefulKeptSentence(state(), metric, text);
    kept_->setText(kept);
    kept_->setVisible(!kept.isEmpty());
}

void UsefulPanel::showMatrixNote() {
    if (!hasClasses())
        return;
    const QString name = QString::fromStdString(briefText(state().current().name));
    if (!counts_)
        matrixNote_->setText(tr("Classifying the real samples\u2026"));
    else if (!counts_->classes().exist())
        matrixNote_->setText(tr("There is no confusion matrix."));
    else if (state().current().utility.testedOn == "held_out")
        matrixNote_->setText(
            tr("Numbers of real samples, not held-out ones. Rows: true class. Columns: predicted class."));
    else
        matrixNote_->setText(tr("Numbers of real samples. Rows: true class. Columns: predicted class."));
    matrixNote_->setToolTip(tr("Rows: true class of a real sample. Columns: class predicted by a classifier trained "
                               "on %1. A click selects the samples of a cell, a row or a column. Held-out samples "
                               "cannot be selected, so real samples are counted here even where the accuracy is that "
                               "of held-out ones.")
                                .arg(name));
}

void UsefulPanel::selectionChanged() {
    if (selecting_)
        return;
    selecting_ = true; // samples of other cells now
    table_->clearChosen();
    cells_->clearChosen();
    selecting_ = false;
}

void UsefulPanel::selectClasses() {
    if (selecting_)
        return;
    SampleSet samples;
    for (const int row : table_->selectedRows())
        samples |= samplesOfUtilityRow(state(), row);
    selecting_ = true;
    cells_->clearChosen();
    selection()->replace(samples);
    selecting_ = false;
}

void UsefulPanel::selectCells() {
    if (selecting_ || !counts_)
        return;
    std::vector<ConfusionCounts::Place> places;
    for (const HeatPlace& cell : cells_->chosen())
        places.emplace_back(cell.row, cell.column);
    const SampleSet samples(SetId::Real, counts_->samplesIn(places));
    selecting_ = true;
    table_->clearChosen();
    selection()->replace(state().shownOf(samples));
    selecting_ = false;
}

void UsefulPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void UsefulPanel::arrange() {
    const bool beside = width() >= (height() < kLow ? kMinForColumns : kRoomForColumns);
    bar_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    columns_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (QWidget* part : {static_cast<QWidget*>(table_), static_cast<QWidget*>(cells_)})
        part->setMinimumHeight(beside ? kMinBeside : kMinTable);
}

std::optional<Figure> UsefulPanel::figure() {
    if (!state().hasModel() || !state().current().utility.exists())
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = body_;
    figure.caption = tr("%1 %2").arg(sentence_->text(), figureParameters(state()));
    figure.data = usefulData(state(), chart_->rows());
    if (!counts_)
        return figure;
    const auto nameAt = [&](std::size_t place) { return QString::fromStdString(counts_->nameAt(place)); };
    for (const ConfusionCounts::Place& cell : counts_->filledCells())
        figure.data.push_back({QStringLiteral("real_samples"),
                               QString::fromStdString(state().current().name),
                               nameAt(cell.first),
                               nameAt(cell.second),
                               QString::number(counts_->countAt(cell)),
                               {},
                               {}});
    return figure;
}

} // namespace assay
