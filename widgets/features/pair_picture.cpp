#include "widgets/features/pair_picture.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/features/picture_heading.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/text/feature_name.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineF>
#include <QPainter>
#include <QScatterSeries>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kPairMark = 6.0;   // diameter
constexpr double kPairReach = 10.0; // how near a click must be
constexpr int kPairTicks = 4;
constexpr double kPairMargin = 0.04; // of the range, beside the outermost marks

ChartAxis pairAxis(const QString& title, double from, double to) {
    const double margin = std::max((to - from) * kPairMargin, 1e-9 * std::max(1.0, std::abs(to)));
    ChartAxis axis{title, from - margin, to + margin};
    const std::vector<double> ticks = axisTicks(axis.from, axis.to, kPairTicks);
    axis.step = ticks.size() > 1 ? ticks[1] - ticks[0] : axis.to - axis.from;
    axis.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(axis.step) + 1e-9)), 0, 8);
    return axis;
}

} // namespace

PairPicture::PairPicture(SampleSelection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      heading_(new PictureHeading(QStringLiteral("\u25cf"), QStringLiteral("\u25b2"), this)),
      frame_(new ChartFrame(this)), real_(new QScatterSeries(this)), synthetic_(new QScatterSeries(this)) {
    setObjectName(QStringLiteral("pairPicture"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Two features against each other"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(heading_);
    layout->addWidget(frame_, 1);
    for (QScatterSeries* series : {real_, synthetic_}) {
        series->setMarkerSize(kPairMark);
        frame_->addSeries(series);
    }
    synthetic_->setMarkerShape(QScatterSeries::MarkerShapeTriangle); // not by colour alone
    themeSeries();
    frame_->setOverlay([this](QPainter& painter) { paintSelected(painter); });
    connect(frame_, &ChartFrame::themed, this, &PairPicture::themeSeries);
    connect(frame_, &ChartFrame::mouseMoved, this, [this](QPoint point) {
        const auto mark = markAt(point);
        selection_->hover(mark ? std::optional(marks_[*mark].sample) : std::nullopt);
    });
    connect(frame_, &ChartFrame::toolTipWanted, this, [this](QPoint point, QPoint globalPoint) {
        if (const auto mark = markAt(point))
            QToolTip::showText(globalPoint, textOf(marks_[*mark]), this);
        else
            QToolTip::hideText();
    });
    connect(frame_, &ChartFrame::mouseLeft, this, [this] { selection_->hover(std::nullopt); });
    connect(frame_, &ChartFrame::clicked, this, [this](QPoint point) {
        setFocus(Qt::MouseFocusReason);
        if (const auto mark = markAt(point))
            select(*mark, QGuiApplication::keyboardModifiers());
    });
    connect(selection_, &SampleSelection::changed, this, [this] { frame_->refresh(); });
}

void PairPicture::takeMarks(const EmbeddingSet& set, SetId id, std::uint32_t first, std::uint32_t second) {
    const ValuePreparation& preparation = *state_.audit->real->set->preparation();
    const FeatureLayout layout = FeatureLayout::of(preparation, set.dim());
    const MatrixView matrix = set.matrix();
    const std::size_t count = std::min(matrix.rows, kMostMarks);
    for (std::size_t m = 0; m < count; ++m) {
        const std::size_t row = m * matrix.rows / count;
        const SampleId sample{id, static_cast<std::uint32_t>(row)};
        const float* values = matrix.rowData(row);
        const bool isMissing = std::ranges::any_of(layout.gaps, [&](const FeatureLayout::Gap& gap) {
            return (gap.of == first || gap.of == second) && values[gap.indicator] > 0.0F;
        });
        if (!isMissing && state_.isShown(sample))
            marks_.push_back({sample,
                              {inFile(preparation, first, static_cast<double>(values[first])),
                               inFile(preparation, second, static_cast<double>(values[second]))}});
    }
}

void PairPicture::showPair(const ViewState& state, std::uint32_t first, std::uint32_t second) {
    state_ = state;
    marks_.clear();
    cursor_.reset();
    const EmbeddingSet& real = *state.audit->real->set;
    const EmbeddingSet& synthetic = *state.current().set;
    const QString x = featureName(real, first);
    const QString y = featureName(real, second);
    if (real.isWhole() && synthetic.isWhole() && std::max(first, second) < real.dim()) {
        takeMarks(real, SetId::Real, first, second);
        takeMarks(synthetic, state.currentSet(), first, second);
    }
    std::ranges::stable_sort(marks_, {}, [](const Mark& mark) { return mark.value.x(); });
    QList<QPointF> ofReal;
    QList<QPointF> ofSynthetic;
    for (const Mark& mark : marks_)
        (isReal(mark.sample.set) ? ofReal : ofSynthetic) << mark.value;
    fitAxes(x, y);
    real_->replace(ofReal);
    synthetic_->replace(ofSynthetic);
    showHeading(tr("%1 and %2").arg(x, y));
    frame_->refresh();
}

void PairPicture::fitAxes(const QString& x, const QString& y) {
    if (marks_.empty())
        return;
    const auto [lowest, highest] =
        std::ranges::minmax_element(marks_, {}, [](const Mark& mark) { return mark.value.y(); });
    frame_->setAxes(pairAxis(x, marks_.front().value.x(), marks_.back().value.x()),
                    pairAxis(y, lowest->value.y(), highest->value.y()));
}

void PairPicture::showHeading(const QString& title) {
    const bool inPart = std::max(state_.audit->real->set->rows(), state_.current().set->rows()) > kMostMarks;
    heading_->setTexts(title, inPart ? tr("at most %1 samples of each set").arg(formatCount(kMostMarks)) : QString());
}

QString PairPicture::textOf(const Mark& mark) const {
    const EmbeddingSet& set = state_.audit->setOf(mark.sample.set);
    const QString id = QString::fromStdString(briefText(set.idText(mark.sample.row))).toHtmlEscaped();
    return tr("<b>%1</b><br>%2: %3<br>%4: %5")
        .arg(isReal(mark.sample.set) ? tr("real sample %1").arg(id) : tr("synthetic sample %1").arg(id),
             frame_->xAxis().title.toHtmlEscaped(), formatNumber(mark.value.x()), frame_->yAxis().title.toHtmlEscaped(),
             formatNumber(mark.value.y()));
}

void PairPicture::themeSeries() {
    const auto paint = [](QScatterSeries* series, QColor color) {
        series->setBorderColor(Qt::transparent);
        color.setAlphaF(0.6F); // many lie on each other
        series->setColor(color);
    };
    paint(real_, colors::real(palette()));
    paint(synthetic_, colors::synthetic(palette()));
}

std::optional<Figure> PairPicture::figure() {
    if (marks_.empty())
        return std::nullopt;
    Figure figure;
    figure.title = heading_->title();
    figure.chart = this;
    figure.caption = tr("%1 of real and synthetic samples, evenly spaced rows where there are many. %2")
                         .arg(heading_->title(), figureParameters(state_));
    figure.data.push_back({QStringLiteral("set"), QStringLiteral("id"), frame_->xAxis().title, frame_->yAxis().title});
    for (const Mark& mark : marks_)
        figure.data.push_back({isReal(mark.sample.set) ? QStringLiteral("real") : QStringLiteral("synthetic"),
                               QString::fromStdString(state_.audit->setOf(mark.sample.set).idText(mark.sample.row)),
                               dataNumber(mark.value.x()), dataNumber(mark.value.y())});
    return figure;
}

QPoint PairPicture::placeOf(std::size_t mark) const {
    return (frame_->toWidget(marks_[mark].value, real_) + frame_->pos()).toPoint();
}

std::optional<std::size_t> PairPicture::markAt(QPoint point) const {
    std::optional<std::size_t> nearest;
    double least = kPairReach;
    for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
        const double distance = QLineF(frame_->toWidget(marks_[mark].value, real_), point).length();
        if (distance < least && frame_->isInPart(marks_[mark].value)) {
            least = distance;
            nearest = mark;
        }
    }
    return nearest;
}

void PairPicture::select(std::size_t mark, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = marks_[mark].sample;
    cursor_ = mark;
    const SelectionChange how = selectionChange(modifiers);
    selection_->change(how, {sample},
                       how == SelectionChange::Subtract ? std::nullopt : std::optional<SampleId>(sample));
    frame_->refresh();
}

void PairPicture::keyPressEvent(QKeyEvent* event) {
    if (marks_.empty() || frame_->navigate(*event)) {
        if (marks_.empty())
            QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = marks_.size() - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        cursor_ = cursor_ ? std::max<std::size_t>(*cursor_, 1) - 1 : last;
        break;
    case Qt::Key_Right:
        cursor_ = cursor_ ? std::min(*cursor_ + 1, last) : 0;
        break;
    case Qt::Key_Home:
        cursor_ = 0;
        break;
    case Qt::Key_End:
        cursor_ = last;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_)
            select(*cursor_, event->modifiers());
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    frame_->reveal(marks_[*cursor_].value);
    frame_->refresh();
}

void PairPicture::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    frame_->refresh();
}

void PairPicture::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    frame_->refresh();
}

void PairPicture::paintSelected(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t m = 0; m < marks_.size(); ++m) {
        if (!frame_->isInPart(marks_[m].value))
            continue;
        const QPointF place = frame_->toWidget(marks_[m].value, real_);
        if (selection_->contains(marks_[m].sample)) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), 3.5));
            painter.drawEllipse(place, kPairMark, kPairMark);
            painter.setPen(QPen(colors::selected(palette()), 2.0));
            painter.drawEllipse(place, kPairMark, kPairMark);
        }
        if (cursor_ == m && hasFocus()) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
            painter.drawRect(QRectF(place.x() - 9, place.y() - 9, 18, 18));
        }
    }
    if (hasFocus() && !cursor_) { // arrow keys have not chosen a mark yet
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(frame_->plotArea().adjusted(0, 0, -1, -1));
    }
}

} // namespace assay
