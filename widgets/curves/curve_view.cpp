#include "widgets/curves/curve_view.h"

#include "engine/subsets/curves/discard.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/curves/curve_chart.h"
#include "widgets/curves/curve_legend.h"
#include "widgets/curves/line_style.h"
#include "widgets/link/figure_parameters.h"

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
constexpr std::size_t kMostAtFirst = 7; ///< lines, in the catalogue's order

constexpr QLatin1String kCurve("curve");
constexpr QLatin1String kDiscard("discard_by_"); ///< begins the keys of curves by a score
constexpr QLatin1String kUseful("useful_by_");   ///< likewise of utility and membership
/// The scores that samples are most often discarded by; the others are one step further.
constexpr std::array<const char*, 2> kDiscardOften{"pce", "fidelity"};

/// The request that adds a curve of this key.
CurveRequest requestOf(const QString& key) {
    CurveRequest request;
    if (key.startsWith(kDiscard))
        request.discard = {key.mid(kDiscard.size()).toStdString()};
    else if (key.startsWith(kUseful))
        request.useful = {key.mid(kUseful.size()).toStdString()};
    else if (key == QLatin1String("sample_size"))
        request.sampleSize = true;
    else if (key == QLatin1String("removal_frontier"))
        request.frontier = true;
    else
        request.badFraction.emplace();
    return request;
}

/// The key of the curve that a request is for, first of all.
QString keyOf(const CurveRequest& request) {
    if (request.badFraction)
        return QStringLiteral("bad_fraction");
    if (request.sampleSize)
        return QStringLiteral("sample_size");
    if (request.frontier)
        return QStringLiteral("removal_frontier");
    if (!request.useful.empty())
        return kUseful + QString::fromStdString(request.useful.front());
    return request.discard.empty() ? QString() : kDiscard + QString::fromStdString(request.discard.front());
}

/// The scores that the samples of every model can be discarded by, in the catalogue's order.
std::vector<const Column*> discardColumns(const AuditResult& audit) {
    std::vector<const Column*> columns;
    for (const Column& column : columnCatalog())
        if (canDiscardBy(column.id) &&
            std::ranges::all_of(audit.models, [&](const auto& model) { return model->hasColumn(column.id); }))
            columns.push_back(&column);
    return columns;
}

QString tickKey(const CurveChoice& choice, const ChartLine& line) {
    return choice.key + QLatin1Char('\n') + line.name;
}

/// Nats beside shares would press these flat: until the person shows them, only what shares the first line's axis, and
/// of that no more than the eye follows. A model's line is never left out, nor is the ideal one.
std::vector<bool> shownAtFirst(const std::vector<ChartLine>& lines) {
    std::vector<bool> shown;
    std::size_t count = 0;
    const auto first = std::ranges::find(lines, false, &ChartLine::ideal);
    for (const ChartLine& line : lines) {
        const bool fits = line.ideal || (shareAnAxis(line.unit, first->unit) && (line.model || count < kMostAtFirst));
        shown.push_back(line.controlOf ? shown[*line.controlOf] : fits);
        count += shown.back() && !line.ideal ? 1 : 0;
    }
    return shown;
}

/// Adds the facts of each line's marks to its tooltip, one row each: the list of lines can be read without a mouse on
/// the chart.
void tellMarks(std::vector<ChartLine>& lines, const std::vector<ChartMark>& marks) {
    for (const ChartMark& mark : marks)
        if (mark.line) {
            QStringList facts = mark.facts.toHtmlEscaped().split(QLatin1Char('\n'));
            facts.front() = QStringLiteral("<b>%1</b>").arg(facts.front());
            lines[*mark.line].toolTip += QStringLiteral("<br>") + facts.join(QStringLiteral("; "));
        }
}

} // namespace

CurveView::CurveView(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("curveView"));
    setContent(makePage(), tr("Curves are drawn here: how the scores change with k, with the number of samples, or as "
                              "samples are discarded."));
    connect(picker_, &QComboBox::activated, this, [this](int at) { pick(choices_[static_cast<std::size_t>(at)].key); });
    connect(legend_, &CurveLegend::shownChanged, this, [this] {
        keepTicks();
        const std::vector<bool> shown = shownLines(choices_[static_cast<std::size_t>(picker_->currentIndex())]);
        legend_->setShown(shown);
        chart_->setShown(shown);
    });
    connect(legend_, &CurveLegend::highlighted, chart_, &CurveChart::highlight);
    connect(legend_, &CurveLegend::lineChosen, this, &CurveView::choose);
    connect(chart_, &CurveChart::lineChosen, this, &CurveView::choose);
    connect(chart_, &CurveChart::modelChosen, this, &CurveView::chooseModel);
    connect(&host, &PanelHost::curvesStarted, this, &CurveView::awaitCurves);
    connect(&host, &PanelHost::busyChanged, this, &CurveView::setBusy);
    setBusy(false);
}

QWidget* CurveView::makePage() {
    auto* page = new QWidget(this);
    picker_ = new ElidingComboBox(page);
    picker_->setObjectName(QStringLiteral("curvePicker"));
    picker_->setAccessibleName(tr("Which curve"));
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    picker_->setMinimumContentsLength(12);
    caption_ = new WrappingLabel(page);
    caption_->setObjectName(QStringLiteral("curveCaption"));
    chart_ = new CurveChart(page);
    legend_ = new CurveLegend(page);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 4, 6, 4);
    top->setSpacing(10);
    top->addWidget(picker_, 0, Qt::AlignTop | Qt::AlignLeft);
    top->addWidget(makeMoreButton(page), 0, Qt::AlignTop);
    top->addWidget(caption_, 1);
    body_ = new QBoxLayout(QBoxLayout::LeftToRight);
    body_->setSpacing(0);
    body_->addWidget(chart_, 1);
    body_->addWidget(legend_);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addLayout(body_, 1);
    return page;
}

QToolButton* CurveView::makeMoreButton(QWidget* page) {
    moreButton_ = new QToolButton(page);
    moreButton_->setObjectName(QStringLiteral("curveMore"));
    moreButton_->setText(tr("More\u2026"));
    moreButton_->setPopupMode(QToolButton::InstantPopup);
    more_ = new QMenu(moreButton_);
    more_->setObjectName(QStringLiteral("curveMoreMenu"));
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
              kUseful + catalogText(id), metricToolTip(useful));
    discardBy_ = more_->addMenu(tr("%1, by another score").arg(catalogText(discard.title)));
    discardBy_->setObjectName(QStringLiteral("curveDiscardMenu"));
    discardBy_->setToolTipsVisible(true);
    discardBy_->menuAction()->setToolTip(metricToolTip(discard));
    connect(more_, &QMenu::triggered, this, [this, fromFile](QAction* action) {
        if (action == fromFile)
            host().run(PanelCommand::AddBadSamples);
        else
            host().computeCurves(requestOf(action->data().toString()));
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
    offer(menu, text.arg(catalogText(column.title)), kDiscard + catalogText(column.id), metricToolTip(column));
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
        return choice.key == key && !(choice.demanded && !choice.demanded->bad.empty());
    });
}

void CurveView::awaitCurves(const CurveRequest& request) {
    awaited_ = keyOf(request); // what is shown stays until it is there, which may be never
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
    if (changes.audit && std::ranges::count(choices_, awaited_, &CurveChoice::key) > 0)
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
        picker_->addItem(choice.title);
        picker_->setItemData(picker_->count() - 1, metricToolTip(*choice.curve), Qt::ToolTipRole);
        if (choice.key == wanted_)
            picker_->setCurrentIndex(picker_->count() - 1);
    }
}

std::vector<bool> CurveView::shownLines(const CurveChoice& choice) const {
    const std::vector<bool> first = shownAtFirst(lines_);
    std::vector<bool> shown;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        // A score says little without what chance would do: its control comes and goes with it.
        const bool unlessTicked = lines_[i].controlOf ? shown[*lines_[i].controlOf] : first[i];
        shown.push_back(ticks_.value(tickKey(choice, lines_[i]), unlessTicked));
    }
    return shown;
}

void CurveView::showCurve() {
    const int at = picker_->currentIndex();
    if (at < 0) {
        lines_.clear();
        chart_->show({}, {}, {}, {});
        legend_->show({}, {});
        return;
    }
    const CurveChoice& choice = choices_[static_cast<std::size_t>(at)];
    lines_ = chartLines(*state().audit, state().model, choice);
    std::vector<ChartMark> marks = chartMarks(*state().audit, state().model, choice, lines_);
    tellMarks(lines_, marks);
    const std::vector<bool> shown = shownLines(choice);
    QString caption = catalogText(choice.curve->definition);
    if (const QString text = marksText(choice, marks); !text.isEmpty())
        caption = tr("%1 %2").arg(caption, text);
    if (!choice.note.isEmpty())
        caption = tr("%1 Here: %2.").arg(caption, choice.note);
    QString toolTip = metricToolTip(*choice.curve);
    if (const QString caveat = curveCaveat(*state().audit, choice); !caveat.isEmpty()) {
        caption = tr("%1 %2").arg(caption, caveat);
        toolTip += QStringLiteral("<br><b>%1</b>").arg(caveat.toHtmlEscaped());
    }
    caption_->setText(caption);
    picker_->setToolTip(toolTip);
    chart_->setAccessibleName(choice.title);
    chart_->show(curveAxes(choice), lines_, std::move(marks), shown);
    legend_->show(lines_, shown);
    arrange();
}

std::optional<Figure> CurveView::figure() {
    if (picker_->currentIndex() < 0)
        return std::nullopt;
    Figure figure;
    figure.title = choices_[static_cast<std::size_t>(picker_->currentIndex())].title;
    figure.chart = chart_;
    figure.caption = tr("%1: %2 %3").arg(figure.title, caption_->text(), figureParameters(state()));
    figure.data.push_back({QStringLiteral("line"), QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("low"),
                           QStringLiteral("high")});
    const std::vector<bool> shown = legend_->shown();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!shown[i])
            continue;
        const ChartLine& line = lines_[i];
        figure.legend.push_back({line.name, [line](QPainter& painter, const QRectF& box) {
                                     paintLineSample(painter, line, box, QPalette(Qt::white));
                                 }});
        const auto at = [](const std::vector<double>& values, std::size_t point) {
            return point < values.size() ? dataNumber(values[point]) : QString();
        };
        for (std::size_t point = 0; point < line.x->size(); ++point)
            figure.data.push_back({line.name, dataNumber((*line.x)[point]), at(line.line->y, point),
                                   at(line.line->low, point), at(line.line->high, point)});
    }
    return figure;
}

void CurveView::keepTicks() {
    const CurveChoice& choice = choices_[static_cast<std::size_t>(picker_->currentIndex())];
    const std::vector<bool> before = shownLines(choice);
    const std::vector<bool> now = legend_->shown();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (now[i] == before[i])
            continue;
        if (lines_[i].controlOf && now[i] == now[*lines_[i].controlOf])
            ticks_.remove(tickKey(choice, lines_[i])); // back with its score
        else
            ticks_[tickKey(choice, lines_[i])] = now[i];
    }
}

void CurveView::choose(std::size_t line) {
    if (line < lines_.size() && lines_[line].model)
        chooseModel(*lines_[line].model);
}

void CurveView::chooseModel(std::size_t model) {
    if (model != state().model)
        host().setModel(model);
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
