#include "engine/data/sample_set.h"

#include "engine/base/find_by.h"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

/// Advances to the next word that has a bit set, or to the end.
void SampleSet::Iterator::settle() noexcept {
    while (left_ == 0 && part_ < parts_->size()) {
        const auto& blocks = (*parts_)[part_].blocks;
        if (next_ / kWords >= blocks.size()) {
            ++part_;
            next_ = 0;
        } else if (const Block* block = blocks[next_ / kWords].get()) {
            left_ = block->words[next_ % kWords];
            ++next_;
        } else {
            next_ += kWords; // each block is entered at its first word
        }
    }
}

SampleId SampleSet::Iterator::operator*() const noexcept {
    return {(*parts_)[part_].set,
            static_cast<std::uint32_t>((next_ - 1) * 64 + static_cast<std::size_t>(std::countr_zero(left_)))};
}

SampleSet::Iterator& SampleSet::Iterator::operator++() noexcept {
    left_ &= left_ - 1;
    settle();
    return *this;
}

SampleSet::Iterator SampleSet::Iterator::operator++(int) noexcept {
    const Iterator before = *this;
    ++*this;
    return before;
}

SampleSet::Iterator SampleSet::end() const noexcept {
    Iterator past;
    past.parts_ = &parts_;
    past.part_ = parts_.size();
    return past;
}

SampleSet::SampleSet(std::span<const SampleId> samples) {
    std::map<SetId, std::map<std::size_t, Block>> sets;
    std::map<std::size_t, Block>* blocks = nullptr;
    Block* block = nullptr;
    SampleId last;
    for (const SampleId sample : samples) {
        if (blocks == nullptr || sample.set != last.set)
            blocks = &sets[sample.set];
        if (block == nullptr || sample.set != last.set || sample.row / kBlockRows != last.row / kBlockRows)
            block = &(*blocks)[sample.row / kBlockRows];
        block->words[sample.row % kBlockRows / 64] |= std::uint64_t{1} << (sample.row % 64);
        last = sample;
    }
    for (auto& [set, all] : sets) {
        Part part{set, 0, {}};
        for (auto& [index, one] : all) {
            for (const std::uint64_t word : one.words)
                one.count += static_cast<std::size_t>(std::popcount(word));
            part.count += one.count;
            part.blocks.resize(index);
            part.blocks.push_back(std::make_shared<const Block>(one));
        }
        parts_.push_back(std::move(part));
    }
}

SampleSet::SampleSet(SetId set, std::span<const std::uint32_t> rows) {
    std::vector<SampleId> samples;
    samples.reserve(rows.size());
    for (const std::uint32_t row : rows)
        samples.push_back({set, row});
    *this = SampleSet(std::span<const SampleId>(samples));
}

const SampleSet::Part* SampleSet::partOf(SetId set) const noexcept {
    return findBy(parts_, &Part::set, set);
}

const SampleSet::Block* SampleSet::blockAt(const Part* part, std::size_t index) noexcept {
    return part != nullptr && index < part->blocks.size() ? part->blocks[index].get() : nullptr;
}

bool SampleSet::contains(SampleId sample) const noexcept {
    const Block* block = blockAt(partOf(sample.set), sample.row / kBlockRows);
    return block != nullptr && ((block->words[sample.row % kBlockRows / 64] >> (sample.row % 64)) & 1U) != 0;
}

std::size_t SampleSet::size() const noexcept {
    std::size_t count = 0;
    for (const Part& part : parts_)
        count += part.count;
    return count;
}

std::vector<std::uint32_t> SampleSet::rowsOf(SetId set) const {
    std::vector<std::uint32_t> rows;
    rows.reserve(countIn(set));
    for (const SampleId sample : in(set))
        rows.push_back(sample.row);
    return rows;
}

std::size_t SampleSet::countIn(SetId set) const noexcept {
    const Part* part = partOf(set);
    return part != nullptr ? part->count : 0;
}

SampleSet SampleSet::in(SetId set) const {
    SampleSet result;
    if (const Part* part = partOf(set))
        result.parts_.push_back(*part);
    return result;
}

std::size_t SampleSet::bytes() const noexcept {
    std::size_t total = 0;
    for (const Part& part : parts_) {
        total += sizeof(Part) + part.blocks.size() * sizeof(part.blocks[0]);
        for (const auto& block : part.blocks)
            total += block ? sizeof(Block) : 0;
    }
    return total;
}

bool SampleSet::includes(const SampleSet& other) const {
    return (other - *this).empty();
}

template <typename Combine>
SampleSet::Part SampleSet::combined(SetId set, const Part* a, const Part* b, const Combine& wordOf) {
    Part part{set, 0, {}};
    const std::size_t blocks = std::max(a ? a->blocks.size() : 0, b ? b->blocks.size() : 0);
    for (std::size_t index = 0; index < blocks; ++index) {
        const Block* x = blockAt(a, index);
        const Block* y = blockAt(b, index);
        if (x == nullptr && y == nullptr)
            continue;
        Block made;
        for (std::size_t w = 0; w < kWords; ++w) {
            made.words[w] = wordOf(x ? x->words[w] : 0, y ? y->words[w] : 0);
            made.count += static_cast<std::size_t>(std::popcount(made.words[w]));
        }
        if (made.count == 0)
            continue;
        part.count += made.count;
        part.blocks.resize(index);
        // Shares unchanged blocks.
        if (x != nullptr && made == *x)
            part.blocks.push_back(a->blocks[index]);
        else if (y != nullptr && made == *y)
            part.blocks.push_back(b->blocks[index]);
        else
            part.blocks.push_back(std::make_shared<const Block>(made));
    }
    return part;
}

template <typename Combine>
void SampleSet::combine(const SampleSet& other, const Combine& wordOf) {
    std::set<SetId> sets;
    for (const SampleSet* one : {static_cast<const SampleSet*>(this), &other})
        for (const Part& part : one->parts_)
            sets.insert(part.set);
    std::vector<Part> parts;
    for (const SetId set : sets)
        if (Part part = combined(set, partOf(set), other.partOf(set), wordOf); part.count > 0)
            parts.push_back(std::move(part));
    parts_ = std::move(parts);
}

SampleSet& SampleSet::operator|=(const SampleSet& other) {
    combine(other, [](std::uint64_t a, std::uint64_t b) { return a | b; });
    return *this;
}

SampleSet& SampleSet::operator-=(const SampleSet& other) {
    combine(other, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
    return *this;
}

SampleSet& SampleSet::operator&=(const SampleSet& other) {
    combine(other, [](std::uint64_t a, std::uint64_t b) { return a & b; });
    return *this;
}

bool operator==(const SampleSet& a, const SampleSet& b) {
    return std::ranges::equal(a.parts_, b.parts_, [](const SampleSet::Part& x, const SampleSet::Part& y) {
        return x.set == y.set && x.count == y.count &&
               std::ranges::equal(x.blocks, y.blocks, [](const auto& one, const auto& other) {
                   return one == other || (one && other && *one == *other);
               });
    });
}

} // namespace assay
