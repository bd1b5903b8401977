#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace assay {

/// Names a type of what a stage of an audit makes, and what others and the catalogue's rows are computed from.
struct Product {
    const void* id = nullptr;

    friend bool operator==(const Product&, const Product&) = default;
};

namespace detail {
template <typename T>
inline constexpr char kProductTag{};
} // namespace detail

template <typename T>
inline constexpr Product kProduct{&detail::kProductTag<T>};

/// What the stages of an audit have made so far: at most one value of each type. Copies share the values.
class Products {
public:
    bool has(Product product) const noexcept { return at(product) != values_.end(); }

    /// The value of this type, or null.
    template <typename T>
    const T* find() const noexcept {
        const auto value = at(kProduct<T>);
        return value == values_.end() ? nullptr : static_cast<const T*>(value->second.get());
    }
    /// The value of this type, which has to be there.
    template <typename T>
    const T& get() const noexcept {
        return *find<T>();
    }

    /// Keeps a value, in place of an earlier one of its type.
    template <typename T>
    void put(T value) {
        set(kProduct<T>, std::make_shared<const T>(std::move(value)));
    }
    /// The same, of a value that outlives these products.
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
