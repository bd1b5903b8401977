#include "engine/store/audit_parts.h"

#include "engine/base/error.h"
#include "engine/metrics/catalog/catalog.h"

#include <fmt/format.h>

namespace assay::store {
namespace {

class Check {
public:
    Check(const std::string& file, std::string of) : file_(file), of_(std::move(of)) {}

    void count(const char* what, std::size_t found, std::size_t expected) const {
        if (found != expected)
            refuse(what, fmt::format("expected {} values, found {}", expected, found));
    }
    void rows(const char* what, const std::vector<std::uint32_t>& rows, std::size_t below) const {
        for (const std::uint32_t row : rows)
            if (row >= below)
                refuse(what, fmt::format("expected rows below {}, found {}", below, row));
    }
    /// @param least smallest valid k
    /// @param base number of rows of the set in which the neighbours were searched
    void neighbors(const char* what, const NeighborTable& table, std::size_t queries, std::size_t least,
                   std::size_t base) const {
        if (table.k < least || table.k > base)
            refuse(what, fmt::format("expected at least {} neighbours, found {}", least, table.k));
        if (table.index.size() % table.k != 0)
            refuse(what, "expected the same number of neighbours for every row");
        count(what, table.index.size() / table.k, queries);
        count(what, table.distance.size(), table.index.size());
        rows(what, table.index, base);
    }
    [[noreturn]] void refuse(const std::string& what, const std::string& expectedAndFound) const {
        throw Error(ErrorKind::BadInput, file_ + ": " + of_ + ", " + what + ": " + expectedAndFound);
    }

private:
    const std::string& file_;
    std::string of_;
};

/// @param n rows of the real set  @param m rows of the model's set
void requireConsistent(const Check& check, const Finding& finding, std::size_t n, std::size_t m) {
    const std::size_t rows = finding.side == Side::Real ? n : m;
    check.rows("samples of a finding", finding.rows, rows);
    for (const FindingExample& example : finding.examples)
        check.rows("examples of a finding", {example.row}, rows);
    for (const FindingExample& example : finding.examples)
        if (example.original)
            check.rows("originals of a finding's copies", {*example.original}, n);
    check.count("groups of a finding", finding.exampleOf.size(), finding.examples.empty() ? 0 : finding.rows.size());
    for (const std::uint8_t example : finding.exampleOf)
        if (example != Finding::kNoExample && example >= finding.examples.size())
            check.refuse("groups of a finding",
                         fmt::format("expected examples below {}, found {}", finding.examples.size(), example));
}

} // namespace

void requireConsistent(const std::string& file, const RealAnalysis& real) {
    const Check check(file, "the real set");
    const std::size_t rows = real.set->rows();
    if (real.k == 0 || real.k >= rows)
        check.refuse("k", fmt::format("expected a number from 1 to {}, found {}", rows - 1, real.k));
    check.neighbors("neighbours", real.neighbors, rows, real.k, rows);
    check.count("radii", real.radius.size(), rows);
    check.count("clipped radii", real.innerRadius.size(), rows);
    check.count("clipped balls", real.innerHolding.size(), rows);
}

void requireConsistent(const std::string& file, const RealAnalysis& real, const ModelAudit& model) {
    const Check check(file, model.name);
    const std::size_t n = real.set->rows();
    const std::size_t m = model.set->rows();
    const PairTables& tables = *model.tables;
    if (model.set->dim() != real.set->dim())
        check.refuse("dimensions", fmt::format("expected {}, found {}", real.set->dim(), model.set->dim()));
    check.neighbors("neighbours within the set", tables.syntheticToSynthetic, m, real.k, m);
    check.neighbors("real neighbours", tables.synthetic.nearest, m, 1, n);
    check.neighbors("neighbours of real samples", tables.real.nearest, n, 1, m);
    for (const auto* perSynthetic : {&tables.synthetic.holding, &tables.synthetic.innerHolding})
        check.count("balls", perSynthetic->size(), m);
    for (const auto* perReal : {&tables.real.inside, &tables.real.insideInner, &tables.real.holding})
        check.count("balls of real samples", perReal->size(), n);
    check.count("radii", tables.syntheticRadius.size(), m);
    for (const ColumnValues& column : model.columns) {
        const bool isOfReal = columnOf(column).side == Side::Real;
        check.count(columnOf(column).title.data(), column.values.size(), isOfReal ? n : m);
    }
    if (!model.featureDifferences.features.empty())
        check.count("features", model.featureDifferences.features.size(), model.set->dim());
    for (const FeatureDifference& feature : model.featureDifferences.features)
        if (feature.feature >= model.set->dim())
            check.refuse("features", "expected columns of the set, found " + std::to_string(feature.feature));
    for (const CorrelationDifference& pair : model.tableDifferences.correlations.pairs)
        check.rows("correlations", {pair.first, pair.second}, model.set->dim());
    for (const CategoryDifference& column : model.tableDifferences.categories)
        check.rows("categories", {column.feature}, model.set->dim());
    if (model.classMeans)
        for (const ClassShift& shift : model.classMeans->classes)
            if (shift.realClass >= real.set->labels().names.size())
                check.refuse("class means", "expected classes of the set, found " + std::to_string(shift.realClass));
    for (const ClassUtility& of : model.utility.byClass)
        check.rows("classes of utility", {of.label}, model.utility.classes.size());
    for (const Confusion& cell : model.utility.confusion)
        check.rows("confusion of classes", {cell.actual, cell.predicted}, model.utility.classes.size());
    for (const Finding& finding : model.findings)
        requireConsistent(check, finding, n, m);
}

} // namespace assay::store
