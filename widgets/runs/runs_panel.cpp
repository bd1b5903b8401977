#include "widgets/runs/runs_panel.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/charts/mark_paint.h"
#include "widgets/charts/plot.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/runs/runs_chart.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// A model's name in a sentence, with the mark of one that is suspicious.
QString shortName(const ModelAudit& model) {
    const QString name = QString::fromStdString(model.name);
    return name.left(100) + markedName(model).mid(name.size());
}

} // namespace

RunsPanel::RunsPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("runsPanel"));
    setContent(makePage(), tr("Models of one run, such as gan_1000 and gan_2000, are a curve here."));
    connect(runs_, &QComboBox::activated, this, [this] {
        listMetrics();
        showRun();
    });
    connect(metrics_, &QComboBox::activated, this, [this](int at) {
        wanted_ = offered_[static_cast<std::size_t>(at)]->id;
        showRun();
    });
    connect(plot_, &Plot::themed, this, &RunsPanel::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        if (const std::size_t model = plot_->idOf(choice.to); model != state().model)
            this->host().setModel(model);
    });
    showRun();
}

QWidget* RunsPanel::makePage() {
    auto* page = new QWidget(this);
    runs_ = named<ElidingComboBox>("runsPicker", page);
    runs_->setAccessibleName(tr("Run of models"));
    metrics_ = named<ElidingComboBox>("runsMetric", page);
    metrics_->setAccessibleName(tr("Score"));
    for (ElidingComboBox* picker : {runs_, metrics_}) {
        picker->setMinimumContentsLength(6);
        picker->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        picker->setMaximumWidth(320);
    }
    beside_ = named<QCheckBox>("runsBeside", tr("with others"), page);
    beside_->setToolTip(tr("Draws the other runs over the same numbers, too"));
    beside_->setChecked(true);
    connect(beside_, &QCheckBox::toggled, this, &RunsPanel::showRun);
    plot_ = named<Plot>("runsChart", page);
    legend_ = named<QLabel>("runsLegend", page);
    legend_->setTextFormat(Qt::RichText);
    legend_->setWordWrap(true);
    legend_->setMargin(6);
    legend_->hide();
    answer_ = named<WrappingLabel>("runsAnswer", page);
    answer_->setMargin(6);
    auto* bar = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 2}, 6);
    bar->addWidget(metrics_, 1);
    bar->addWidget(new QLabel(tr("of"), page));
    bar->addWidget(runs_, 1);
    bar->addWidget(beside_);
    bar->addStretch(0);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addLayout(bar);
    layout->addWidget(plot_, 1);
    layout->addWidget(legend_);
    layout->addWidget(answer_);
    return page;
}

const ModelRun* RunsPanel::run() const {
    const int at = runs_->currentIndex();
    return at < 0 || static_cast<std::size_t>(at) >= found_.size() ? nullptr : &found_[static_cast<std::size_t>(at)];
}

const Metric* RunsPanel::shownMetric() const {
    const int at = metrics_->currentIndex();
    return at < 0 || static_cast<std::size_t>(at) >= offered_.size() ? nullptr : offered_[static_cast<std::size_t>(at)];
}

void RunsPanel::stateChanged(const Changes& changes) {
    if (changes.audit) {
        listRuns();
        listMetrics();
    }
    showRun();
}

void RunsPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showLegend();
}

void RunsPanel::listRuns() {
    const QString before = runs_->currentText();
    const QSignalBlocker quiet(runs_);
    found_ = state().audit ? modelRuns(*state().audit) : std::vector<ModelRun>();
    runs_->clear();
    for (const ModelRun& run : found_)
        runs_->addItem(tr("%1 (%2 models)").arg(runTitle(run), formatCount(run.points.size())));
    runs_->setCurrentIndex(found_.empty() ? -1 : std::max(0, runs_->findText(before)));
}

void RunsPanel::listMetrics() {
    const QSignalBlocker quiet(metrics_);
    metrics_->clear();
    offered_.clear();
    if (run() == nullptr)
        return;
    for (const Metric& metric : metricCatalog()) {
        if (!isShownToPeople(metric))
            continue;
        const auto hasValue = [&](const RunPoint& point) {
            return std::isfinite(metricOr(*state().audit->models[point.model], metric.id));
        };
        if (std::ranges::none_of(run()->points, hasValue))
            continue;
        offered_.push_back(&metric);
        metrics_->addItem(catalogText(metric.title));
        metrics_->setItemData(metrics_->count() - 1, metricToolTip(metric), Qt::ToolTipRole);
    }
    const auto at = std::ranges::find(offered_, wanted_, &Metric::id);
    metrics_->setCurrentIndex(at == offered_.end() ? 0 : static_cast<int>(at - offered_.begin()));
}

void RunsPanel::showRun() {
    if (state().hasModel() && (run() == nullptr || shownMetric() == nullptr))
        showMessage(tr("No run found. A run needs models whose names differ only in one number (gan_1000 and gan_2000, "
                       "or cfg1.5 and cfg3) or in one word (gan_early and gan)."),
                    tr("Add models\u2026"), [this] { host().run(PanelCommand::AddModels); });
    else if (state().hasModel())
        showContent();
    const std::vector<ModelRun> others = run() != nullptr ? runsBeside(*run(), found_) : std::vector<ModelRun>();
    beside_->setVisible(!others.empty());
    drawn_.clear();
    if (run() != nullptr)
        drawn_.push_back(*run());
    if (beside_->isChecked())
        drawn_.insert(drawn_.end(), others.begin(), others.end());
    draw();
    showLegend();
    answer_->setText(answer());
    answer_->setVisible(!answer_->text().isEmpty());
}

void RunsPanel::draw() {
    PlotContent content;
    if (!drawn_.empty() && shownMetric() != nullptr) {
        content = runsContent(state(), drawn_, *shownMetric(), plot_->palette());
        content.describe = [this](PlotPoint at) {
            const ModelAudit& model = *state().audit->models[plot_->idOf(at)];
            return QStringLiteral("<b>%1</b><br>%2: %3")
                .arg(QString::fromStdString(model.name).left(200).toHtmlEscaped(),
                     catalogText(shownMetric()->title).toHtmlEscaped(), fullScoreText(model, *shownMetric()));
        };
        plot_->setAccessibleName(tr("%1 over %2").arg(catalogText(shownMetric()->title), content.x.title));
    }
    plot_->show(std::move(content));
}

void RunsPanel::showLegend() {
    QStringList names;
    for (std::size_t run = 0; run < drawn_.size(); ++run)
        names << QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;%3")
                     .arg(runStyle(run, palette()).line.color().name(),
                          run == 0 ? QStringLiteral("\u25cf") : QStringLiteral("\u25a0"),
                          runTitle(drawn_[run]).toHtmlEscaped());
    legend_->setText(names.join(QStringLiteral("&nbsp;&nbsp; ")));
    legend_->setVisible(names.size() > 1);
}

QString RunsPanel::answer() const {
    if (run() == nullptr || shownMetric() == nullptr)
        return {};
    const auto [best, equal] = bestOfRun(*state().audit, *run(), *shownMetric());
    if (best == nullptr)
        return {};
    const ModelAudit& model = *state().audit->models[best->model];
    const QString text =
        tr("Best: %1 with %2 (%3).")
            .arg(shortName(model), fullScoreText(model, *shownMetric()), directionText(shownMetric()->better));
    if (equal == 0)
        return text;
    return equal == 1 ? tr("%1 Another model reaches the same value.").arg(text)
                      : tr("%1 %2 other models reach the same value.").arg(text, formatCount(equal));
}

std::optional<Figure> RunsPanel::figure() {
    if (run() == nullptr || shownMetric() == nullptr)
        return std::nullopt;
    Figure figure;
    figure.title = tr("%1 of %2").arg(catalogText(shownMetric()->title), runTitle(*run()));
    figure.chart = plot_;
    figure.caption = tr("%1 of the models of a run, with 95 % intervals. %2")
                         .arg(catalogText(shownMetric()->title), figureParameters(state()));
    figure.data.push_back({QStringLiteral("model"), QStringLiteral("number"), QStringLiteral("value"),
                           QStringLiteral("low"), QStringLiteral("high")});
    const std::vector<ModelRun>& shown = drawn_;
    for (std::size_t at = 0; at < shown.size() && shown.size() > 1; ++at)
        figure.legend.push_back({runTitle(shown[at]), [at](QPainter& painter, const QRectF& box) {
                                     const PlotSeries style = runStyle(at, QPalette(Qt::white));
                                     paintLineSample(painter, style.line, style.mark, box);
                                 }});
    std::vector<RunPoint> points;
    for (const ModelRun& one : shown)
        points.insert(points.end(), one.points.begin(), one.points.end());
    for (const RunPoint& point : points) {
        const ModelAudit& model = *state().audit->models[point.model];
        const MetricInterval* interval = model.interval(shownMetric()->id);
        figure.data.push_back({QString::fromStdString(model.name), dataNumber(point.at),
                               dataNumber(metricOr(model, shownMetric()->id)),
                               interval == nullptr ? QString() : dataNumber(interval->low),
                               interval == nullptr ? QString() : dataNumber(interval->high)});
    }
    return figure;
}

} // namespace assay
