#include "engine/io/tables/column_preview.h"

#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_plan.h"

namespace assay {
namespace {

ColumnKind kindOf(TableColumns::Role role) {
    switch (role) {
    case TableColumns::Role::Number:
        break;
    case TableColumns::Role::Text:
        return ColumnKind::Category;
    case TableColumns::Role::Date:
        return ColumnKind::Date;
    case TableColumns::Role::Id:
        return ColumnKind::Id;
    case TableColumns::Role::Label:
        return ColumnKind::Label;
    case TableColumns::Role::LeftOut:
        return ColumnKind::LeftOut;
    }
    return ColumnKind::Number;
}

} // namespace

std::vector<ColumnPreview> previewColumns(const InputFile& table, std::size_t rows, const JobContext& job) {
    TablePlan plan = TablePlan::of(table, job);
    const TableColumns& columns = plan.columns();
    std::vector<ColumnPreview> all(columns.roles.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
        all[c].name = utf8OrEscaped(plan.keyOf(c));
        all[c].kind = kindOf(columns.roles[c]);
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
