#pragma once

#include "engine/audit/result/model_contrast.h"
#include "widgets/link/linked_view.h"

#include <memory>
#include <optional>
#include <string>

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace assay {

class CoverageGroups;
class DistributionPair;
class ElidingComboBox;
class NeighborhoodPair;
class TableView;
class ThumbnailCache;

/// Two models sample by sample: which real samples one covers and the other does not, how the fidelity of their samples
/// is spread, what both make beside the same real sample, and which scores differ.
///
/// The panel does not compare itself: it asks with contrastWanted() and is given the answer with showContrast().
class ComparePanel : public LinkedView {
    Q_OBJECT

public:
    /// @param pictures of the audit; outlives the view; null: the view keeps its own
    ComparePanel(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures = nullptr);
    ~ComparePanel() override;

    static QString title() { return tr("How do two models differ?"); }

    /// The distributions of fidelity.
    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

public slots:
    /// Shows this contrast; that of other models than the chosen ones is ignored.
    void showContrast(std::shared_ptr<const assay::ModelContrast> contrast);

signals:
    /// These models of the audit are to be compared.
    void contrastWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t first, std::size_t second);
    /// The person wants to add a model to compare with.
    void modelsWanted();
    /// The person wants a list of which real samples the two models cover.
    void exportRequested(const std::shared_ptr<const assay::ModelContrast>& contrast);
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeEmptyPage();
    void makeBar(QWidget* page);
    void makeParts();
    /// Index of the other model; nothing where there is only one.
    std::optional<std::size_t> second() const;
    void chooseSecond();
    void listModels();
    void showPickers();
    /// Whether the two models have been asked for.
    bool isAsked() const;
    void want();
    void showParts();
    void showNeighborhood();
    void arrange();

    std::unique_ptr<ThumbnailCache> own_;
    ThumbnailCache* pictures_;
    ElidingComboBox* firstPicker_ = nullptr;
    ElidingComboBox* secondPicker_ = nullptr;
    QWidget* bar_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QWidget* parts_ = nullptr;
    QGridLayout* grid_ = nullptr;
    CoverageGroups* groups_ = nullptr;
    QWidget* spread_ = nullptr; ///< the distributions below their legend
    QLabel* spreadTitle_ = nullptr;
    DistributionPair* distributions_ = nullptr;
    NeighborhoodPair* neighborhood_ = nullptr;
    TableView* differences_ = nullptr;
    QLabel* caveat_ = nullptr;
    QLabel* hint_;
    QPushButton* add_ = nullptr; ///< below the hint
    QStackedWidget* pages_;
    std::string secondName_;                        ///< the other model, by name; empty: not chosen yet
    std::shared_ptr<const ModelContrast> contrast_; ///< of the chosen models; null while it is not known
    std::weak_ptr<const ModelAudit> askedFirst_;    ///< the models that were asked for last
    std::weak_ptr<const ModelAudit> askedSecond_;
    std::optional<bool> isWide_;
};

} // namespace assay
