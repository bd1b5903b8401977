#include "widgets/link/view_state.h"

#include "engine/metrics/catalog/catalog.h"

namespace assay {

std::vector<const Column*> ViewState::columns() const {
    std::vector<const Column*> columns;
    if (hasModel())
        for (const ColumnValues& values : current().columns)
            columns.push_back(&columnOf(values));
    else
        for (const Column& column : columnCatalog())
            columns.push_back(&column);
    return columns;
}

const Column* ViewState::findColumn(std::string_view id) const {
    const Column* known = assay::findColumn(id);
    return known == nullptr && hasModel() ? current().findColumn(id) : known;
}

Changes changesBetween(const ViewState& before, const ViewState& after) {
    const auto currentOf = [](const ViewState& state) { return state.hasModel() ? &state.current() : nullptr; };
    const auto realOf = [](const ViewState& state) { return state.audit ? state.audit->real : nullptr; };
    const auto heldOutOf = [](const ViewState& state) { return state.audit ? state.audit->heldOut : nullptr; };
    ViewState decided = before;
    decided.computed = after.computed;
    return {.before = before,
            .audit = before.audit != after.audit,
            .real = realOf(before) != realOf(after),
            .model = currentOf(before) != currentOf(after) || before.model != after.model,
            .heldOut = heldOutOf(before) != heldOutOf(after),
            .kept = before.kept != after.kept,
            .rules = before.rules != after.rules,
            .tagNames = before.tagNames != after.tagNames,
            .shown = before.shown != after.shown,
            .external = before.external != after.external,
            .layout = before.computed.layout != after.computed.layout,
            .points = before.computed.points != after.computed.points,
            .computed = before.computed != after.computed,
            .decided = decided != after};
}

} // namespace assay
