#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// Identifies the real set or the synthetic set of one model.
enum class SetId : std::uint32_t { Real = 0 };

/// The synthetic set of the model at `index` in AuditResult::models.
constexpr SetId syntheticSet(std::size_t index) {
    return static_cast<SetId>(index + 1);
}
constexpr bool isReal(SetId set) {
    return set == SetId::Real;
}
/// Index into AuditResult::models. @pre `set` is a synthetic set
constexpr std::size_t modelIndex(SetId set) {
    return static_cast<std::size_t>(set) - 1;
}

/// Identifies a sample throughout the program: its set and its row in that set's file. Sorting and filtering do not
/// change it.
struct SampleId {
    SetId set = SetId::Real;
    std::uint32_t row = 0;

    friend constexpr auto operator<=>(const SampleId&, const SampleId&) = default;
};

} // namespace assay

template <>
struct std::hash<assay::SampleId> {
    std::size_t operator()(const assay::SampleId& id) const noexcept {
        return std::hash<std::uint64_t>{}((static_cast<std::uint64_t>(id.set) << 32) | id.row);
    }
};

namespace assay {

/// A set of samples from any sets, one bit per sample. A value type.
///
/// Bits are stored in immutable blocks that copies share, also across threads. A copy that differs slightly, such as
/// the next step of the history, therefore costs only the blocks that differ; at most one bit per row.
class SampleSet {
    static constexpr std::size_t kWords = 64;
    static constexpr std::size_t kBlockRows = 64 * kWords;
    struct Block {
        std::array<std::uint64_t, kWords> words{};
        std::size_t count = 0; ///< above zero

        friend bool operator==(const Block&, const Block&) = default;
    };
    /// The samples of one set.
    struct Part {
        SetId set = SetId::Real;
        std::size_t count = 0;                            ///< above zero
        std::vector<std::shared_ptr<const Block>> blocks; ///< null: no sample in the block; the last one is never null
    };

public:
    /// Iterates over the samples in ascending order of set and row.
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = SampleId;
        using difference_type = std::ptrdiff_t;
        using pointer = const SampleId*;
        using reference = SampleId;

        Iterator() = default;
        SampleId operator*() const noexcept;
        Iterator& operator++() noexcept;
        Iterator operator++(int) noexcept;
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        friend class SampleSet;
        explicit Iterator(const std::vector<Part>& parts) : parts_(&parts) { settle(); }
        void settle() noexcept;

        const std::vector<Part>* parts_ = nullptr;
        std::size_t part_ = 0;
        std::size_t next_ = 0;   ///< index in the part of the word after the current one
        std::uint64_t left_ = 0; ///< bits of the current word that are not visited yet
    };
    using const_iterator = Iterator;
    using value_type = SampleId;

    SampleSet() = default;
    // Implicit, so that a list of samples can be passed where a SampleSet is expected.
    SampleSet(std::initializer_list<SampleId> samples) : SampleSet(std::span(samples.begin(), samples.size())) {}
    SampleSet(const std::vector<SampleId>& samples) // NOLINT(google-explicit-constructor)
        : SampleSet(std::span(samples)) {}
    /// @param samples in any order; duplicates are allowed
    explicit SampleSet(std::span<const SampleId> samples);
    /// The given rows of one set.
    SampleSet(SetId set, std::span<const std::uint32_t> rows);

    /// The rows below `rows` of one set for which `wanted(row)` is true.
    template <typename Wanted>
    static SampleSet where(SetId set, std::size_t rows, const Wanted& wanted);
    /// All rows of a set that has `rows` rows.
    static SampleSet all(SetId set, std::size_t rows) {
        return where(set, rows, [](std::size_t) { return true; });
    }

    bool contains(SampleId sample) const noexcept;
    /// Whether this set contains every sample of `other`.
    bool includes(const SampleSet& other) const;
    std::size_t size() const noexcept;
    bool empty() const noexcept { return parts_.empty(); }
    std::size_t countIn(SetId set) const noexcept;
    /// The samples that belong to `set`.
    SampleSet in(SetId set) const;
    /// The rows of the samples that belong to `set`, ascending.
    std::vector<std::uint32_t> rowsOf(SetId set) const;
    /// The first sample. @pre not empty
    SampleId front() const noexcept { return *begin(); }
    /// Memory of this value in bytes, counting shared blocks in full.
    std::size_t bytes() const noexcept;

    Iterator begin() const noexcept { return Iterator(parts_); }
    Iterator end() const noexcept;

    void insert(SampleId sample) { *this |= SampleSet{sample}; }
    void erase(SampleId sample) { *this -= SampleSet{sample}; }
    SampleSet& operator|=(const SampleSet& other);
    SampleSet& operator-=(const SampleSet& other);
    SampleSet& operator&=(const SampleSet& other);
    friend SampleSet operator|(SampleSet a, const SampleSet& b) { return a |= b; }
    friend SampleSet operator-(SampleSet a, const SampleSet& b) { return a -= b; }
    friend SampleSet operator&(SampleSet a, const SampleSet& b) { return a &= b; }
    friend bool operator==(const SampleSet& a, const SampleSet& b);

private:
    const Part* partOf(SetId set) const noexcept;
    static const Block* blockAt(const Part* part, std::size_t index) noexcept;
    template <typename Combine>
    void combine(const SampleSet& other, const Combine& wordOf);
    template <typename Combine>
    static Part combined(SetId set, const Part* a, const Part* b, const Combine& wordOf);

    std::vector<Part> parts_; ///< sorted by set; never empty parts
};

template <typename Wanted>
SampleSet SampleSet::where(SetId set, std::size_t rows, const Wanted& wanted) {
    Part part{set, 0, {}};
    for (std::size_t first = 0; first < rows; first += kBlockRows) {
        Block block;
        for (std::size_t row = first; row < rows && row < first + kBlockRows; ++row)
            if (wanted(row)) {
                block.words[(row - first) / 64] |= std::uint64_t{1} << (row % 64);
                ++block.count;
            }
        if (block.count == 0)
            continue;
        part.count += block.count;
        part.blocks.resize(first / kBlockRows);
        part.blocks.push_back(std::make_shared<const Block>(block));
    }
    SampleSet result;
    if (part.count > 0)
        result.parts_.push_back(std::move(part));
    return result;
}

} // namespace assay
