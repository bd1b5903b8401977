#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace assay {

/// Identifies a type of result that an audit stage makes. Other stages and catalogue rows name the products they need.
struct Product {
    const char* type = nullptr; ///< the type's kTypeMark; null: no product

    friend bool operator==(const Product&, const Product&) noexcept = default;
};

/// One variable for each type, which may be incomplete; nothing reads or writes it. Linkers may merge equal constants,
/// so it is none. std::type_info would not do: each translation unit has its own for an incomplete type, and those of
/// GCC 12 do not link under AddressSanitizer.
template <typename T>
inline constinit char kTypeMark{};

template <typename T>
inline constexpr Product kProduct{&kTypeMark<T>};

/// Results of the audit stages so far: at most one value of each type. Copies share the values.
class Products {
public:
    bool has(Product product) const noexcept { return at(product) != values_.end(); }

    /// The value of this type, or null.
    template <typename T>
    const T* find() const noexcept {
        const auto value = at(kProduct<T>);
        return value == values_.end() ? nullptr : static_cast<const T*>(value->second.get());
    }
    /// The value of this type. Precondition: has(kProduct<T>).
    template <typename T>
    const T& get() const noexcept {
        return *find<T>();
    }

    /// Stores a value and replaces an earlier one of the same type.
    template <typename T>
    void put(T value) {
        set(kProduct<T>, std::make_shared<const T>(std::move(value)));
    }
    /// Stores a reference to a value that outlives this object and its copies.
    template <typename T>
    void lend(const T& value) {
        set(kProduct<T>, std::shared_ptr<const void>(std::shared_ptr<const void>(), &value));
    }

private:
    using Entry = std::pair<Product, std::shared_ptr<const void>>;

    std::vector<Entry>::const_iterator at(Product product) const noexcept {
        return std::ranges::find(values_, product, &Entry::first);
    }
    void set(Product product, std::shared_ptr<const void> value) {
        std::erase_if(values_, [&](const Entry& entry) { return entry.first == product; });
        values_.emplace_back(product, std::move(value));
    }

    std::vector<Entry> values_;
};

} // namespace assay
