#pragma once

#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

#include <QLabel>

namespace assay {

/// The verdict on a sample: a word on its colour, with the word's definition as tooltip.
class VerdictBadge : public QLabel {
    Q_OBJECT

public:
    explicit VerdictBadge(QWidget* parent);

    /// Hides itself where the audit has no verdict on the sample.
    void showVerdict(const ViewState& state, SampleId sample);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor color() const;

    Verdict verdict_ = Verdict::Good;
    CoverageVerdict coverage_ = CoverageVerdict::Covered;
};

/// Every score of one sample with its standing in the set, in the order of the catalogue. O(n) per score, for its
/// standing among n samples.
TableContent scoreList(const ViewState& state, const ModelAudit& model, SampleId sample);

} // namespace assay
