#include "widgets/features/pair_picture.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/features/picture_heading.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/text/names.h"

#include <QVBoxLayout>

#include <algorithm>

namespace assay {

PairPicture::PairPicture(SampleSelection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      heading_(new PictureHeading(QStringLiteral("\u25cf"), QStringLiteral("\u25b2"), this)), plot_(new Plot(this)) {
    setObjectName(QStringLiteral("pairPicture"));
    setFocusProxy(plot_);
    plot_->setAccessibleName(tr("Two features against each other"));
    auto* layout = newLayout<QVBoxLayout>(this, {}, 0);
    layout->addWidget(heading_);
    layout->addWidget(plot_, 1);
    connect(plot_, &Plot::themed, this, &PairPicture::draw);
    connect(plot_, &Plot::hovered, this, [this](std::optional<PlotPoint> point) {
        selection_->hover(point ? std::optional(marks_[plot_->idOf(*point)].sample) : std::nullopt);
    });
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        const SampleId sample = marks_[plot_->idOf(choice.to)].sample;
        const bool isTaken = selectionChange(choice.modifiers) == SelectionChange::Subtract;
        selection_->chooseBy(choice.modifiers, {sample}, isTaken ? std::nullopt : std::optional(sample));
    });
    connect(selection_, &SampleSelection::changed, this, &PairPicture::draw);
}

void PairPicture::takeMarks(const EmbeddingSet& set, SetId id, std::uint32_t first, std::uint32_t second) {
    const ValuePreparation& preparation = *state_.audit->real->set->preparation();
    const FeatureLayout layout = FeatureLayout::of(preparation, set.dim());
    const MatrixView matrix = set.matrix();
    const std::size_t count = std::min(matrix.rows, kMaxMarks);
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
    plot_->forgetCursor();
    const EmbeddingSet& real = *state.audit->real->set;
    const EmbeddingSet& synthetic = *state.current().set;
    x_ = featureName(real, first);
    y_ = featureName(real, second);
    if (real.isWhole() && synthetic.isWhole() && std::max(first, second) < real.dim()) {
        takeMarks(real, SetId::Real, first, second);
        takeMarks(synthetic, state.currentSet(), first, second);
    }
    std::ranges::stable_sort(marks_, {}, [](const Mark& mark) { return mark.value.x(); });
    showHeading();
    draw();
}

PlotSeries PairPicture::marksOf(bool real) const {
    PlotSeries series;
    QColor color = real ? colors::real(palette()) : colors::synthetic(palette());
    color.setAlphaF(0.6F);                                                        // many lie on each other
    series.mark = {real ? MarkShape::Circle : MarkShape::TriangleUp, 6.0, color}; // not by colour alone
    for (std::size_t mark = 0; mark < marks_.size(); ++mark)
        if (isReal(marks_[mark].sample.set) == real) {
            series.points.push_back(marks_[mark].value);
            series.ids.push_back(mark);
            series.selected.push_back(selection_->contains(marks_[mark].sample));
        }
    return series;
}

void PairPicture::draw() {
    PlotContent content;
    if (!marks_.empty()) {
        ValueRange x;
        ValueRange y;
        for (const Mark& mark : marks_) {
            x.include(mark.value.x());
            y.include(mark.value.y());
        }
        content.x = fittedAxis(x_, x, {.ticks = 4});
        content.y = fittedAxis(y_, y, {.ticks = 4});
        content.series = {marksOf(true), marksOf(false)};
        content.describe = [this](PlotPoint point) { return textOf(marks_[plot_->idOf(point)]); };
    }
    plot_->show(std::move(content));
}

void PairPicture::showHeading() {
    const bool inPart = std::max(state_.audit->real->set->rows(), state_.current().set->rows()) > kMaxMarks;
    heading_->setTexts(tr("%1 and %2").arg(x_, y_),
                       inPart ? tr("at most %1 samples of each set").arg(formatCount(kMaxMarks)) : QString());
}

QString PairPicture::textOf(const Mark& mark) const {
    const EmbeddingSet& set = state_.audit->setOf(mark.sample.set);
    const QString id = QString::fromStdString(briefText(set.idText(mark.sample.row))).toHtmlEscaped();
    return tr("<b>%1</b><br>%2: %3<br>%4: %5")
        .arg(isReal(mark.sample.set) ? tr("real sample %1").arg(id) : tr("synthetic sample %1").arg(id),
             x_.toHtmlEscaped(), formatNumber(mark.value.x()), y_.toHtmlEscaped(), formatNumber(mark.value.y()));
}

std::optional<Figure> PairPicture::figure() {
    if (marks_.empty())
        return std::nullopt;
    Figure figure;
    figure.title = heading_->title();
    figure.chart = this;
    figure.caption = tr("%1 of real and synthetic samples, evenly spaced rows where there are many. %2")
                         .arg(heading_->title(), figureParameters(state_));
    figure.data.push_back({QStringLiteral("set"), QStringLiteral("id"), x_, y_});
    for (const Mark& mark : marks_)
        figure.data.push_back({isReal(mark.sample.set) ? QStringLiteral("real") : QStringLiteral("synthetic"),
                               QString::fromStdString(state_.audit->setOf(mark.sample.set).idText(mark.sample.row)),
                               dataNumber(mark.value.x()), dataNumber(mark.value.y())});
    return figure;
}

} // namespace assay
