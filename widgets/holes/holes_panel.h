#pragma once

#include "engine/subsets/holes/coverage_holes.h"
#include "widgets/link/panel.h"

#include <memory>
#include <vector>

class QLabel;
class QScrollArea;

namespace assay {

class SampleGroupCard;

/// The parts of reality that the current model does not make: missed real samples that lie together, the largest group
/// first, with pictures, classes, and the nearest synthetic samples.
class HolesPanel : public Panel {
    Q_OBJECT

public:
    /// Largest number of holes that are shown; the rest are counted and exported.
    static constexpr std::size_t kMaxShown = 50;

    explicit HolesPanel(PanelHost& host);

    static QString title() { return tr("What does the model not make?"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

    /// Shows these holes; those of another model than the current one are ignored.
    void showHoles(std::shared_ptr<const assay::CoverageHoles> holes);

protected:
    void stateChanged(const Changes& changes) override;

private:
    void showList();
    void addCard(const CoverageHole& hole, QWidget* list);

    QString missedGroupsText(const CoverageHole& hole) const;

    std::vector<bool> missedGroups_{};           ///< per code of the real set's groups: missed as a whole
    std::shared_ptr<const CoverageHoles> holes_; ///< of the current model; null while they are not known
    std::vector<SampleGroupCard*> cards_;
    QLabel* summary_;
    QScrollArea* scroll_;
};

} // namespace assay
