#pragma once

#include "engine/audit/result/audit_result.h"
#include "widgets/link/panel.h"
#include "widgets/tables/table_content.h"

#include <memory>

namespace assay {

class TableView;

/// How much room the table of models has. Compact: a row's name takes its own line above the numbers.
enum class ModelsRoom { Compact, Short, Long };

enum ModelsColumn {
    ModelName,
    ModelVerdict, ///< the share of bad samples, or that nothing was found
    ModelDensity,
    ModelCoverage,
    ModelBadFidelity,
    ModelBadCoverage,
    ModelAuthenticity,
    ModelPce,
};

/// Every model of an audit, one a row in the audit's order, with the figures that decide which one is best. Best first
/// at first: those without a finding, then by the share of bad samples.
TableContent modelsTable(const std::shared_ptr<const AuditResult>& audit, ModelsRoom room);

enum class ModelsRoom;

/// All models of the audit with their scores; the current one is chosen here by click or arrow keys. In a narrow dock
/// each model takes two lines, its name above its numbers.
class ModelsPanel : public Panel {
    Q_OBJECT

public:
    explicit ModelsPanel(PanelHost& host);

    static QString title() { return tr("How good is each?"); }

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    ModelsRoom room() const;
    void showModels();

    TableView* table_;
    ModelsRoom shownFor_{}; ///< room that the table was made for
};

} // namespace assay
