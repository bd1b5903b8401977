#include "widgets/space/drawing/other_models.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/data/gather_rows.h"
#include "engine/math/linear/pca.h"
#include "widgets/space/drawing/column_points.h"

#include <algorithm>

namespace assay {

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
