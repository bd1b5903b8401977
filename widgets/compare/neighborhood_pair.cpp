#include "widgets/compare/neighborhood_pair.h"

#include "engine/report/scores/explain.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/grid/sample_texts.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace assay {

NeighborhoodPair::NeighborhoodPair(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent)
    : QWidget(parent), title_(new WrappingLabel(this)) {
    title_->setObjectName(QStringLiteral("neighborhoodTitle"));
    realStrip_ = named<SampleGrid>("neighborhoodReal", selection, cache, GridLook::strip(), this);
    realStrip_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    for (int at = 0; at < 2; ++at) {
        names_[at] = new WrappingLabel(this);
        names_[at]->setObjectName(QStringLiteral("neighborhoodName%1").arg(at));
        strips_[at] = new SampleGrid(selection, cache, GridLook::strip(), this);
        strips_[at]->setObjectName(QStringLiteral("neighborhoodStrip%1").arg(at));
        column->addWidget(names_[at]);
        column->addWidget(strips_[at]);
    }
    column->addStretch(1);
    auto* grid = newLayout<QGridLayout>(this);
    grid->setVerticalSpacing(2);
    grid->addWidget(title_, 0, 0, 1, 2);
    grid->addWidget(realStrip_, 1, 0, Qt::AlignTop);
    grid->addLayout(column, 1, 1);
    grid->setColumnStretch(1, 1);
    for (SampleGrid* strip : {realStrip_, strips_[0], strips_[1]})
        connect(strip, &SampleGrid::inspectRequested, this, &NeighborhoodPair::inspectRequested);
}

void NeighborhoodPair::show(const ViewState& state, std::size_t first, std::size_t second,
                            std::optional<std::uint32_t> real) {
    real_ = real;
    if (!real) {
        title_->setText(tr("Select a real sample, or a synthetic one, to compare what both models make there."));
        for (SampleGrid* strip : {realStrip_, strips_[0], strips_[1]})
            strip->hide();
        for (QLabel* name : names_)
            name->hide();
        return;
    }
    const SampleId sample{SetId::Real, *real};
    title_->setText(
        tr("Nearest synthetic samples of real sample %1").arg(sampleCaption(*state.audit, sample).left(100)));
    realStrip_->setAccessibleName(tr("The real sample"));
    realStrip_->setCells(state, GridList::singles({sample}));
    realStrip_->show();
    const double radius = state.audit->real->radius.at(*real);
    const std::size_t models[2] = {first, second};
    for (int at = 0; at < 2; ++at) {
        std::vector<SampleId> nearest;
        std::size_t inside = 0;
        double distance = 0.0;
        const auto found = nearestSamples(*state.audit, models[at], sample, Side::Synthetic, kMost);
        for (const NeighborRelation& relation : found) {
            nearest.push_back(relation.neighbor);
            inside += relation.distance <= radius ? 1 : 0;
        }
        if (!found.empty())
            distance = found.front().distance;
        const QString name = QString::fromStdString(state.audit->models[models[at]]->name);
        names_[at]->setText(
            tr("%1: the nearest sample is %2 away; inside the real sample's ball: %3 of the %4 samples shown.")
                .arg(name.left(60), formatNumber(distance), formatCount(inside), formatCount(found.size())));
        names_[at]->show();
        strips_[at]->setAccessibleName(tr("Nearest samples of %1").arg(name));
        strips_[at]->setCells(state, GridList::singles(nearest));
        strips_[at]->show();
    }
}

bool NeighborhoodPair::shows(SampleId sample) const {
    return std::ranges::any_of(strips_, [&](const SampleGrid* strip) {
        const std::vector<SampleId> shown = strip->samples();
        return std::ranges::find(shown, sample) != shown.end();
    });
}

} // namespace assay
