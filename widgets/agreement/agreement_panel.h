#pragma once

#include "engine/external/agreement.h"
#include "widgets/link/linked_view.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace assay {

class HeatTable;
class Plot;
class WrappingLabel;

/// How closely each metric follows figures of the models from elsewhere: a sentence, a table of coefficients, the
/// strongest first, and the models of the chosen cell as a scatter.
class AgreementPanel : public LinkedView {
    Q_OBJECT

public:
    AgreementPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("Which metrics agree with external scores?"); }

    /// The coefficients that the table can show.
    enum class Coefficient { Spearman, Pearson, Kendall };

    std::optional<Figure> figure() override;

signals:
    /// The person wants to add figures of models from elsewhere.
    void addRequested();

protected:
    void stateChanged(const ViewState& previous) override;

private:
    const Correlation& coefficientOf(const Agreement& agreement) const;
    const Agreement* at(std::size_t row, std::size_t column) const;
    void compare();
    void showTable();
    void showChosen();
    QString cellToolTip(const Agreement& agreement) const;

    QStackedWidget* pages_;
    QLabel* hint_;
    QWidget* add_;
    WrappingLabel* sentence_;
    QComboBox* coefficient_;
    HeatTable* table_;
    Plot* plot_;
    std::vector<Agreement> agreements_;
    /// What the rows of the table are, in the order in which they are shown: entries of the first column that has them.
    std::vector<std::string> subjects_;
};

} // namespace assay
