#pragma once

#include "engine/audit/result/compare.h"
#include "widgets/link/panel.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace assay {

class DistributionPair;
class ElidingComboBox;
class NeighborhoodPair;
class SampleGroupCard;
class TableView;

/// Two models sample by sample: which real samples one covers and the other does not, how the fidelity of their samples
/// is spread, what both make beside the same real sample, and which scores differ.
class ComparePanel : public Panel {
    Q_OBJECT

public:
    explicit ComparePanel(PanelHost& host);

    static QString title() { return tr("How do two models differ?"); }

    /// The distributions of fidelity.
    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

    /// "second": name of the other model.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    /// Shows this contrast; that of other models than the chosen ones is ignored.
    void showContrast(std::shared_ptr<const assay::ModelContrast> contrast);

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeBar(QWidget* page);
    void makeParts();
    QWidget* makeGroups();
    /// Index of the other model; nothing where there is only one.
    std::optional<std::size_t> second() const;
    void chooseSecond();
    void listModels();
    void showPickers();
    /// Whether the two models have been asked for.
    bool isAsked() const;
    void want();
    void showParts();
    void showGroups();
    /// The answer: which real samples only one of them covers, and which is more faithful.
    QString sentence() const;
    void showNeighborhood();
    void arrange();

    ElidingComboBox* firstPicker_ = nullptr;
    ElidingComboBox* secondPicker_ = nullptr;
    QWidget* bar_ = nullptr;
    QLabel* sentence_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QWidget* parts_ = nullptr;
    QGridLayout* grid_ = nullptr;
    QWidget* groups_ = nullptr;
    std::array<SampleGroupCard*, kCoverageGroups> cards_{}; ///< by CoveredBy
    QPushButton* export_ = nullptr;
    QWidget* spread_ = nullptr; ///< the distributions below their legend
    QLabel* spreadTitle_ = nullptr;
    DistributionPair* distributions_ = nullptr;
    NeighborhoodPair* neighborhood_ = nullptr;
    TableView* differences_ = nullptr;
    QLabel* caveat_ = nullptr;
    std::string secondName_;                        ///< the other model, by name; empty: not chosen yet
    std::shared_ptr<const ModelContrast> contrast_; ///< of the chosen models; null while it is not known
    std::weak_ptr<const ModelAudit> askedFirst_;    ///< the models that were asked for last
    std::weak_ptr<const ModelAudit> askedSecond_;
    std::optional<bool> isWide_;
};

} // namespace assay
