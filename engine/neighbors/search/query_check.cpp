#include "engine/neighbors/search/query_check.h"

#include "engine/base/error.h"

#include <string>

namespace assay {
namespace {

void requireAtMost(const char* what, std::size_t k, std::size_t rows) {
    if (k > rows)
        throw Error(ErrorKind::InvalidArgument, std::string(what) + ": expected at most " + std::to_string(rows) +
                                                    " neighbours, one for each row, found k = " + std::to_string(k));
}

void requireRadii(const char* what, std::span<const double> radius, std::size_t rows) {
    if (!radius.empty() && radius.size() != rows)
        throw Error(ErrorKind::InvalidArgument, std::string(what) + ": expected " + std::to_string(rows) +
                                                    " radii, one for each row, found " + std::to_string(radius.size()));
}

} // namespace

void checkSelfQuery(MatrixView set, std::size_t k) {
    if (k < 1 || k >= set.rows)
        throw Error(ErrorKind::InvalidArgument,
                    "a set of " + std::to_string(set.rows) +
                        " rows: expected k from 1 to one less than its rows, found k = " + std::to_string(k));
}

void checkCrossQuery(const CrossQuery& query) {
    if (query.a.dim != query.b.dim)
        throw Error(ErrorKind::InvalidArgument, "expected sets of one dimension, found " + std::to_string(query.a.dim) +
                                                    " and " + std::to_string(query.b.dim) + " columns");
    requireAtMost("first to second set", query.kAToB, query.b.rows);
    requireAtMost("second to first set", query.kBToA, query.a.rows);
    requireRadii("balls of the first set", query.radiusA, query.a.rows);
    requireRadii("inner balls of the first set", query.innerRadiusA, query.a.rows);
    requireRadii("balls of the second set", query.radiusB, query.b.rows);
}

} // namespace assay
