#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace assay::store {

/// One member of all elements of a vector, as an array.
template <typename Archive, typename Rows, typename Row, typename Member>
void members(Archive& archive, const std::string& path, Rows& rows, Member Row::*member) {
    std::vector<Member> values(rows.size());
    std::ranges::transform(rows, values.begin(), member);
    archive.array(path, values);
    if constexpr (!std::is_const_v<Rows>) {
        rows.resize(values.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            rows[r].*member = values[r];
    }
}

} // namespace assay::store
