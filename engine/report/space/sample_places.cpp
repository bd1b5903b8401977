#include "engine/report/space/sample_places.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/math/linear/pca.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/space/space_points.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kNeighbors = 15; // as UMAP has it: fewer tear groups apart, more blur them
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Values of one axis for every sample of one side; all missing where that side has none.
std::vector<double> valuesOf(const AuditResult& audit, std::size_t model, const SpaceAxis& axis, Side side) {
    const ModelAudit& audited = *audit.models[model];
    const EmbeddingSet& set = side == Side::Real ? *audit.real->set : *audited.set;
    std::vector<double> values(set.rows(), kMissing);
    if (axis.column.empty()) {
        const MatrixView matrix = set.matrix();
        if (axis.feature < matrix.dim)
            for (std::size_t row = 0; row < matrix.rows; ++row)
                values[row] = static_cast<double>(matrix.rowData(row)[axis.feature]);
        return values;
    }
    const Column* column = audited.findColumn(axis.column);
    return column && column->side == side && audited.hasColumn(column->id) ? audited.column(column->id) : values;
}

/// From the 0.5 % to the 99.5 % quantile of the finite values; [0, 1] where there are none.
AxisRange rangeOf(const std::vector<double>& real, const std::vector<double>& synthetic) {
    const AxisRange range = innerRange(0.005, std::identity(), real, synthetic).value_or(AxisRange());
    // One value alone lies in the middle.
    return range.high > range.low ? range : AxisRange{range.low - 0.5, range.low + 0.5};
}

void place(std::vector<std::array<float, 3>>& points, std::size_t axis, const std::vector<double>& values,
           const AxisRange& range) {
    for (std::size_t row = 0; row < points.size(); ++row) {
        const double share = (values[row] - range.low) / (range.high - range.low);
        points[row][axis] = std::isfinite(share) ? static_cast<float>(share) : std::numeric_limits<float>::quiet_NaN();
    }
}

/// Samples of another model on the axes of points that columnPoints() placed.
/// @param model the other one
std::vector<std::array<float, 3>> columnPointsBeside(const SpacePoints& placed, const AuditResult& audit,
                                                     std::size_t model, std::span<const std::uint32_t> rows) {
    std::vector<std::array<float, 3>> points(rows.size());
    for (std::size_t axis = 0; axis < placed.layout.dimensions; ++axis) {
        const std::vector<double> all = valuesOf(audit, model, placed.layout.axes[axis], Side::Synthetic);
        std::vector<double> values(rows.size());
        std::ranges::transform(rows, values.begin(), [&all](std::uint32_t row) { return all[row]; });
        place(points, axis, values, placed.ranges[axis]);
    }
    return points;
}

/// Both sets' positions in one row, the real ones first.
std::vector<std::array<float, 3>> joined(const SpacePoints& points) {
    std::vector<std::array<float, 3>> all = points.real;
    all.insert(all.end(), points.synthetic.begin(), points.synthetic.end());
    return all;
}

/// Notes how many neighbours lie together. @param neighbors none where the audit has no tables
void judge(SpacePoints& points, const NeighborTable& neighbors, const std::vector<std::array<float, 3>>& positions,
           const JobContext& job) {
    if (neighbors.rows() != positions.size())
        return;
    points.neighbors = neighbors.k;
    points.keptNeighbors = keptNeighbors(neighbors, positions, 0, job);
}

std::shared_ptr<const SpacePoints> arrangedByNeighbors(const SpacePoints& start, const NeighborTable& neighbors,
                                                       const Accelerator* accelerator, const JobContext& job) {
    const NeighborGraph graph = neighborGraph(neighbors, 0, job.part({}, 0.0, 0.02));
    LayoutOptions options;
    options.dimensions = start.layout.dimensions;
    const auto positions = neighborLayout(graph, joined(start), options, job.part({}, 0.02, 0.95), accelerator);
    auto points = std::make_shared<SpacePoints>();
    points->layout = {Arrangement::Neighbors, start.layout.dimensions};
    const auto border = positions.begin() + static_cast<std::ptrdiff_t>(start.real.size());
    points->real.assign(positions.begin(), border);
    points->synthetic.assign(border, positions.end());
    judge(*points, neighbors, positions, job.part({}, 0.95, 1.0));
    return points;
}

/// The first two coordinates.
SpacePoints flattened(const SpacePoints& points) {
    SpacePoints flat = points;
    flat.layout.dimensions = 2;
    for (auto* set : {&flat.real, &flat.synthetic})
        for (auto& point : *set)
            point[2] = 0.0F;
    return flat;
}

void projectSamples(PlacedSamples& known, const PlacedSamples* before, const NeighborTable& neighbors,
                    const Accelerator* accelerator, const JobContext& job) {
    const JobContext fit = job.part("Principal components", 0.0, 0.55);
    const JobContext project = job.part("Projecting", 0.55, 0.95);
    auto points = std::make_shared<SpacePoints>();
    known.components = before != nullptr && before->components
                           ? before->components
                           : std::make_shared<const PrincipalComponents>(
                                 PrincipalComponents::fit(known.real->matrix(), fit, 0, accelerator));
    const auto placed = before != nullptr ? before->of({Arrangement::Components}) : nullptr;
    points->real = placed ? placed->real : known.components->project(known.real->matrix(), project.part({}, 0.0, 0.5));
    points->synthetic = known.components->project(known.synthetic->matrix(), project.part({}, 0.5, 1.0));
    points->explainedShare = known.components->explainedShare();
    points->components = known.components;
    judge(*points, neighbors, joined(*points), job.part({}, 0.95, 1.0));
    known.add(std::move(points));
}

bool isByColumns(const std::shared_ptr<const SpacePoints>& points) {
    return points->layout.arrangement == Arrangement::Columns;
}

/// Places samples by columns: along each axis from 0 at the 0.5 % quantile of both sets' values to 1 at the 99.5 %
/// quantile, so that a few outliers do not squeeze all others. Samples without one of the values lie at NaN: all of the
/// side that a score is not of.
/// @param model index into audit.models
/// @param layout by columns; a column or feature that the audit does not have places no sample
SpacePoints columnPoints(const AuditResult& audit, std::size_t model, const SpaceLayout& layout) {
    SpacePoints points;
    points.layout = layout;
    points.real.resize(audit.real->set->rows());
    points.synthetic.resize(audit.models.at(model)->set->rows());
    for (std::size_t axis = 0; axis < layout.dimensions; ++axis) {
        const std::vector<double> real = valuesOf(audit, model, layout.axes[axis], Side::Real);
        const std::vector<double> synthetic = valuesOf(audit, model, layout.axes[axis], Side::Synthetic);
        points.ranges[axis] = rangeOf(real, synthetic);
        place(points.real, axis, real, points.ranges[axis]);
        place(points.synthetic, axis, synthetic, points.ranges[axis]);
    }
    return points;
}

} // namespace

std::shared_ptr<const SpacePoints> PlacedSamples::of(const SpaceLayout& layout) const {
    const auto at = std::ranges::find(points, layout, [](const auto& one) { return one->layout; });
    return at == points.end() ? nullptr : *at;
}

void PlacedSamples::add(std::shared_ptr<const SpacePoints> found) {
    if (isByColumns(found))
        std::erase_if(points, isByColumns);
    points.push_back(std::move(found));
}

std::shared_ptr<const PlacedSamples>
placeSamples(const AuditResult& audit, std::size_t model, const SpaceLayout& layout,
             const std::shared_ptr<const PlacedSamples>& before, const Accelerator* accelerator, const JobContext& job,
             const std::function<void(std::shared_ptr<const PlacedSamples>)>& publish) {
    const std::shared_ptr<const ModelAudit>& audited = audit.models.at(model);
    auto known = std::make_shared<PlacedSamples>();
    if (before && before->synthetic == audited->set)
        *known = *before;
    if (known->model != audited)
        std::erase_if(known->points, isByColumns); // of other scores
    known->real = audit.real->set;
    known->synthetic = audited->set;
    known->model = audited;
    if (layout.arrangement == Arrangement::Columns) {
        known->components = before ? before->components : nullptr;
        known->add(std::make_shared<const SpacePoints>(columnPoints(audit, model, layout)));
        return known;
    }
    const NeighborTable neighbors = jointNeighbors(*audit.real, *audited->tables, kNeighbors);
    const bool arranging = layout.arrangement == Arrangement::Neighbors;
    const double projected = arranging ? 0.15 : 0.95;
    if (!known->of({Arrangement::Components}))
        projectSamples(*known, before.get(), neighbors, accelerator, job.part({}, 0.0, projected));
    if (layout.isFlat() && !known->of({Arrangement::Components, 2})) {
        auto points = std::make_shared<SpacePoints>(flattened(*known->of({Arrangement::Components})));
        judge(*points, neighbors, joined(*points), job.part({}, projected, projected + 0.05));
        known->add(std::move(points));
    }
    if (arranging) {
        if (publish)
            publish(std::make_shared<const PlacedSamples>(*known));
        known->add(arrangedByNeighbors(*known->of({Arrangement::Components, layout.dimensions}), neighbors, accelerator,
                                       job.part("Arranging by nearest neighbours", 0.2, 1.0)));
    }
    return known;
}

bool placesOtherModels(Arrangement arrangement) {
    return arrangement != Arrangement::Neighbors;
}

std::shared_ptr<const OtherModels> placeOtherModels(const OtherModelsRequest& request, const JobContext& job) {
    auto others = std::make_shared<OtherModels>();
    others->request = request;
    const SpacePoints& placed = *request.points;
    const bool byColumns = placed.layout.arrangement == Arrangement::Columns;
    if (!placesOtherModels(placed.layout.arrangement) || (!byColumns && !placed.components))
        return others;
    const auto& models = request.audit->models;
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (m == request.model)
            continue;
        const MatrixView set = models[m]->set->matrix();
        const std::vector<std::uint32_t> rows = evenlySpacedRows(set.rows, std::min(set.rows, OtherModels::kMost));
        others->isSample = others->isSample || rows.size() < set.rows;
        std::vector<std::array<float, 3>> points;
        if (byColumns) {
            job.throwIfStopped();
            points = columnPointsBeside(placed, *request.audit, m, rows);
        } else {
            const std::vector<float> values = gatherRows(set, rows);
            points = placed.components->project({values.data(), rows.size(), set.dim}, job.step(m, models.size()));
        }
        if (placed.layout.isFlat())
            for (auto& point : points)
                point[2] = 0.0F;
        others->points.insert(others->points.end(), points.begin(), points.end());
        others->model.resize(others->points.size(), m);
    }
    return others;
}

} // namespace assay
