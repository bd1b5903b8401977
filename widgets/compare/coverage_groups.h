#pragma once

#include "engine/audit/result/model_contrast.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QPushButton;

namespace assay {

class SampleSelection;
class SampleStrip;
class ThumbnailCache;

/// The real samples that both of two models cover, only one of them, or neither: how many, and examples. Each group can
/// be selected, and shown alone.
class CoverageGroups : public QWidget {
    Q_OBJECT

public:
    /// @param selection, cache outlive the widget
    CoverageGroups(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);
    ~CoverageGroups() override;

    /// @param contrast of two models of the state's audit; null: shows nothing
    void show(const ViewState& state, std::shared_ptr<const ModelContrast> contrast);
    /// Another state of the same audit.
    void setState(const ViewState& state);

signals:
    void filterChosen(const assay::ViewFilter& filter);
    void inspectRequested(assay::SampleId sample);
    /// The groups are to be written to a file.
    void exportRequested();

private:
    struct Card {
        QLabel* title;
        QPushButton* select;
        QPushButton* only;
        SampleStrip* strip;
        SampleSet samples;
    };

    QWidget* makeCard(std::size_t group, ThumbnailCache* cache);
    void showButtons();

    ViewState state_;
    SampleSelection* selection_;
    std::array<Card, kCoverageGroups> cards_{};
    QPushButton* export_ = nullptr;
};

} // namespace assay
