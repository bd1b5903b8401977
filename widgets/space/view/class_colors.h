#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay {
class EmbeddingSet;
}

namespace assay::space {

/// The classes of two sets that have colours of their own: those with the most samples, as many as people can tell
/// apart.
class ClassColors {
public:
    static constexpr std::size_t kMost = 10;

    ClassColors(const EmbeddingSet& real, const EmbeddingSet& synthetic);

    /// At most kMost, numbers in their order, then other names in theirs.
    const std::vector<std::string>& names() const noexcept { return names_; }
    /// Place in names() of each class code of a set; names().size() for a class that is not among them.
    const std::vector<std::size_t>& placesIn(const EmbeddingSet& set) const {
        return &set == real_ ? realPlaces_ : syntheticPlaces_;
    }

private:
    std::vector<std::size_t> findPlaces(const EmbeddingSet& set) const;

    const EmbeddingSet* real_;
    std::vector<std::string> names_;
    std::vector<std::size_t> realPlaces_, syntheticPlaces_;
};

} // namespace assay::space
