#include "widgets/sample/sample_panel.h"

#include "engine/data/brief_text.h"
#include "engine/report/scores/explain.h"
#include "engine/report/scores/sample_comparison.h"
#include "widgets/common/number_format.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/feature_glyphs.h"
#include "widgets/link/sample_groups.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/sample/feature_contrast_table.h"
#include "widgets/sample/neighbor_cells.h"
#include "widgets/sample/note_edit.h"
#include "widgets/sample/sample_comparison_view.h"
#include "widgets/sample/verdict_badge.h"
#include "widgets/tables/table_view.h"

#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kBars = 8;
constexpr int kSmallestCompared = 64;
constexpr int kLargestCompared = 160;
constexpr double kPictureShare = 0.26; // of the panel's height, so that neighbours stay in sight

} // namespace

const ModelAudit* SamplePanel::modelOf(SampleId sample) const {
    if (!isReal(sample.set))
        return state().audit->models[modelIndex(sample.set)].get();
    return state().hasModel() ? &state().current() : nullptr;
}

void SamplePanel::stateChanged(const Changes& changes) {
    const auto& before = changes.before.audit;
    if (changes.audit) {
        // Ids of the history stay valid only while they name the same sets.
        const auto sameSet = [&](SampleId id) {
            return state().audit && pictures()->contains(id) && before &&
                   &before->setOf(id.set) == &state().audit->setOf(id.set);
        };
        if (!before || !std::ranges::all_of(visited_.all(), sameSet)) {
            visited_.clear();
            const auto focus = selection()->focus();
            if (focus && pictures()->contains(*focus))
                visited_.visit(*focus);
        }
    }
    showSample();
}

void SamplePanel::selectionChanged() {
    const auto focus = selection()->focus();
    if (focus && ((focus == shown_ && !isExample_) || !pictures()->contains(*focus)))
        return;
    if (focus && !walking_)
        visited_.visit(*focus);
    showSample();
}

void SamplePanel::go(std::ptrdiff_t steps) {
    const auto sample = visited_.at(steps);
    if (!sample)
        return;
    visited_.move(steps);
    walking_ = true;
    selection()->select(*sample);
    walking_ = false;
    showSample();
}

void SamplePanel::goBack() {
    // With nothing in focus, back means the last sample looked at.
    go(focusedSample() ? -1 : 0);
}

void SamplePanel::goForward() {
    go(1);
}

void SamplePanel::editNote() {
    if (!shown_)
        return;
    scroll_->ensureWidgetVisible(note_);
    note_->begin();
}

QJsonObject SamplePanel::saveState() const {
    return {{QStringLiteral("scores"), scoresToggle_->isChecked()}};
}

void SamplePanel::restoreState(const QJsonObject& state) {
    scoresToggle_->setChecked(state.value(QStringLiteral("scores")).toBool(scoresToggle_->isChecked()));
}

void SamplePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    comparison_->setLargestPicture(
        std::clamp(static_cast<int>(kPictureShare * height()), kSmallestCompared, kLargestCompared));
}

std::optional<SampleId> SamplePanel::focusedSample() const {
    const auto focus = selection()->focus();
    return focus && state().audit && pictures()->contains(*focus) ? focus : std::nullopt;
}

const Finding* SamplePanel::exampleFinding() const {
    if (!state().hasModel())
        return nullptr;
    const std::vector<Finding>& findings = state().current().findings;
    const auto found = std::ranges::find_if(findings, [](const Finding& finding) { return !finding.examples.empty(); });
    return found == findings.end() ? nullptr : &*found;
}

void SamplePanel::showExampleHint(bool isExample) {
    isExample_ = isExample;
    example_->setVisible(isExample);
    if (isExample)
        example_->setText(tr("Example of the first finding: %1. Click any sample to see it here instead.")
                              .arg(catalogText(exampleFinding()->kind->title).toLower()));
}

void SamplePanel::showSample() {
    shown_ = focusedSample();
    back_->setEnabled(visited_.at(shown_ ? -1 : 0).has_value());
    const Finding* example = selection()->isEmpty() ? exampleFinding() : nullptr;
    showExampleHint(!shown_ && example != nullptr);
    if (isExample_)
        shown_ =
            SampleId{example->side == Side::Real ? SetId::Real : state().currentSet(), example->examples.front().row};
    forward_->setEnabled(visited_.at(1).has_value());
    if (!shown_) {
        showNothing();
        return;
    }
    showNames(*shown_);
    badge_->showVerdict(state(), *shown_);
    comparison_->showSample(state(), *shown_);
    showNeighbors(*shown_);
    showScores();
    showContent();
}

void SamplePanel::showNothing() {
    note_->showNote(std::nullopt, {});
    name_->clear();
    badge_->hide();
    comparison_->clear();
    features_->clear();
    for (SampleGrid* grid : {nearestReal_, nearestSynthetic_})
        grid->setCells({}, {});
    scores_->setContent({});
    if (!state().hasModel())
        return;
    if (const auto count = static_cast<int>(selection()->samples().size()); count > 0)
        showMessage(tr("%1 samples are selected. Click one of them to see it beside its nearest real or synthetic "
                       "sample, with the reason for its scores.",
                       nullptr, count)
                        .arg(formatCount(static_cast<std::uint64_t>(count))));
    else
        showMessage(tr("Click a sample in any panel to see it here beside its nearest real or synthetic sample, with "
                       "the reason for its scores."));
}

void SamplePanel::showNames(SampleId sample) {
    const EmbeddingSet& set = state().audit->setOf(sample.set);
    const QString id = QString::fromStdString(set.idText(sample.row));
    name_->setText(id);
    name_->setToolTip(
        tr("%1, row %2 of its file")
            .arg(QString::fromStdString(briefText(id.toStdString(), 120)), formatCount(set.fileRow(sample.row))));
    const QString group = groupSentence(state(), sample);
    group_->setText(group);
    group_->setVisible(!group.isEmpty());
    QString origin = decisionText(state(), sample);
    if (const QString tags = tagsText(state(), sample); !tags.isEmpty())
        origin = origin.isEmpty() ? tr("tags: %1").arg(tags) : tr("%1; tags: %2").arg(origin, tags);
    origin_->setText(origin);
    origin_->setVisible(!origin.isEmpty());
    note_->showNote(sample, QString::fromStdString(state().noteOf(sample)));
    reason_->setText(QString::fromStdString(explainSample(*state().audit, state().model, sample)));
    reason_->setToolTip(
        tr("<p>The ball of a real sample reaches to its k-th nearest real neighbour (k = %1). Where it decides whether "
           "a synthetic sample looks real, its radius is cut to the median of all radii.</p>")
            .arg(formatCount(state().audit->real->k)));
    reason_->setVisible(!reason_->text().isEmpty());
}

void SamplePanel::showScores() {
    const ModelAudit* model = shown_ ? modelOf(*shown_) : nullptr;
    scoresToggle_->setVisible(model != nullptr);
    const bool open = scoresToggle_->isChecked() && model != nullptr;
    scoresToggle_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    scores_->setVisible(open);
    if (open)
        scores_->setContent(scoreList(state(), *model, *shown_));
    else
        scores_->setContent({});
}

void SamplePanel::showNeighbors(SampleId sample) {
    const AuditResult& audit = *state().audit;
    const auto real = nearestSamples(audit, state().model, sample, Side::Real, kMaxNeighbors);
    std::vector<NeighborRelation> synthetic;
    if (modelOf(sample))
        synthetic = nearestSamples(audit, state().model, sample, Side::Synthetic, kMaxNeighbors);
    // Coverage counts the synthetic samples in the ball of a real one.
    const Ball ball = isReal(sample.set) ? Ball::Inspected : Ball::Neighbors;
    if (ball == Ball::Inspected)
        for (NeighborRelation& relation : synthetic) {
            relation.radius = audit.real->radius[sample.row];
            relation.inside = relation.distance <= relation.radius;
        }
    const auto bars = showFeatures(sample, isReal(sample.set) ? synthetic : real);
    const auto barsOf = [&](const std::vector<NeighborRelation>& side) {
        return !side.empty() && audit.setOf(side.front().neighbor.set).images() ? nullptr : bars;
    };
    const auto fill = [&](SampleGrid* grid, const std::vector<NeighborRelation>& neighbors, Ball of) {
        grid->setLook(neighborLook(barsOf(neighbors) != nullptr));
        grid->setCells(state(), neighborCells(state(), neighbors, barsOf(neighbors), of));
    };
    fill(nearestReal_, real, Ball::Neighbors);
    fill(nearestSynthetic_, synthetic, ball);
    for (QWidget* part : {static_cast<QWidget*>(realCaption_), static_cast<QWidget*>(nearestReal_)})
        part->setVisible(!real.empty());
    for (QWidget* part : {static_cast<QWidget*>(syntheticCaption_), static_cast<QWidget*>(nearestSynthetic_)})
        part->setVisible(!synthetic.empty());
}

std::shared_ptr<const BarFeatures> SamplePanel::showFeatures(SampleId sample,
                                                             const std::vector<NeighborRelation>& nearest) {
    const AuditResult& audit = *state().audit;
    const bool drawn =
        audit.setOf(sample.set).images() && (nearest.empty() || audit.setOf(nearest.front().neighbor.set).images());
    std::vector<FeatureContrast> contrasts;
    auto bars = std::make_shared<BarFeatures>();
    if (!drawn && !nearest.empty()) {
        bars->standards = featureStandards(audit);
        contrasts = contrastFeatures(audit, bars->standards, sample, nearest.front().neighbor);
    }
    features_->setVisible(!contrasts.empty());
    if (contrasts.empty()) {
        features_->clear();
        return nullptr;
    }
    for (std::size_t i = 0; i < std::min(kBars, contrasts.size()); ++i)
        bars->features.push_back(contrasts[i].feature);
    bars->reference = bars->scoresOf(audit, sample);
    features_->showContrasts(state(), std::move(contrasts), tr("this"), tr("nearest"));
    return bars;
}

} // namespace assay
