#include "widgets/space/drawing/sample_places.h"

#include "engine/data/embedding_set.h"
#include "engine/data/gather_rows.h"
#include "engine/math/linear/pca.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/space/drawing/inner_range.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Values of one axis for every sample of one side; all missing where that side has none.
std::vector<double> valuesOf(const ViewState& state, const SpaceAxis& axis, Side side) {
    const EmbeddingSet& set = side == Side::Real ? *state.audit->real->set : *state.current().set;
    std::vector<double> values(set.rows(), kMissing);
    if (axis.column.empty()) {
        const MatrixView matrix = set.matrix();
        if (axis.feature < matrix.dim)
            for (std::size_t row = 0; row < matrix.rows; ++row)
                values[row] = static_cast<double>(matrix.rowData(row)[axis.feature]);
        return values;
    }
    const Column* column = state.findColumn(axis.column);
    return column && column->side == side && state.current().hasColumn(column->id) ? state.current().column(column->id)
                                                                                   : values;
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
/// @param state whose current model is the other one
std::vector<std::array<float, 3>> columnPointsBeside(const SpacePoints& placed, const ViewState& state,
                                                     std::span<const std::uint32_t> rows) {
    std::vector<std::array<float, 3>> points(rows.size());
    for (std::size_t axis = 0; axis < placed.layout.dimensions; ++axis) {
        const std::vector<double> all = valuesOf(state, placed.layout.axes[axis], Side::Synthetic);
        std::vector<double> values(rows.size());
        std::ranges::transform(rows, values.begin(), [&all](std::uint32_t row) { return all[row]; });
        place(points, axis, values, placed.ranges[axis]);
    }
    return points;
}

} // namespace

SpacePoints columnPoints(const ViewState& state, const SpaceLayout& layout) {
    SpacePoints points;
    points.layout = layout;
    points.real.resize(state.audit->real->set->rows());
    points.synthetic.resize(state.current().set->rows());
    for (std::size_t axis = 0; axis < layout.dimensions; ++axis) {
        const std::vector<double> real = valuesOf(state, layout.axes[axis], Side::Real);
        const std::vector<double> synthetic = valuesOf(state, layout.axes[axis], Side::Synthetic);
        points.ranges[axis] = rangeOf(real, synthetic);
        place(points.real, axis, real, points.ranges[axis]);
        place(points.synthetic, axis, synthetic, points.ranges[axis]);
    }
    return points;
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
            points = columnPointsBeside(placed, {.audit = request.audit, .model = m}, rows);
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
