#include "engine/neighbors/products/candidate_measurement.h"

#include "engine/math/products/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace assay {

CandidateMeasurement::CandidateMeasurement(const SearchSide& side, CandidateLists& lists, NearestMeasured& nearest,
                                           BallCounter& balls)
    : side_(side), lists_(lists), nearest_(nearest), balls_(balls), chosen_(side.queries.rows, 0),
      next_(side.queries.rows, 0) {}

std::size_t CandidateMeasurement::measure(std::size_t query, const JobContext& job) {
    const std::size_t all = side_.base.rows;
    const std::size_t lowest = chooseLowest(query);
    measureChosen(query, all, job);
    const std::size_t doubtful = chooseDoubtful(query);
    measureChosen(query, all, job);
    lists_.truncate(query, 0);
    return lowest + doubtful;
}

std::size_t CandidateMeasurement::chooseLowest(std::size_t query) {
    const bool more = lists_.list(query).size() > lists_.k();
    const float kth = more ? lists_.tightenLimit(query) : std::numeric_limits<float>::infinity();
    const std::span<Candidate> list = lists_.list(query);
    std::size_t lowest = 0;
    for (Candidate& candidate : list) { // without branches: which ones are low cannot be predicted
        const bool isLow = candidate.estimate <= kth;
        std::swap(candidate, list[lowest]);
        lowest += isLow ? 1 : 0;
    }
    return choose(query, lowest);
}

std::size_t CandidateMeasurement::chooseDoubtful(std::size_t query) {
    const std::span<Candidate> list = lists_.list(query);
    const PruningLimit limit = PruningLimit::of(lists_.limit(query), side_.queryOperand->bounds(query));
    std::size_t doubtful = 0;
    for (const Candidate& candidate : list.subspan(chosen_[query])) {
        if (limit.admits(candidate.estimate, side_.baseOperand->bounds(candidate.index)))
            list[doubtful++] = candidate;
        else if (lists_.keepsBeyondLimit(query))
            balls_.count(query, candidate.index, side_.bounds(query, candidate.index, candidate.estimate));
    }
    lists_.truncate(query, doubtful);
    return choose(query, doubtful);
}

std::size_t CandidateMeasurement::choose(std::size_t query, std::size_t number) {
    std::ranges::sort(lists_.list(query).first(number), {}, &Candidate::index);
    chosen_[query] = static_cast<std::uint32_t>(number);
    next_[query] = 0;
    return number;
}

void CandidateMeasurement::measureChosen(std::size_t query, std::size_t endRow, const JobContext& job) {
    const std::span<const Candidate> chosen = lists_.list(query).first(chosen_[query]);
    std::uint32_t& next = next_[query];
    NearestMeasured::Row nearest(nearest_, query);
    constexpr std::size_t kAtOnce = 64;
    std::array<std::uint32_t, kAtOnce> rows;
    std::array<double, kAtOnce> squared;
    while (next < chosen.size() && chosen[next].index < endRow) {
        job.throwIfStopped();
        std::size_t count = 0;
        for (; count < kAtOnce && next < chosen.size() && chosen[next].index < endRow; ++next)
            rows[count++] = chosen[next].index;
        kernels().squaredDistances(side_.queries.rowData(query), side_.base, {rows.data(), count}, squared.data());
        for (std::size_t c = 0; c < count; ++c) {
            const double distance = std::sqrt(squared[c]);
            nearest.add(rows[c], distance);
            if (lists_.keepsBeyondLimit(query))
                balls_.count(query, rows[c], distance);
        }
    }
    if (next < chosen.size())
        return nearest.merge();
    nearest.finish();
    lowerLimit(query);
}

void CandidateMeasurement::lowerLimit(std::size_t query) {
    const double furthest = nearest_.furthest(query) * side_.scale;
    lists_.lower(query, roundUp(furthest * furthest));
}

void CandidateMeasurement::prefetch(std::size_t query) const noexcept {
    constexpr std::size_t kPerLine = 64 / sizeof(Candidate);
    const std::span<const Candidate> list = lists_.list(query);
    for (std::size_t c = 0; c < list.size(); c += kPerLine)
        __builtin_prefetch(&list[c]);
}

} // namespace assay
