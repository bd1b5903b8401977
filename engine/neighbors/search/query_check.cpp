#include "engine/neighbors/search/query_check.h"

#include "engine/base/error.h"

#include <fmt/format.h>

#include <string>

namespace assay {
namespace {

void requireAtMost(const char* what, std::size_t k, std::size_t rows) {
    if (k > rows)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected at most {} neighbours, one for each row, found k = {}", what, rows, k));
}

void requireRadii(const char* what, std::span<const double> radius, std::size_t rows) {
    if (!radius.empty() && radius.size() != rows)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected {} radii, one for each row, found {}", what, rows, radius.size()));
}

} // namespace

void checkSelfQuery(MatrixView set, std::size_t k) {
    if (k < 1 || k >= set.rows)
        throw Error(
            ErrorKind::InvalidArgument,
            fmt::format("a set of {} rows: expected k from 1 to one less than its rows, found k = {}", set.rows, k));
}

void checkCrossQuery(const CrossQuery& query) {
    if (query.a.dim != query.b.dim)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("expected sets of one dimension, found {} and {} columns", query.a.dim, query.b.dim));
    requireAtMost("first to second set", query.kAToB, query.b.rows);
    requireAtMost("second to first set", query.kBToA, query.a.rows);
    requireRadii("balls of the first set", query.radiusA, query.a.rows);
    requireRadii("inner balls of the first set", query.innerRadiusA, query.a.rows);
    requireRadii("balls of the second set", query.radiusB, query.b.rows);
}

} // namespace assay
