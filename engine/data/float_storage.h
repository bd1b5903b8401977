#pragma once

#include "engine/base/large_array.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace assay {

/// Memory that a FloatStorage reads but did not allocate, such as a memory-mapped file.
class ExternalMemory {
public:
    virtual ~ExternalMemory() = default;

    /// Whether the memory still holds its first contents, as far as the owner can detect.
    virtual bool isUnchanged() const noexcept = 0;
};

/// Immutable float32 values: either an owned vector, or a view of foreign memory that the storage keeps alive. Copies
/// share the values.
class FloatStorage {
public:
    FloatStorage() = default;
    // Implicit, so that a vector can be passed where a FloatStorage is expected.
    FloatStorage(std::vector<float> values) { // NOLINT(google-explicit-constructor)
        auto owned = std::make_shared<const std::vector<float>>(std::move(values));
        values_ = *owned;
        preferHugePages(values_.data(), values_.size_bytes()); // any two rows may be compared: random access
        owner_ = std::move(owned);
    }
    /// A view of foreign memory. @param values lie inside `memory`
    FloatStorage(std::span<const float> values, std::shared_ptr<const ExternalMemory> memory)
        : values_(values), foreign_(memory.get()), owner_(std::move(memory)) {}

    /// The `count` values from index `first` on: a view for foreign memory, a copy for owned values, so that the rest
    /// can be freed.
    FloatStorage part(std::size_t first, std::size_t count) const {
        if (foreign_ == nullptr)
            return {std::vector<float>(values_.begin() + static_cast<std::ptrdiff_t>(first),
                                       values_.begin() + static_cast<std::ptrdiff_t>(first + count))};
        FloatStorage some = *this;
        some.values_ = values_.subspan(first, count);
        return some;
    }

    const float* data() const noexcept { return values_.data(); }
    std::size_t size() const noexcept { return values_.size(); }
    std::span<const float> span() const noexcept { return values_; }

    /// Whether the values lie in memory that another program may change.
    bool isForeign() const noexcept { return foreign_ != nullptr; }
    /// @return false when the values are foreign and a change was detected
    bool isUnchanged() const noexcept { return !foreign_ || foreign_->isUnchanged(); }

private:
    std::span<const float> values_;
    const ExternalMemory* foreign_ = nullptr;
    std::shared_ptr<const void> owner_;
};

} // namespace assay
