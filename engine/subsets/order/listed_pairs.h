#pragma once

#include "engine/audit/result/sample_pairs.h"
#include "engine/data/sample_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

enum class PairSide { Left, Right };

/// One sample of one listed pair.
struct PairCell {
    std::size_t position = 0; ///< of the pair in the list
    PairSide side = PairSide::Left;

    friend bool operator==(const PairCell&, const PairCell&) = default;
};

/// The pairs of one kind that the filter leaves, nearest first: those of which both samples are shown.
///
/// A held-out sample is a sample of heldOutAudit(), whose only synthetic set is the held-out one.
class ListedPairs {
public:
    /// A model of an audit, and the samples that pass a filter; null: all.
    struct Scope {
        std::shared_ptr<const AuditResult> audit{};
        std::size_t model = 0;
        std::shared_ptr<const SampleSet> shown{};
    };
    /// @param lists of that model; null: lists nothing
    void show(const Scope& scope, std::shared_ptr<const PairLists> lists, PairKind kind);

    PairKind kind() const noexcept { return kind_; }
    bool hasLists() const noexcept { return lists_ != nullptr; }
    /// Pairs of the kind at hand, filtered or not; there must be lists.
    const SamplePairs& all() const { return lists_->of(kind_); }

    std::size_t size() const noexcept;
    /// How many of the listed pairs are remarkably near; they come first.
    std::size_t remarkable() const noexcept { return remarkable_[static_cast<std::size_t>(kind_)]; }
    std::size_t remarkable(PairKind kind) const noexcept { return remarkable_[static_cast<std::size_t>(kind)]; }

    /// @param position in [0, size())
    const SamplePair& pairAt(std::size_t position) const {
        return all().pairs[shown_ ? (*shown_)[position] : position];
    }
    /// A sample of the audit, or, on the left side of leaks, of heldOutAudit().
    SampleId sampleAt(PairCell cell) const;
    /// Whether a side's samples are those of the held-out set.
    bool isHeldOut(PairSide side) const noexcept { return kind_ == PairKind::Leaks && side == PairSide::Left; }
    /// The audit that the samples of a side are of.
    const AuditResult& auditOf(PairSide side) const noexcept { return isHeldOut(side) ? *heldOut_ : *scope_.audit; }
    /// Null without a held-out set.
    const std::shared_ptr<const AuditResult>& heldOutAudit() const noexcept { return heldOut_; }
    /// The nearest listed pair that a sample of the audit is in.
    std::optional<PairCell> find(SampleId sample) const;
    /// One side's samples of all remarkable pairs that are listed; none for held-out samples.
    SampleSet remarkableSamples(PairSide side) const;

private:
    void filter();
    SampleId idOf(const SamplePair& pair, PairKind kind, PairSide side) const;
    bool isShown(const SamplePair& pair, PairKind kind) const;
    const std::vector<std::uint32_t>& firstPlaces(PairSide side) const;

    Scope scope_;
    std::shared_ptr<const AuditResult> heldOut_;
    std::shared_ptr<const PairLists> lists_;
    PairKind kind_ = PairKind::Duplicates;
    std::optional<std::vector<std::uint32_t>> shown_; ///< places in all(); nothing: all of them
    std::array<std::size_t, kPairKinds.size()> remarkable_{};
    /// Per side and row: the first pair with it, counted from 1; 0 for none. Empty until find() needs it.
    mutable std::array<std::vector<std::uint32_t>, 2> firstPlaces_;
};

} // namespace assay
