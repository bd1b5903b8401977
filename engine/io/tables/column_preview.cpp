#include "engine/io/tables/column_preview.h"

#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_plan.h"

namespace assay {
std::vector<ColumnPreview> previewColumns(const InputFile& table, std::size_t rows, const JobContext& job) {
    TablePlan plan = TablePlan::of(table, job);
    const TableColumns& columns = plan.columns();
    std::vector<ColumnPreview> all(columns.roles.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
        all[c].name = utf8OrEscaped(plan.keyOf(c));
        all[c].kind = columns.roles[c];
        all[c].isSaid = columns.said[c].has_value();
    }
    const std::vector<std::size_t> features = columns.featureColumns();
    for (const CategoryColumn& category : plan.categories())
        all[features[category.column]].categories = category.categories.size();
    plan.forEachLine(
        job,
        [&](const Fields&, const Fields& asWritten) {
            for (std::size_t c = 0; c < all.size(); ++c)
                all[c].firstFields.push_back(utf8OrEscaped(asWritten[c]));
        },
        rows);
    return all;
}

} // namespace assay
