#pragma once

#include "engine/audit/result/finding.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <vector>

namespace assay {

class SampleSelection;
class ExampleTile;
class ThumbnailCache;

/// The samples that stand for a finding as a row of pictures, wrapped where it is too narrow: each above the number of
/// samples like it, a copy beside its original. Every example is a button: a click selects the samples like it, Enter
/// or a double click inspects it, Left and Right go to the next one.
class ExampleStrip : public QWidget {
    Q_OBJECT

public:
    /// @param finding has examples; outlives the strip, as the other arguments do
    ExampleStrip(const Finding& finding, SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);

    /// Shows decisions about the samples. @param state of the audit that the finding belongs to
    void setState(const ViewState& state);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The person wants to see a sample explained: an example, or the original of one.
    void inspectRequested(assay::SampleId sample);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void selectLike(std::size_t example);
    void arrange();

    const Finding& finding_;
    SampleSelection* selection_;
    ViewState state_;
    std::vector<ExampleTile*> tiles_;
};

} // namespace assay
