#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/tables/metric.h"
#include "engine/subsets/rules/tags.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;

/// Samples of a listing that belong together, one after another.
struct SampleGroup {
    std::uint32_t key; ///< verdict as a number, class code, or row of the nearest sample of the other set
    std::size_t first; ///< position of its best-ranked sample
    std::size_t count; ///< above zero
};

enum class SortDirection { Ascending, Descending };

/// Sort key of samples: "id", "class", "kept", "tags", "note" or the id of a column of their side.
struct SampleOrder {
    std::string column = "p_any";
    SortDirection direction = SortDirection::Ascending;
    Side side = Side::Synthetic; ///< which set is listed
};

/// 0, 1, .., rows - 1.
std::vector<double> rowNumbers(std::size_t rows);

/// Which samples a ranking lists.
/// Undecided: what nobody has judged by hand; Reviewed: the others.
enum class RankingShow { All, Selected, Kept, Rejected, Accused, Undecided, Reviewed };

/// Criterion for grouping listed samples. Nearest: the nearest sample of the other set.
enum class RankingGrouping { None, Verdict, Class, Nearest };

/// Decisions about samples, and words on them; null: none.
struct SampleDecisions {
    std::shared_ptr<const std::vector<bool>> kept{};                    ///< per synthetic row of the model
    std::shared_ptr<const std::vector<std::uint32_t>> rejectedByHand{}; ///< rows of the model, ascending
    std::shared_ptr<const SampleSet> accepted{};                        ///< kept by hand
    std::shared_ptr<const SampleSet> unsure{};
    std::shared_ptr<const SampleTags> tags{};
    std::shared_ptr<const SampleNotes> notes{};
};

/// Request for a listing. A plain value that shares the data it points to, for any thread.
struct ListingRequest {
    std::shared_ptr<const AuditResult> audit; ///< has the model
    std::size_t model = 0;
    SampleDecisions said{};
    std::shared_ptr<const SampleSet> shown{}; ///< samples that pass the filter; null: all
    SampleOrder order{};
    RankingShow show = RankingShow::All;
    RankingGrouping grouping = RankingGrouping::None;
    SampleSet selection{};                                      ///< for RankingShow::Selected
    std::shared_ptr<const std::vector<std::uint32_t>> sorted{}; ///< every row in the order, if it is known
    std::uint64_t number = 0;                                   ///< of the request
};

/// A ranking: rows of the listed set in an order, filtered and grouped.
struct RankingListing {
    std::shared_ptr<const std::vector<std::uint32_t>> sorted; ///< every row in the order
    std::vector<std::uint32_t> shown;                         ///< rows that are listed, group by group
    std::vector<std::int32_t> positions;                      ///< per row: its index in `shown`, -1 when not listed
    /// By size, the largest first, and those of one size by their best-ranked sample; empty without a grouping.
    std::vector<SampleGroup> groups;
    RankingGrouping grouping = RankingGrouping::None; ///< what these have in common
    std::uint64_t number = 0;                         ///< of the request
};

/// Sorts, filters and groups. Samples of equal value are ordered by their evidence, worst first, then by row; samples
/// without a value come last. A million take about 0.1 s, by id about 1 s.
std::shared_ptr<const RankingListing> listSamples(const ListingRequest& request);

/// Whether an audit knows what the samples of a side are grouped by.
bool canGroupBy(RankingGrouping grouping, const AuditResult& audit, std::size_t model, Side side);
/// Values of a column of a model; null when it was not computed, or is of the other side.
const std::vector<double>* columnOfSide(const AuditResult& audit, std::size_t model, std::string_view column,
                                        Side side);

} // namespace assay
