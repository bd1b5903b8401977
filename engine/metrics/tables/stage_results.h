#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace assay {

/// Identifies a type of result that an audit stage makes. Other stages and catalogue rows name the results they need.
struct ResultType {
    const char* type = nullptr; ///< the type's kTypeMark; null: no result

    friend bool operator==(const ResultType&, const ResultType&) noexcept = default;
};

/// One variable for each type, which may be incomplete; nothing reads or writes it. Linkers may merge equal constants,
/// so it is none. std::type_info would not do: each translation unit has its own for an incomplete type, and those of
/// GCC 12 do not link under AddressSanitizer.
template <typename T>
inline constinit char kTypeMark{};

template <typename T>
inline constexpr ResultType kResultType{&kTypeMark<T>};

/// Results of the audit stages so far: at most one value of each type. Copies share the values.
class StageResults {
public:
    bool has(ResultType product) const noexcept { return at(product) != values_.end(); }

    /// The value of this type, or null.
    template <typename T>
    const T* find() const noexcept {
        const auto value = at(kResultType<T>);
        return value == values_.end() ? nullptr : static_cast<const T*>(value->second.get());
    }
    /// The value of this type. Precondition: has(kResultType<T>).
    template <typename T>
    const T& get() const noexcept {
        return *find<T>();
    }

    /// Stores a value and replaces an earlier one of the same type.
    template <typename T>
    void put(T value) {
        set(kResultType<T>, std::make_shared<const T>(std::move(value)));
    }
    /// Stores a reference to a value that outlives this object and its copies.
    template <typename T>
    void putReference(const T& value) {
        set(kResultType<T>, std::shared_ptr<const void>(std::shared_ptr<const void>(), &value));
    }

private:
    using Entry = std::pair<ResultType, std::shared_ptr<const void>>;

    std::vector<Entry>::const_iterator at(ResultType product) const noexcept {
        return std::ranges::find(values_, product, &Entry::first);
    }
    void set(ResultType product, std::shared_ptr<const void> value) {
        std::erase_if(values_, [&](const Entry& entry) { return entry.first == product; });
        values_.emplace_back(product, std::move(value));
    }

    std::vector<Entry> values_;
};

} // namespace assay
