#pragma once

#include "engine/external/external_scores.h"
#include "widgets/link/panel.h"

#include <optional>
#include <vector>

class QComboBox;

namespace assay {

class HeatTable;
class Plot;
class WrappingLabel;

/// How closely each metric follows figures of the models from elsewhere: a sentence, a table of coefficients, the
/// strongest first, and the models of the chosen cell as a scatter.
class AgreementPanel : public Panel {
    Q_OBJECT

public:
    explicit AgreementPanel(PanelHost& host);

    static QString title() { return tr("Which metrics agree with external scores?"); }

    /// The coefficients that the table can show.
    enum class Coefficient { Spearman, Pearson, Kendall };

    std::optional<Figure> figure() override;

protected:
    void stateChanged(const Changes& changes) override;

private:
    const Correlation& coefficientOf(const Agreement& agreement) const;
    const Agreement* at(std::size_t row, std::size_t column) const;
    void compare();
    /// The table and the chart, or why there is nothing to compare.
    void showPage();
    void showTable();
    void showChosen();
    QString cellToolTip(const Agreement& agreement) const;

    WrappingLabel* sentence_;
    QComboBox* coefficient_;
    HeatTable* table_;
    Plot* plot_;
    std::vector<Agreement> agreements_;
    /// What the rows of the table are, in the order in which they are shown: entries of the first column that has them.
    std::vector<std::string> subjects_;
};

} // namespace assay
