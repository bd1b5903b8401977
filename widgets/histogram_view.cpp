#include "widgets/histogram_view.h"

#include "widgets/number_format.h"
#include "widgets/sample_selection.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kTopMargin = 10;
constexpr int kRightMargin = 12;
constexpr int kLeastBar = 2; // pixels: a single sample among thousands must be seen

} // namespace

HistogramView::HistogramView(std::string columnId, SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), columnId_(std::move(columnId)) {
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
    if (before == after && previous.model == state().model && previous.kept == state().kept)
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
    bins_ = {};
    counts_.clear();
    rejected_.clear();
    tallest_ = 0;
    const std::vector<double>* all = values();
    if (!all || !column())
        return;
    bins_ = chooseBins(*all, column()->unit, state().audit->k);
    counts_ = countPerBin(bins_, *all);
    rejected_.assign(bins_.count(), 0);
    if (!isReal(set()) && state().kept)
        for (std::size_t row = 0; row < all->size(); ++row)
            if (!state().isKept(row))
                if (const auto bin = bins_.binOf((*all)[row]))
                    ++rejected_[*bin];
    if (!counts_.empty())
        tallest_ = *std::max_element(counts_.begin(), counts_.end());
}

void HistogramView::countSelected() {
    selected_.assign(bins_.count(), 0);
    const std::vector<double>* all = values();
    if (!all)
        return;
    for (SampleId id : selection()->samples())
        if (id.set == set() && id.row < all->size())
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
    return std::max(kLeastBar, static_cast<int>(std::lround(share * (plotArea().height() - 4))));
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

std::vector<SampleId> HistogramView::samplesIn(std::size_t first, std::size_t last) const {
    std::vector<SampleId> samples;
    const std::vector<double>* all = values();
    for (std::size_t row = 0; all && row < all->size(); ++row)
        if (const auto bin = bins_.binOf((*all)[row]); bin && *bin >= first && *bin <= last)
            samples.push_back({set(), static_cast<std::uint32_t>(row)});
    return samples;
}

void HistogramView::selectBins(std::size_t first, std::size_t last, bool add) {
    std::vector<SampleId> samples = samplesIn(std::min(first, last), std::max(first, last));
    if (add)
        samples.insert(samples.end(), dragBase_.begin(), dragBase_.end());
    selection()->replace(std::move(samples));
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
    const bool control = event->modifiers() & Qt::ControlModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    dragBase_ = control ? selection()->samples() : std::vector<SampleId>{};
    if (!shift || !anchor_)
        anchor_ = bin;
    cursor_ = bin;
    dragLast_ = bin;
    if (control && !shift && counts_[*bin] > 0 && selected_[*bin] == counts_[*bin]) {
        // Ctrl on a bar that is wholly selected takes it out again.
        const std::vector<SampleId> out = samplesIn(*bin, *bin);
        std::vector<SampleId> rest;
        std::set_difference(dragBase_.begin(), dragBase_.end(), out.begin(), out.end(), std::back_inserter(rest));
        dragLast_.reset();
        selection()->replace(std::move(rest));
        return;
    }
    selectBins(*anchor_, *bin, control);
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
            selectBins(*anchor_, *bin, !dragBase_.empty());
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
    dragBase_.clear();
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
        selectBins(*anchor_, to, false);
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
        dragBase_ = selection()->samples();
        selectBins(*cursor_, *cursor_, event->modifiers() & Qt::ControlModifier);
        dragBase_.clear();
        return;
    default:
        LinkedView::keyPressEvent(event);
    }
}

QString HistogramView::binText(std::size_t bin) const {
    const Unit unit = column()->unit;
    const QString range =
        bins_.discrete()
            ? formatValue(bins_.values[bin], *column())
            : tr("%1 to %2").arg(formatValue(bins_.edges[bin], unit), formatWithUnit(bins_.edges[bin + 1], unit));
    const std::size_t total = values()->size();
    QString text =
        tr("<b>%1: %2</b><br>%3 of %4 samples, %5")
            .arg(catalogText(column()->title).toHtmlEscaped(), range, formatCount(counts_[bin]), formatCount(total),
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
