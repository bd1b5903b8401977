#include "engine/subsets/order/listed_pairs.h"

#include "engine/audit/result/audit_result.h"

#include <algorithm>
#include <span>
#include <utility>

namespace assay {
namespace {

/// An audit of which the held-out set is the only model.
std::shared_ptr<const AuditResult> heldOutAuditOf(const std::shared_ptr<const AuditResult>& audit) {
    if (!audit || !audit->heldOut)
        return nullptr;
    auto heldOut = std::make_shared<AuditResult>();
    heldOut->k = audit->k;
    heldOut->real = audit->real;
    heldOut->models = {audit->heldOut->audit};
    return heldOut;
}

} // namespace

void ListedPairs::show(const Scope& scope, std::shared_ptr<const PairLists> lists, PairKind kind) {
    if (!scope.audit || !scope_.audit || scope.audit->heldOut != scope_.audit->heldOut)
        heldOut_ = heldOutAuditOf(scope.audit);
    scope_ = scope;
    lists_ = std::move(lists);
    kind_ = kind;
    shown_.reset();
    firstPlaces_ = {};
    remarkable_ = {};
    if (!lists_)
        return;
    for (const PairKind each : kPairKinds)
        remarkable_[static_cast<std::size_t>(each)] = lists_->of(each).remarkable;
    if (scope_.shown)
        filter();
}

void ListedPairs::filter() {
    std::vector<std::uint32_t>& left = shown_.emplace();
    const std::vector<SamplePair>& pairs = all().pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (isShown(pairs[i], kind_))
            left.push_back(static_cast<std::uint32_t>(i));
    for (const PairKind each : kPairKinds) {
        std::size_t& count = remarkable_[static_cast<std::size_t>(each)];
        const auto first = std::span(lists_->of(each).pairs).first(count);
        if (each == kind_)
            count = static_cast<std::size_t>(std::ranges::lower_bound(left, count) - left.begin());
        else
            count = static_cast<std::size_t>(
                std::ranges::count_if(first, [&](const SamplePair& pair) { return isShown(pair, each); }));
    }
}

std::size_t ListedPairs::size() const noexcept {
    if (!lists_)
        return 0;
    return shown_ ? shown_->size() : all().pairs.size();
}

SampleId ListedPairs::idOf(const SamplePair& pair, PairKind kind, PairSide side) const {
    const std::uint32_t row = side == PairSide::Left ? pair.first : pair.second;
    if (kind == PairKind::Duplicates)
        return {syntheticSet(scope_.model), row};
    if (kind == PairKind::Exposed)
        return {side == PairSide::Left ? SetId::Real : syntheticSet(scope_.model), row};
    if (side == PairSide::Right)
        return {SetId::Real, row};
    return {kind == PairKind::Leaks ? syntheticSet(0) : syntheticSet(scope_.model), row};
}

bool ListedPairs::isShown(const SamplePair& pair, PairKind kind) const {
    const bool left = kind == PairKind::Leaks || scope_.shown->contains(idOf(pair, kind, PairSide::Left));
    return left && scope_.shown->contains(idOf(pair, kind, PairSide::Right));
}

SampleId ListedPairs::sampleAt(PairCell cell) const {
    return idOf(pairAt(cell.position), kind_, cell.side);
}

const std::vector<std::uint32_t>& ListedPairs::firstPlaces(PairSide side) const {
    std::vector<std::uint32_t>& places = firstPlaces_[side == PairSide::Left ? 0 : 1];
    if (places.empty() && size() > 0) {
        places.resize(auditOf(side).setOf(sampleAt({0, side}).set).rows());
        for (std::size_t at = size(); at-- > 0;)
            places[sampleAt({at, side}).row] = static_cast<std::uint32_t>(at + 1);
    }
    return places;
}

std::optional<PairCell> ListedPairs::find(SampleId sample) const {
    std::optional<PairCell> found;
    for (const PairSide side : {PairSide::Left, PairSide::Right}) {
        if (size() == 0 || isHeldOut(side) || sampleAt({0, side}).set != sample.set)
            continue;
        const std::vector<std::uint32_t>& places = firstPlaces(side);
        const std::size_t place = sample.row < places.size() ? places[sample.row] : 0;
        if (place > 0 && (!found || place - 1 < found->position))
            found = PairCell{place - 1, side};
    }
    return found;
}

SampleSet ListedPairs::remarkableSamples(PairSide side) const {
    std::vector<SampleId> samples;
    if (!isHeldOut(side))
        for (std::size_t at = 0; at < remarkable(); ++at)
            samples.push_back(sampleAt({at, side}));
    return samples;
}

} // namespace assay
