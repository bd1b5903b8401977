#pragma once

#include "engine/base/large_array.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace assay {

/// Memory that a FloatStorage looks at without having allocated it, such as a mapped file.
class ForeignMemory {
public:
    virtual ~ForeignMemory() = default;

    /// Whether the memory still holds what it held at first, as far as its owner can tell.
    virtual bool isUnchanged() const noexcept = 0;
};

/// float32 values that never change: a vector of one's own, or a view of foreign memory that is kept alive. Copies
/// share the values.
class FloatStorage {
public:
    FloatStorage() = default;
    // Implicit, so that a vector can be given wherever values are wanted.
    FloatStorage(std::vector<float> values) { // NOLINT(google-explicit-constructor)
        auto owned = std::make_shared<const std::vector<float>>(std::move(values));
        values_ = *owned;
        preferHugePages(values_.data(), values_.size_bytes()); // rows are compared with rows anywhere in the set
        owner_ = std::move(owned);
    }
    /// @param values lie inside `memory`
    FloatStorage(std::span<const float> values, std::shared_ptr<const ForeignMemory> memory)
        : values_(values), foreign_(memory.get()), owner_(std::move(memory)) {}

    /// `count` values from `first` on: of foreign memory a view, of one's own a copy, so that the rest can go.
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

    /// Whether the values are looked at where they lie, in memory that may be changed from outside.
    bool isForeign() const noexcept { return foreign_ != nullptr; }
    /// @return false when the values are foreign and were changed since
    bool isUnchanged() const noexcept { return !foreign_ || foreign_->isUnchanged(); }

private:
    std::span<const float> values_;
    const ForeignMemory* foreign_ = nullptr;
    std::shared_ptr<const void> owner_;
};

} // namespace assay
