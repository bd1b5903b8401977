#include "widgets/curves/curve_view.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/charts/mark_paint.h"
#include "widgets/charts/plot.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/curve_legend.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/text/names.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

constexpr int kLegendBesideFrom = 480; // logical pixels: in a narrower panel the legend is below the chart
constexpr int kCaptionFrom = 260;
constexpr std::size_t kMaxAtFirst = 7; ///< lines, in the catalogue's order

constexpr QLatin1String kCurve("curve");
/// The scores that samples are most often discarded by; the others are one step further.
constexpr std::array<const char*, 2> kDiscardOften{"pce", "fidelity"};

QString tickKey(const CurveChoice& choice, const ChartLine& line) {
    return QString::fromStdString(choice.key + '\n' + line.name);
}

/// Nats beside shares would press these flat: until the person shows them, only what shares the first line's axis, and
/// of that no more than the eye follows. A model's line is never left out, nor is the ideal one.
std::vector<bool> shownAtFirst(const std::vector<ChartLine>& lines) {
    std::vector<bool> shown;
    std::size_t count = 0;
    const auto first = std::ranges::find(lines, false, &ChartLine::ideal);
    for (const ChartLine& line : lines) {
        const bool fits = line.ideal || (shareAnAxis(line.unit, first->unit) && (line.model || count < kMaxAtFirst));
        shown.push_back(line.controlOf ? shown[*line.controlOf] : fits);
        count += shown.back() && !line.ideal ? 1 : 0;
    }
    return shown;
}

QString idealToolTip(const Curve& curve) {
    return curve.ideal == Curve::Ideal::Falling
               ? CurveView::tr("<b>Ideal</b><br>A score that equals the share of good samples.")
               : CurveView::tr("<b>Ideal</b><br>What samples as good as the real ones reach, apart from chance.");
}

} // namespace

CurveView::CurveView(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("curveView"));
    setContent(makePage(), tr("Curves are drawn here: how the scores change with k, with the number of samples, or as "
                              "samples are discarded."));
    connect(picker_, &QComboBox::activated, this,
            [this](int at) { pick(QString::fromStdString(choices_[static_cast<std::size_t>(at)].key)); });
    connect(legend_, &CurveLegend::shownChanged, this, [this] {
        keepTicks();
        drawn_.shown = shownLines(choices_[static_cast<std::size_t>(picker_->currentIndex())]);
        legend_->setShown(drawn_.shown);
        draw();
    });
    connect(legend_, &CurveLegend::highlighted, this, [this](std::optional<std::size_t> line) {
        if (std::exchange(drawn_.highlighted, line) != line)
            draw();
    });
    connect(legend_, &CurveLegend::lineChosen, this, &CurveView::choose);
    connect(plot_, &Plot::themed, this, &CurveView::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) { choose(choice.to.series); });
    connect(&host, &PanelHost::curvesStarted, this, &CurveView::awaitCurves);
    connect(&host, &PanelHost::busyChanged, this, &CurveView::setBusy);
    setBusy(false);
}

QWidget* CurveView::makePage() {
    auto* page = new QWidget(this);
    picker_ = named<ElidingComboBox>("curvePicker", page);
    picker_->setAccessibleName(tr("Which curve"));
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    picker_->setMinimumContentsLength(12);
    caption_ = named<WrappingLabel>("curveCaption", page);
    plot_ = named<Plot>("curveChart", page);
    legend_ = new CurveLegend(page);
    auto* top = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 4}, 10);
    top->addWidget(picker_, 0, Qt::AlignTop | Qt::AlignLeft);
    top->addWidget(makeMoreButton(page), 0, Qt::AlignTop);
    top->addWidget(caption_, 1);
    body_ = new QBoxLayout(QBoxLayout::LeftToRight);
    body_->setSpacing(0);
    body_->addWidget(plot_, 1);
    body_->addWidget(legend_);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addLayout(top);
    layout->addLayout(body_, 1);
    return page;
}

QToolButton* CurveView::makeMoreButton(QWidget* page) {
    moreButton_ = named<QToolButton>("curveMore", page);
    moreButton_->setText(tr("More\u2026"));
    moreButton_->setPopupMode(QToolButton::InstantPopup);
    more_ = named<QMenu>("curveMoreMenu", moreButton_);
    more_->setToolTipsVisible(true);
    moreButton_->setMenu(more_);
    const auto offerCurve = [this](const char* id) {
        const Curve& curve = *findAnyCurve(id);
        offer(more_, catalogText(curve.title), catalogText(id), metricToolTip(curve));
    };
    offerCurve("bad_fraction");
    QAction* fromFile =
        more_->addAction(tr("%1, bad samples from a file\u2026").arg(catalogText(findAnyCurve("bad_fraction")->title)));
    fromFile->setToolTip(tr("Bad samples of your own instead of noise, in an .npy or .npz file"));
    offerCurve("sample_size");
    offerCurve("removal_frontier");
    const Curve& discard = *findAnyCurve("discard");
    for (const char* id : kDiscardOften)
        offerDiscard(more_, *findColumn(id), tr("%1, by %2").arg(catalogText(discard.title)));
    const Curve& useful = *findAnyCurve("useful_by_discard");
    for (const char* id : kDiscardOften)
        offer(more_, tr("%1, by %2").arg(catalogText(useful.title), catalogText(findColumn(id)->title)),
              catalogText(kUsefulBy) + catalogText(id), metricToolTip(useful));
    discardBy_ = more_->addMenu(tr("%1, by another score").arg(catalogText(discard.title)));
    discardBy_->setObjectName(QStringLiteral("curveDiscardMenu"));
    discardBy_->setToolTipsVisible(true);
    discardBy_->menuAction()->setToolTip(metricToolTip(discard));
    connect(more_, &QMenu::triggered, this, [this, fromFile](QAction* action) {
        if (action == fromFile)
            host().run(PanelCommand::AddBadSamples);
        else
            host().computeCurves(requestForCurve(action->data().toString().toStdString()));
    });
    connect(more_, &QMenu::aboutToShow, this, &CurveView::fillMore);
    setBusy(false);
    return moreButton_;
}

void CurveView::offer(QMenu* menu, const QString& text, const QString& key, const QString& toolTip) {
    QAction* action = menu->addAction(text);
    action->setData(key);
    action->setToolTip(toolTip);
}

/// @param text with a place for the score's title
void CurveView::offerDiscard(QMenu* menu, const Column& column, const QString& text) {
    offer(menu, text.arg(catalogText(column.title)), catalogText(kDiscardBy) + catalogText(column.id),
          metricToolTip(column));
}

void CurveView::fillMore() {
    discardBy_->clear();
    if (state().audit)
        for (const Column* column : discardColumns(*state().audit))
            if (std::ranges::find(kDiscardOften, column->id) == kDiscardOften.end())
                offerDiscard(discardBy_, *column, QStringLiteral("%1"));
    enableMore();
}

void CurveView::enableMore() {
    for (const QMenu* menu : {more_, discardBy_})
        for (QAction* action : menu->actions())
            action->setEnabled(!busy_ && !isThere(action->data().toString()));
    discardBy_->menuAction()->setEnabled(!busy_ && !discardBy_->isEmpty());
}

/// Whether what is offered under a key is there already: under that of the bad fraction, the one with noise.
bool CurveView::isThere(const QString& key) const {
    return std::ranges::any_of(choices_, [&](const CurveChoice& choice) {
        return choice.key == key.toStdString() && !(choice.demanded && !choice.demanded->bad.empty());
    });
}

void CurveView::awaitCurves(const CurveRequest& request) {
    awaited_ =
        QString::fromStdString(firstCurveOf(request)); // what is shown stays until it is there, which may be never
}

void CurveView::setBusy(bool busy) {
    busy_ = busy;
    if (!busy_)
        awaited_.clear();
    moreButton_->setToolTip(busy_ ? tr("Further curves can be had when the running job is done")
                                  : tr("Computes curves that take about as long as the audit itself"));
    enableMore();
}

void CurveView::stateChanged(const Changes& changes) {
    if (!changes.audit && !changes.model)
        return;
    choices_ = state().hasModel() ? curveChoices(*state().audit, state().model) : std::vector<CurveChoice>{};
    // Of the jobs that change an audit one runs at a time: a curve that is awaited is in the next one.
    if (changes.audit && std::ranges::count(choices_, awaited_.toStdString(), &CurveChoice::key) > 0)
        wanted_ = std::exchange(awaited_, {});
    fillPicker();
    showCurve();
    if (state().hasModel() && choices_.empty())
        showMessage(state().current().complete
                        ? tr("This audit holds no curves yet.\nThey show how the scores change with k, with the number "
                             "of samples, or as samples are replaced or discarded.")
                        : tr("The curves of this model are being computed."));
    else if (state().hasModel())
        showContent();
}

QJsonObject CurveView::saveState() const {
    return wanted_.isEmpty() ? QJsonObject() : QJsonObject{{kCurve, wanted_}};
}

void CurveView::restoreState(const QJsonObject& state) {
    if (state.contains(kCurve))
        pick(state.value(kCurve).toString());
}

void CurveView::pick(const QString& key) {
    awaited_.clear();
    if (key == wanted_)
        return;
    wanted_ = key;
    fillPicker();
    showCurve();
    emit choicesChanged();
}

void CurveView::fillPicker() {
    const QSignalBlocker quiet(picker_);
    picker_->clear();
    for (const CurveChoice& choice : choices_) {
        picker_->addItem(QString::fromStdString(choice.title));
        picker_->setItemData(picker_->count() - 1, metricToolTip(*choice.curve), Qt::ToolTipRole);
        if (choice.key == wanted_.toStdString())
            picker_->setCurrentIndex(picker_->count() - 1);
    }
}

/// With the facts of each line's marks, one row each: the list of lines can be read without a mouse on the chart.
QStringList CurveView::toolTips(const CurveChoice& choice) const {
    QStringList texts;
    for (const ChartLine& line : drawn_.lines) {
        const ModelAudit* model = line.model ? state().audit->models[*line.model].get() : nullptr;
        texts << (line.ideal    ? idealToolTip(*choice.curve)
                  : line.metric ? metricToolTip(*line.metric)
                  : model       ? QStringLiteral("<b>%1</b><br>%2")
                                .arg(QString::fromStdString(model->name).toHtmlEscaped(),
                                     concernText(*model).toHtmlEscaped())
                          : metricToolTip(*choice.curve));
    }
    for (std::size_t mark = 0; mark < drawn_.marks.size(); ++mark)
        if (const auto line = drawn_.marks[mark].line) {
            QStringList facts = drawn_.markFacts[static_cast<qsizetype>(mark)].toHtmlEscaped().split(QLatin1Char('\n'));
            facts.front() = QStringLiteral("<b>%1</b>").arg(facts.front());
            texts[static_cast<qsizetype>(*line)] += QStringLiteral("<br>") + facts.join(QStringLiteral("; "));
        }
    return texts;
}

std::vector<bool> CurveView::shownLines(const CurveChoice& choice) const {
    const std::vector<bool> first = shownAtFirst(drawn_.lines);
    std::vector<bool> shown;
    for (std::size_t i = 0; i < drawn_.lines.size(); ++i) {
        // A score says little without what chance would do: its control comes and goes with it.
        const bool unlessTicked = drawn_.lines[i].controlOf ? shown[*drawn_.lines[i].controlOf] : first[i];
        shown.push_back(ticks_.value(tickKey(choice, drawn_.lines[i]), unlessTicked));
    }
    return shown;
}

void CurveView::showCurve() {
    const int at = picker_->currentIndex();
    if (at < 0) {
        drawn_ = {};
        draw();
        legend_->show({}, {}, {});
        return;
    }
    const CurveChoice& choice = choices_[static_cast<std::size_t>(at)];
    drawn_ = {.axes = curveAxes(choice), .lines = chartLines(*state().audit, state().model, choice)};
    drawn_.marks = chartMarks(*state().audit, state().model, choice, drawn_.lines);
    for (const ChartMark& mark : drawn_.marks)
        drawn_.markFacts << markFacts(*state().audit, mark);
    drawn_.shown = shownLines(choice);
    QString caption = catalogText(choice.curve->definition);
    if (const QString text = marksText(choice, drawn_.marks); !text.isEmpty())
        caption = tr("%1 %2").arg(caption, text);
    if (!choice.note.empty())
        caption = tr("%1 Here: %2.").arg(caption, QString::fromStdString(choice.note));
    QString toolTip = metricToolTip(*choice.curve);
    if (const auto caveat = QString::fromStdString(curveCaveat(*state().audit, choice)); !caveat.isEmpty()) {
        caption = tr("%1 %2").arg(caption, caveat);
        toolTip += QStringLiteral("<br><b>%1</b>").arg(caveat.toHtmlEscaped());
    }
    caption_->setText(caption);
    picker_->setToolTip(toolTip);
    plot_->setAccessibleName(QString::fromStdString(choice.title));
    plot_->forgetCursor();
    draw();
    legend_->show(drawn_.lines, toolTips(choice), drawn_.shown);
    arrange();
}

std::optional<Figure> CurveView::figure() {
    if (picker_->currentIndex() < 0)
        return std::nullopt;
    Figure figure;
    figure.title = QString::fromStdString(choices_[static_cast<std::size_t>(picker_->currentIndex())].title);
    figure.chart = plot_;
    figure.caption = tr("%1: %2 %3").arg(figure.title, caption_->text(), figureParameters(state()));
    figure.data.push_back({QStringLiteral("line"), QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("low"),
                           QStringLiteral("high")});
    const std::vector<bool> shown = legend_->shown();
    for (std::size_t i = 0; i < drawn_.lines.size(); ++i) {
        if (!shown[i])
            continue;
        const ChartLine& line = drawn_.lines[i];
        const QString name = QString::fromStdString(line.name);
        figure.legend.push_back({name, [line](QPainter& painter, const QRectF& box) {
                                     const LineStyle style = lineStyle(line, QPalette(Qt::white));
                                     paintLineSample(painter, style.pen, style.mark, box);
                                 }});
        const auto at = [](const std::vector<double>& values, std::size_t point) {
            return point < values.size() ? dataNumber(values[point]) : QString();
        };
        for (std::size_t point = 0; point < line.x->size(); ++point)
            figure.data.push_back({name, dataNumber((*line.x)[point]), at(line.line->y, point),
                                   at(line.line->low, point), at(line.line->high, point)});
    }
    return figure;
}

void CurveView::keepTicks() {
    const CurveChoice& choice = choices_[static_cast<std::size_t>(picker_->currentIndex())];
    const std::vector<bool> before = shownLines(choice);
    const std::vector<bool> now = legend_->shown();
    for (std::size_t i = 0; i < drawn_.lines.size(); ++i) {
        if (now[i] == before[i])
            continue;
        if (drawn_.lines[i].controlOf && now[i] == now[*drawn_.lines[i].controlOf])
            ticks_.remove(tickKey(choice, drawn_.lines[i])); // back with its score
        else
            ticks_[tickKey(choice, drawn_.lines[i])] = now[i];
    }
}

void CurveView::draw() {
    PlotContent content = curveContent(drawn_, plot_->palette());
    content.describe = [this](PlotPoint at) { return curveReadOut(drawn_, at); };
    plot_->show(std::move(content));
}

/// @param series of the plot, which begins with the lines
void CurveView::choose(std::size_t series) {
    const std::size_t lines = drawn_.lines.size();
    const std::optional<std::size_t> model =
        series < lines ? drawn_.lines[series].model : drawn_.marks[series - lines].model;
    if (model && *model != state().model)
        host().setModel(*model);
}

void CurveView::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void CurveView::arrange() {
    const bool beside = width() >= kLegendBesideFrom;
    body_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    legend_->setFixedWidth(beside ? std::min(legend_->widthWanted(), width() / 3) : std::max(1, width()));
    legend_->setMinimumHeight(0);
    legend_->setMaximumHeight(beside ? QWIDGETSIZE_MAX : legend_->heightWanted());
    caption_->setVisible(beside && height() >= kCaptionFrom); // the picker's tooltip says the same
    caption_->updateGeometry();                               // lines of another width break elsewhere
}

} // namespace assay
