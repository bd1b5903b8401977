#pragma once

#include "engine/audit/result/finding.h"
#include "widgets/samples/sample_grid.h"

namespace assay {

/// The samples that stand for a finding as cells of a grid: each above the number of samples like it, a copy beside its
/// original. Choosing one selects the samples like it.
class ExampleCells : public GridList {
public:
    /// @param finding has examples; outlives this
    ExampleCells(const Finding& finding, SampleSelection* selection) : GridList(selection), finding_(finding) {}

    /// @param state of the audit that the finding belongs to
    void show(const ViewState& state);
    /// Look of their grid: flat where the samples have no pictures.
    GridLook look() const;

    void choose(Place place, Qt::KeyboardModifiers modifiers) override;

private:
    SampleId sampleOf(const FindingExample& example) const;
    GridCell cellOf(const FindingExample& example) const;

    const Finding& finding_;
};

} // namespace assay
