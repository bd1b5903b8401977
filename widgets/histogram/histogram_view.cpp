#include "widgets/histogram/histogram_view.h"

#include "engine/subsets/rules/good_samples.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

constexpr int kTicks = 5;          // about as many on an axis
constexpr double kHeadroom = 1.03; // above the tallest bar
constexpr int kLeastHeight = 2;    // pixels: a single sample among thousands must be seen

/// "Fidelity", "PCE (nats)".
QString axisTitle(const Column& column) {
    const QString unit = unitName(column.unit);
    const QString name = catalogText(column.title);
    return unit.isEmpty() || column.unit == Unit::Count || column.unit == Unit::Distance
               ? name
               : HistogramView::tr("%1 (%2)").arg(name, unit);
}

} // namespace

HistogramView::HistogramView(std::string columnId, PanelHost& host)
    : Panel(host), frame_(new ChartFrame(this)), columnId_(std::move(columnId)), choice_(selection()) {
    setObjectName(QStringLiteral("histogram"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(title());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(frame_);
    frame_->hide();
    frame_->leaveMouseToParent();
    frame_->setMagnified(Qt::Horizontal);
    frame_->setOverlay([this](QPainter& painter) { paintBars(painter); });
    connect(frame_, &ChartFrame::partChanged, this, &HistogramView::fitAxes);
}

QString HistogramView::title() const {
    if (columnId_ == "fidelity")
        return tr("How faithful is each sample?");
    if (columnId_ == "coverage")
        return tr("Is each real sample covered?");
    const Column* shown = column();
    if (!shown)
        return QString::fromStdString(columnId_);
    return shown->side == Side::Real ? tr("%1 of each real sample").arg(catalogText(shown->title))
                                     : tr("%1 of each synthetic sample").arg(catalogText(shown->title));
}

const Column* HistogramView::column() const {
    return state().findColumn(columnId_);
}

const std::vector<double>* HistogramView::values() const {
    const bool isThere = state().hasModel() && state().current().hasColumn(columnId_);
    return isThere ? &state().current().column(columnId_) : nullptr;
}

SetId HistogramView::set() const {
    return column() && column()->side == Side::Real ? SetId::Real : state().currentSet();
}

void HistogramView::stateChanged(const Changes& changes) {
    if (!changes.model && !changes.kept && !changes.shown)
        return;
    if (changes.model)
        forgetBins();
    showColumn();
}

void HistogramView::forgetBins() {
    cursor_.reset();
    anchor_.reset();
    hoverBin_.reset();
    dragLast_.reset();
}

void HistogramView::setColumn(std::string columnId) {
    columnId_ = std::move(columnId);
    setAccessibleName(title());
    forgetBins();
    binned_.reset();
    showColumn();
}

void HistogramView::setLook(const Look& look) {
    if (look == look_)
        return;
    if (look.logarithmic != look_.logarithmic) {
        binned_.reset();
        forgetBins();
    }
    look_ = look;
    showColumn();
}

void HistogramView::showColumn() {
    recount();
    countSelected();
    frame_->setVisible(bins_.count() > 0);
    fitAxes();
    repaintBars();
}

void HistogramView::recount() {
    counts_.clear();
    rejected_.clear();
    const std::vector<double>* all = values();
    if (!all || !column()) {
        bins_ = {};
        binOfRow_.clear();
        binned_.reset();
        return;
    }
    // Bars stay where they are while rules and filters change.
    const std::shared_ptr<const ModelAudit> of = state().audit->models[state().model];
    if (binned_ != of)
        chooseBinsFor(*all);
    binned_ = of;
    counts_.assign(bins_.count(), 0);
    rejected_.assign(bins_.count(), 0);
    const bool decided = !isReal(set()) && state().kept;
    missing_ = 0;
    const auto count = [&](std::size_t row) {
        missing_ += std::isnan((*all)[row]) ? 1 : 0;
        const std::uint8_t bin = binOfRow_[row];
        if (bin == kNoBin)
            return;
        ++counts_[bin];
        if (decided && !state().isKept(row))
            ++rejected_[bin];
    };
    if (state().shown)
        for (const SampleId sample : state().shown->in(set()))
            count(sample.row);
    else
        for (std::size_t row = 0; row < all->size(); ++row)
            count(row);
    total_ = state().shown ? state().shown->countIn(set()) : all->size();
    sumUp(counts_);
    sumUp(rejected_);
    countGood();
}

void HistogramView::chooseBinsFor(const std::vector<double>& values) {
    bins_ = chooseBins(values, column()->unit, state().audit->k);
    HistogramBins logarithmic = bins_.discrete() ? HistogramBins() : chooseLogarithmicBins(values);
    canBeLogarithmic_ = logarithmic.count() > 0;
    if (look_.logarithmic && canBeLogarithmic_)
        bins_ = std::move(logarithmic);
    binOfRow_ = binOfEach(bins_, values);
}

void HistogramView::sumUp(std::vector<std::size_t>& counts) const {
    if (look_.cumulative)
        std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

void HistogramView::countGood() {
    good_.clear();
    const auto values = look_.outlined ? goodSampleValues(*state().audit, state().model, columnId_) : std::nullopt;
    if (!values || values->empty())
        return;
    std::vector<std::size_t> counts = countPerBin(bins_, *values);
    sumUp(counts);
    const double scale = static_cast<double>(total_) / static_cast<double>(values->size());
    for (const std::size_t count : counts)
        good_.push_back(scale * static_cast<double>(count));
}

void HistogramView::countSelected() {
    selected_.assign(bins_.count(), 0);
    if (!state().hasModel())
        return;
    for (const SampleId id : state().shownOf(selection()->samples().in(set())))
        if (id.row < binOfRow_.size() && binOfRow_[id.row] != kNoBin)
            ++selected_[binOfRow_[id.row]];
    sumUp(selected_);
}

void HistogramView::selectionChanged() {
    countSelected();
    repaintBars();
}

void HistogramView::hoverChanged() {
    repaintBars();
}

void HistogramView::repaintBars() {
    frame_->refresh();
    update(); // where there are none
}

void HistogramView::focusInEvent(QFocusEvent* event) {
    Panel::focusInEvent(event);
    repaintBars();
}

void HistogramView::focusOutEvent(QFocusEvent* event) {
    Panel::focusOutEvent(event);
    repaintBars();
}

void HistogramView::fitAxes() {
    if (bins_.count() == 0)
        return;
    const QString title = axisTitle(*column());
    ChartAxis x{missing_ == 0 ? title : tr("%1; %2 without a value").arg(title, formatCount(missing_)),
                bins_.edges.front(), bins_.edges.back()};
    const bool words = column()->unit == Unit::YesNo || column()->unit == Unit::Word;
    if (bins_.discrete()) {
        x.ticks = bins_.values;
        for (const double value : bins_.values)
            x.names << (words ? formatValue(value, *column()) : QLocale().toString(value, 'g', 3));
    } else if (bins_.logarithmic) {
        x.scale = ChartAxis::Scale::Logarithmic;
        x.ticks = logarithmicTicks(x.from, x.to);
        for (const double value : x.ticks)
            x.names << QLocale().toString(value, 'g', 3);
    } else {
        const std::vector<double> ticks = axisTicks(x.from, x.to, kTicks);
        x.step = ticks.size() > 1 ? ticks[1] - ticks[0] : x.to - x.from;
        x.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(x.step) + 1e-9)), 0, 8);
    }
    // The tallest bar of the part that is shown.
    const ChartAxis shown = frame_->isWhole() ? x : frame_->xAxis();
    double tallest = 1.0;
    for (std::size_t bin = 0; bin < bins_.count(); ++bin)
        if (bins_.edges[bin + 1] > shown.from && bins_.edges[bin] < shown.to)
            tallest = std::max({tallest, static_cast<double>(counts_[bin]), outlineOver(bin)});
    ChartAxis y{isReal(set()) ? tr("real samples") : tr("synthetic samples"), 0.0, kHeadroom * tallest};
    y.brief = tr("samples");
    const std::vector<double> ticks = axisTicks(0.0, y.to, kTicks);
    y.step = std::max(1.0, ticks.size() > 1 ? ticks[1] - ticks[0] : y.to);
    y.decimals = 0;
    frame_->setAxes(x, y);
}

QRect HistogramView::plotArea() const {
    return frame_->plotArea().toRect();
}

double HistogramView::xOf(double value) const {
    return frame_->toWidget(QPointF(value, 0.0)).x();
}

int HistogramView::heightOf(std::size_t count) const {
    if (count == 0)
        return 0;
    const double y = frame_->toWidget(QPointF(bins_.edges.front(), static_cast<double>(count))).y();
    return std::max(kLeastHeight, static_cast<int>(std::lround(frame_->plotArea().bottom() - y)));
}

QRect HistogramView::binRect(std::size_t bin) const {
    const QRect plot = plotArea();
    const int left = static_cast<int>(std::lround(xOf(bins_.edges[bin])));
    const int right = static_cast<int>(std::lround(xOf(bins_.edges[bin + 1])));
    return {left, plot.top(), std::max(1, right - left), plot.height()};
}

std::optional<std::size_t> HistogramView::binAt(QPoint point) const {
    const QRect plot = plotArea();
    if (bins_.count() == 0 || point.x() < plot.left() || point.x() > plot.right())
        return std::nullopt;
    return bins_.binOf(
        std::clamp(frame_->toValue({point.x() + 0.5, 0.0}).x(), bins_.edges.front(), bins_.edges.back()));
}

SampleSet HistogramView::samplesIn(std::size_t first, std::size_t last) const {
    return state().shownOf(SampleSet::where(set(), binOfRow_.size(), [&](std::size_t row) {
        return binOfRow_[row] != kNoBin && binOfRow_[row] >= first && binOfRow_[row] <= last;
    }));
}

std::optional<ViewFilter::Range> HistogramView::chosenRange() const {
    if (bins_.count() == 0 || !(hoverBin_ || (anchor_ && cursor_)))
        return std::nullopt;
    const bool chosen =
        anchor_ && cursor_ &&
        (!hoverBin_ || (*hoverBin_ >= std::min(*anchor_, *cursor_) && *hoverBin_ <= std::max(*anchor_, *cursor_)));
    const std::size_t first = chosen ? std::min(*anchor_, *cursor_) : *hoverBin_;
    const std::size_t last = chosen ? std::max(*anchor_, *cursor_) : *hoverBin_;
    if (bins_.discrete())
        return ViewFilter::Range{columnId_, bins_.values[first], bins_.values[last]};
    // A bar holds its lower end, the last one both.
    const bool toTheEnd = last + 1 == bins_.count();
    const double end = bins_.edges[last + 1];
    return ViewFilter::Range{columnId_, bins_.edges[first],
                             toTheEnd ? end : std::nextafter(end, -std::numeric_limits<double>::infinity())};
}

void HistogramView::pickBins(SelectionChange how, std::size_t from, std::size_t to) {
    choice_.step(how, samplesIn(std::min(from, to), std::max(from, to)));
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
    // A brush may begin a little beside the first or last bar.
    constexpr int kBeside = 12;
    const QRect plot = plotArea();
    QPoint at = event->position().toPoint();
    if (at.x() >= plot.left() - kBeside && at.x() <= plot.right() + kBeside)
        at.setX(std::clamp(at.x(), plot.left(), plot.right()));
    const auto bin = binAt(at);
    if (!bin || event->button() != Qt::LeftButton)
        return;
    change_ = selectionChange(event->modifiers());
    if (change_ != SelectionChange::Add || !anchor_) // Shift adds all from the bar before
        anchor_ = bin;
    cursor_ = bin;
    dragLast_ = bin;
    if (change_ != SelectionChange::Add) // a second bar with Shift takes the place of the first
        choice_.begin();
    pickBins(change_, *anchor_, *bin);
    repaintBars();
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    QPoint point = event->position().toPoint();
    if (dragLast_ && (event->buttons() & Qt::LeftButton)) {
        const QRect plot = plotArea(); // a drag may leave the plot
        point.setX(std::clamp(point.x(), plot.left(), plot.right()));
        const auto bin = binAt(point);
        if (bin && bin != dragLast_) {
            dragLast_ = bin;
            cursor_ = bin;
            pickBins(change_, *anchor_, *bin);
        }
    }
    const auto bin = binAt(point);
    if (bin == hoverBin_)
        return;
    hoverBin_ = bin;
    repaintBars();
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) {
    dragLast_.reset();
}

void HistogramView::leaveEvent(QEvent*) {
    hoverBin_.reset();
    repaintBars();
}

void HistogramView::moveCursor(std::size_t to, Qt::KeyboardModifiers modifiers) {
    cursor_ = to;
    if (modifiers & Qt::ShiftModifier) {
        if (!anchor_)
            anchor_ = to;
        pickBins(SelectionChange::Add, *anchor_, to);
    }
    frame_->reveal({(bins_.edges[to] + bins_.edges[to + 1]) / 2.0, 0.0});
    repaintBars();
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection()->isEmpty()) {
        selection()->clear();
        return;
    }
    if (bins_.count() == 0) {
        Panel::keyPressEvent(event);
        return;
    }
    if (frame_->navigate(*event))
        return;
    const std::size_t last = bins_.count() - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(cursor_ ? std::max<std::size_t>(*cursor_, 1) - 1 : 0, event->modifiers());
        return;
    case Qt::Key_Right:
        moveCursor(cursor_ ? std::min(*cursor_ + 1, last) : 0, event->modifiers());
        return;
    case Qt::Key_Home:
        moveCursor(0, event->modifiers());
        return;
    case Qt::Key_End:
        moveCursor(last, event->modifiers());
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!cursor_)
            return;
        anchor_ = cursor_;
        choice_.begin();
        pickBins(selectionChange(event->modifiers()), *cursor_, *cursor_);
        return;
    default:
        Panel::keyPressEvent(event);
    }
}

std::optional<Figure> HistogramView::figure() {
    if (bins_.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = this;
    figure.caption =
        tr("%1: %2 %3").arg(catalogText(column()->title), catalogText(column()->definition), figureParameters(state()));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("count"),
                           QStringLiteral("rejected"), QStringLiteral("selected"), QStringLiteral("good_outline")});
    for (std::size_t bin = 0; bin < bins_.count(); ++bin) {
        const double low = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin];
        const double high = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin + 1];
        figure.data.push_back({dataNumber(low), dataNumber(high), QString::number(counts_[bin]),
                               QString::number(rejected_[bin]), QString::number(selected_[bin]),
                               good_.empty() ? QString() : dataNumber(good_[bin])});
    }
    return figure;
}

QString HistogramView::binText(std::size_t bin) const {
    const Unit unit = column()->unit;
    QString range =
        bins_.discrete()
            ? formatValue(bins_.values[bin], *column())
            : tr("%1 to %2").arg(formatValue(bins_.edges[bin], unit), formatWithUnit(bins_.edges[bin + 1], unit));
    if (look_.cumulative && bin > 0)
        range = bins_.discrete() ? tr("up to %1").arg(range)
                                 : tr("up to %1").arg(formatWithUnit(bins_.edges[bin + 1], unit));
    const std::size_t total = std::max<std::size_t>(total_, 1);
    QString text =
        tr("<b>%1: %2</b><br>%3 of %4 samples, %5")
            .arg(catalogText(column()->title).toHtmlEscaped(), range, formatCount(counts_[bin]), formatCount(total_),
                 formatPercent(static_cast<double>(counts_[bin]) / static_cast<double>(total)));
    if (selected_[bin] > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selected_[bin]));
    if (rejected_[bin] > 0)
        text += tr("<br>%1 of them rejected").arg(formatCount(rejected_[bin]));
    if (!good_.empty())
        text += tr("<br>Expected of the same number of good samples: %1")
                    .arg(formatCount(static_cast<std::uint64_t>(std::llround(good_[bin]))));
    return text;
}

bool HistogramView::event(QEvent* event) {
    if (bins_.count() > 0 && frame_->navigate(event))
        return true;
    if (event->type() != QEvent::ToolTip)
        return Panel::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bin = binAt(help->pos());
    if (bin && plotArea().contains(help->pos()))
        QToolTip::showText(help->globalPos(), binText(*bin), this, binRect(*bin));
    else if (column()) // beside the plot: what the axis means
        QToolTip::showText(help->globalPos(), metricToolTip(*column()), this);
    return true;
}

} // namespace assay
