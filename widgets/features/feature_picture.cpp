#include "widgets/features/feature_picture.h"

#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/features/picture_heading.h"
#include "widgets/link/figure_parameters.h"

#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kFeatureTicks = 4;
constexpr double kFeatureHeadroom = 1.05;

/// Three digits where these tell the numbers apart; numbers such as years have all of theirs.
QStringList namesOf(const std::vector<double>& values) {
    constexpr double kLarge = 1000.0;
    QStringList names;
    for (const int digits : {3, 4, 5, 6}) {
        names.clear();
        for (const double value : values)
            names << QLocale().toString(value, 'g', std::abs(value) < kLarge ? digits : 6);
        if (QStringList(names).removeDuplicates() == 0)
            break;
    }
    return names;
}

} // namespace

FeaturePicture::FeaturePicture(SampleSelection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      heading_(new PictureHeading(QStringLiteral("\u25a0"), QStringLiteral("\u25a0"), this)), plot_(new Plot(this)) {
    setObjectName(QStringLiteral("featurePicture"));
    setFocusProxy(plot_);
    plot_->setAccessibleName(tr("The feature in both sets"));
    plot_->setMagnified({});
    auto* layout = newLayout<QVBoxLayout>(this, {}, 0);
    layout->addWidget(heading_);
    layout->addWidget(plot_, 1);
    connect(plot_, &Plot::themed, this, &FeaturePicture::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        selection_->chooseBy(choice.modifiers, state_.shownOf(bars_.samplesIn(choice.to.series, choice.to.point)));
    });
    connect(selection_, &SampleSelection::changed, this, [this] {
        countSelected();
        draw();
    });
}

FeatureBars FeaturePicture::barsOf(const ViewState& state, std::uint32_t feature) {
    return FeatureBars::of(*state.audit->real->set, *state.current().set, state.currentSet(), feature,
                           state.shown.get());
}

void FeaturePicture::showBars(const ViewState& state, const FeatureBars& bars) {
    state_ = state;
    bars_ = bars;
    if (const QString title = QString::fromStdString(bars_.title); std::exchange(title_, title) != title)
        plot_->forgetCursor();
    names_ = namesOf(bars_.values);
    for (const std::string& name : bars_.names)
        names_ << QString::fromStdString(name);
    showHeading();
    plot_->setVisible(bars_.count() > 0);
    countSelected();
    draw();
}

void FeaturePicture::showHeading() {
    if (bars_.count() == 0) {
        heading_->setTexts(tr("%1: nothing to draw").arg(title_), {});
        return;
    }
    const auto share = [](const FeatureBars::Side& side) {
        return formatPercent(side.total > 0 ? static_cast<double>(side.missing) / static_cast<double>(side.total)
                                            : 0.0);
    };
    const bool isMissing = bars_.sides[0].missing + bars_.sides[1].missing > 0;
    heading_->setTexts(
        title_,
        isMissing ? tr("missing: %1 of real, %2 of synthetic samples").arg(share(bars_.sides[0]), share(bars_.sides[1]))
                  : QString());
}

void FeaturePicture::countSelected() {
    for (std::size_t side = 0; side < 2; ++side) {
        const FeatureBars::Side& of = bars_.sides[side];
        selected_[side].assign(bars_.count(), 0);
        for (const SampleId sample : state_.shownOf(selection_->samples().in(of.set)))
            if (sample.row < of.barOfRow.size() && of.barOfRow[sample.row] != FeatureBars::kNone)
                ++selected_[side][of.barOfRow[sample.row]];
    }
}

ChartAxis FeaturePicture::xAxis() const {
    ChartAxis x =
        fittedAxis(title_, {bars_.edges.front(), bars_.edges.back(), false}, {.ticks = kFeatureTicks, .margin = 0.0});
    x.names = names_;
    x.elideNames = bars_.values.empty(); // a number is whole or left out
    for (qsizetype bar = 0; bar < names_.size(); ++bar)
        x.ticks.push_back(static_cast<double>(bar));
    return x;
}

ChartAxis FeaturePicture::yAxis() const {
    double largest = 0.0;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t bar = 0; bar < bars_.count(); ++bar)
            largest = std::max(largest, bars_.share(side, bar));
    ChartAxis y = fittedAxis(tr("% of the set"), {0.0, std::max(1e-6, 100.0 * kFeatureHeadroom * largest), false},
                             {.ticks = kFeatureTicks, .margin = 0.0});
    y.brief = QStringLiteral("%");
    y.definition = tr("Share of each set's samples, so that sets of different sizes can be compared");
    return y;
}

/// The real bars are the left halves of all ranges, the synthetic ones the right halves.
PlotSeries FeaturePicture::seriesOf(std::size_t side) const {
    PlotSeries series;
    series.mark.fill = side == 0 ? colors::real(palette()) : colors::synthetic(palette());
    series.barsApart = !names_.isEmpty();
    for (std::size_t bar = 0; bar < bars_.count(); ++bar) {
        const double middle = (bars_.edges[bar] + bars_.edges[bar + 1]) / 2.0;
        const std::size_t count = bars_.sides[side].counts[bar];
        series.bars.push_back(
            {.from = side == 0 ? bars_.edges[bar] : middle,
             .to = side == 0 ? middle : bars_.edges[bar + 1],
             .height = 100.0 * bars_.share(side, bar),
             .selected = count > 0 ? static_cast<double>(selected_[side][bar]) / static_cast<double>(count) : 0.0});
    }
    return series;
}

void FeaturePicture::draw() {
    PlotContent content;
    if (bars_.count() > 0) {
        content.x = xAxis();
        content.y = yAxis();
        content.series = {seriesOf(0), seriesOf(1)};
        content.describe = [this](PlotPoint bar) { return textOf(bar); };
    }
    plot_->show(std::move(content));
}

std::optional<Figure> FeaturePicture::figure() {
    if (bars_.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = tr("%1 of real and synthetic samples").arg(title_);
    figure.chart = this;
    figure.caption = tr("Share of each set's samples by %1. %2").arg(title_, figureParameters(state_));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("name"), QStringLiteral("real"),
                           QStringLiteral("synthetic")});
    for (std::size_t bar = 0; bar < bars_.count(); ++bar)
        figure.data.push_back({dataNumber(bars_.edges[bar]), dataNumber(bars_.edges[bar + 1]),
                               names_.value(static_cast<qsizetype>(bar)), QString::number(bars_.sides[0].counts[bar]),
                               QString::number(bars_.sides[1].counts[bar])});
    return figure;
}

QString FeaturePicture::textOf(PlotPoint bar) const {
    const FeatureBars::Side& side = bars_.sides[bar.series];
    const QString count = formatCount(side.counts[bar.point]);
    QString text = tr("<b>%1</b><br>%2, %3")
                       .arg(barText(bar.point).toHtmlEscaped(),
                            bar.series == 0 ? tr("%1 of %2 real samples").arg(count, formatCount(side.total))
                                            : tr("%1 of %2 synthetic samples").arg(count, formatCount(side.total)),
                            formatPercent(bars_.share(bar.series, bar.point)));
    if (const std::size_t selected = selected_[bar.series][bar.point]; selected > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selected));
    return text;
}

QString FeaturePicture::barText(std::size_t bar) const {
    if (!names_.isEmpty())
        return tr("%1: %2").arg(title_, names_[static_cast<qsizetype>(bar)]);
    if (bar == 0)
        return tr("%1: below %2").arg(title_, formatNumber(bars_.edges[1]));
    if (bar + 1 == bars_.count())
        return tr("%1: %2 and above").arg(title_, formatNumber(bars_.edges[bar]));
    return tr("%1: %2 to %3").arg(title_, formatNumber(bars_.edges[bar]), formatNumber(bars_.edges[bar + 1]));
}

void FeaturePicture::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection_->isEmpty())
        selection_->clear();
    else
        QWidget::keyPressEvent(event);
}

} // namespace assay
