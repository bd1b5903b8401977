#include "widgets/histogram/histogram_view.h"

#include "widgets/common/number_format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr int kTopMargin = 10;
constexpr int kRightMargin = 12;
constexpr int kLeastHeight = 2; // pixels: a single sample among thousands must be seen

} // namespace

HistogramView::HistogramView(std::string columnId, SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), columnId_(std::move(columnId)), choice_(selection) {
    setObjectName(QStringLiteral("histogram_%1").arg(QString::fromStdString(columnId_)));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(title(columnId_));
}

QString HistogramView::title(const std::string& columnId) {
    if (columnId == "fidelity")
        return tr("How faithful is each sample?");
    if (columnId == "coverage")
        return tr("Is each real sample covered?");
    const Column* column = findColumn(columnId);
    if (!column)
        return QString::fromStdString(columnId);
    return column->side == Side::Real ? tr("%1 of each real sample").arg(catalogText(column->title))
                                      : tr("%1 of each synthetic sample").arg(catalogText(column->title));
}

const Column* HistogramView::column() const {
    return findColumn(columnId_);
}

const std::vector<double>* HistogramView::values() const {
    if (!state().hasModel())
        return nullptr;
    for (const ColumnValues& values : state().current().columns)
        if (values.id == columnId_)
            return &values.values;
    return nullptr;
}

SetId HistogramView::set() const {
    return column() && column()->side == Side::Real ? SetId::Real : state().currentSet();
}

void HistogramView::stateChanged(const ViewState& previous) {
    const ModelAudit* before = previous.hasModel() ? &previous.current() : nullptr;
    const ModelAudit* after = state().hasModel() ? &state().current() : nullptr;
    if (before == after && previous.model == state().model && previous.kept == state().kept &&
        previous.shown == state().shown)
        return;
    if (before != after) {
        cursor_.reset();
        anchor_.reset();
        hoverBin_.reset();
        dragLast_.reset();
    }
    recount();
    countSelected();
    update();
}

void HistogramView::recount() {
    counts_.clear();
    rejected_.clear();
    tallest_ = 0;
    const std::vector<double>* all = values();
    if (!all || !column()) {
        bins_ = {};
        binned_.reset();
        return;
    }
    // Bars stay where they are while rules and filters change.
    const std::shared_ptr<const ModelAudit> of = state().audit->models[state().model];
    if (binned_ != of)
        bins_ = chooseBins(*all, column()->unit, state().audit->k);
    binned_ = of;
    counts_.assign(bins_.count(), 0);
    rejected_.assign(bins_.count(), 0);
    const bool decided = !isReal(set()) && state().kept;
    const auto count = [&](std::size_t row) {
        const auto bin = bins_.binOf((*all)[row]);
        if (!bin)
            return;
        ++counts_[*bin];
        if (decided && !state().isKept(row))
            ++rejected_[*bin];
    };
    if (state().shown)
        for (const SampleId sample : state().shown->in(set()))
            count(sample.row);
    else
        for (std::size_t row = 0; row < all->size(); ++row)
            count(row);
    total_ = state().shown ? state().shown->countIn(set()) : all->size();
    if (!counts_.empty())
        tallest_ = *std::max_element(counts_.begin(), counts_.end());
}

void HistogramView::countSelected() {
    selected_.assign(bins_.count(), 0);
    const std::vector<double>* all = values();
    if (!all)
        return;
    for (const SampleId id : state().shownOf(selection()->samples().in(set())))
        if (id.row < all->size())
            if (const auto bin = bins_.binOf((*all)[id.row]))
                ++selected_[*bin];
}

void HistogramView::selectionChanged() {
    countSelected();
    update();
}

void HistogramView::hoverChanged() {
    update();
}

QRect HistogramView::plotArea() const {
    const QFontMetrics metrics = fontMetrics();
    const int left =
        metrics.height() + 14 +
        std::max(metrics.horizontalAdvance(formatCount(tallest_)), metrics.horizontalAdvance(QStringLiteral("00")));
    const int bottom = 2 * metrics.height() + 10;
    return {left, kTopMargin, std::max(10, width() - left - kRightMargin),
            std::max(10, height() - kTopMargin - bottom)};
}

double HistogramView::xOf(double value) const {
    const QRect plot = plotArea();
    const double share = (value - bins_.edges.front()) / (bins_.edges.back() - bins_.edges.front());
    return plot.left() + share * plot.width();
}

int HistogramView::heightOf(std::size_t count) const {
    if (count == 0 || tallest_ == 0)
        return 0;
    const double share = static_cast<double>(count) / static_cast<double>(tallest_);
    return std::max(kLeastHeight, static_cast<int>(std::lround(share * (plotArea().height() - 4))));
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
    const double share = (point.x() + 0.5 - plot.left()) / plot.width();
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(bins_.count())); // bins are even
    return std::min(bin, bins_.count() - 1);
}

SampleSet HistogramView::samplesIn(std::size_t first, std::size_t last) const {
    const std::vector<double>* all = values();
    return state().shownOf(SampleSet::where(set(), all ? all->size() : 0, [&](std::size_t row) {
        const auto bin = bins_.binOf((*all)[row]);
        return bin && *bin >= first && *bin <= last;
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
    update();
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
    update();
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) {
    dragLast_.reset();
}

void HistogramView::leaveEvent(QEvent*) {
    hoverBin_.reset();
    update();
}

void HistogramView::moveCursor(std::size_t to, Qt::KeyboardModifiers modifiers) {
    cursor_ = to;
    if (modifiers & Qt::ShiftModifier) {
        if (!anchor_)
            anchor_ = to;
        pickBins(SelectionChange::Add, *anchor_, to);
    }
    update();
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection()->isEmpty()) {
        selection()->clear();
        return;
    }
    if (bins_.count() == 0) {
        LinkedView::keyPressEvent(event);
        return;
    }
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
        LinkedView::keyPressEvent(event);
    }
}

std::optional<Figure> HistogramView::figure() {
    if (bins_.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = title(columnId_);
    figure.chart = this;
    figure.caption =
        tr("%1: %2 %3").arg(catalogText(column()->title), catalogText(column()->definition), figureParameters(state()));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("count"),
                           QStringLiteral("rejected"), QStringLiteral("selected")});
    for (std::size_t bin = 0; bin < bins_.count(); ++bin) {
        const double low = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin];
        const double high = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin + 1];
        figure.data.push_back({dataNumber(low), dataNumber(high), QString::number(counts_[bin]),
                               QString::number(rejected_[bin]), QString::number(selected_[bin])});
    }
    return figure;
}

QString HistogramView::binText(std::size_t bin) const {
    const Unit unit = column()->unit;
    const QString range =
        bins_.discrete()
            ? formatValue(bins_.values[bin], *column())
            : tr("%1 to %2").arg(formatValue(bins_.edges[bin], unit), formatWithUnit(bins_.edges[bin + 1], unit));
    const std::size_t total = std::max<std::size_t>(total_, 1);
    QString text =
        tr("<b>%1: %2</b><br>%3 of %4 samples, %5")
            .arg(catalogText(column()->title).toHtmlEscaped(), range, formatCount(counts_[bin]), formatCount(total_),
                 formatPercent(static_cast<double>(counts_[bin]) / static_cast<double>(total)));
    if (selected_[bin] > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selected_[bin]));
    if (rejected_[bin] > 0)
        text += tr("<br>%1 of them rejected").arg(formatCount(rejected_[bin]));
    return text;
}

bool HistogramView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return LinkedView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bin = binAt(help->pos());
    if (bin && plotArea().contains(help->pos()))
        QToolTip::showText(help->globalPos(), binText(*bin), this, binRect(*bin));
    else if (column()) // beside the plot: what the axis means
        QToolTip::showText(help->globalPos(), metricToolTip(column()->title, column()->definition, column()->source),
                           this);
    return true;
}

} // namespace assay
