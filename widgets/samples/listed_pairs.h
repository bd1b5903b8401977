#pragma once

#include "widgets/link/view_state.h"
#include "widgets/samples/pair_lists.h"

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
/// A held-out sample has no place in the selection; it is a sample of heldOutState(), whose only synthetic set is the
/// held-out one.
class ListedPairs {
public:
    void show(const ViewState& state, std::shared_ptr<const PairLists> lists, PairKind kind);

    /// Takes a state that differs in neither sets nor filter.
    void follow(const ViewState& state) { state_ = state; }

    const ViewState& state() const noexcept { return state_; }
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
    /// A sample of the audit, or, on the left side of leaks, of heldOutState().
    SampleId sampleAt(PairCell cell) const;
    /// Whether a side's samples are those of the held-out set.
    bool isHeldOut(PairSide side) const noexcept { return kind_ == PairKind::Leaks && side == PairSide::Left; }
    /// The state in which the samples of a side are looked up.
    const ViewState& stateOf(PairSide side) const noexcept { return isHeldOut(side) ? heldOutState_ : state_; }
    const ViewState& heldOutState() const noexcept { return heldOutState_; }
    /// The nearest listed pair that a sample of the audit is in.
    std::optional<PairCell> find(SampleId sample) const;
    /// One side's samples of all remarkable pairs that are listed; none for held-out samples.
    SampleSet remarkableSamples(PairSide side) const;

private:
    void filter();
    SampleId idOf(const SamplePair& pair, PairKind kind, PairSide side) const;
    bool isShown(const SamplePair& pair, PairKind kind) const;

    ViewState state_;
    ViewState heldOutState_;
    std::shared_ptr<const PairLists> lists_;
    PairKind kind_ = PairKind::Duplicates;
    std::optional<std::vector<std::uint32_t>> shown_; ///< places in all(); nothing: all of them
    std::array<std::size_t, kPairKinds.size()> remarkable_{};
};

} // namespace assay
