#pragma once

#include "widgets/link/view_state.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace assay {

class SamplePicture;
class ThumbnailCache;

/// The inspected sample beside its nearest one of the other set, at equal size, with the distance on the line between
/// them. For a copy also the original's nearest other real sample: the triangle that authenticity is read from.
class SampleComparisonView : public QWidget {
    Q_OBJECT

public:
    /// @param cache outlives the widget
    SampleComparisonView(ThumbnailCache* cache, QWidget* parent);

    void showSample(const ViewState& state, SampleId sample);
    /// Shows nothing and keeps nothing of an audit.
    void clear();
    /// Most that a picture may take, in logical pixels.
    void setLargestPicture(int edge);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(assay::SampleId sample);
    /// The mouse entered (`inside`) or left a picture.
    void hovered(assay::SampleId sample, bool inside);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr std::size_t kMost = 3;

    struct Part {
        SampleId sample;
        QString words;
    };

    void setParts(const ViewState& state, const std::vector<Part>& parts);
    void arrange();
    int edgeFor(int width) const;
    int gap() const;
    int arcHeight() const;

    std::array<SamplePicture*, kMost> pictures_{};
    std::size_t count_ = 0;
    bool hasPictures_ = false;
    int largest_ = 140;
    double toNext_ = 0.0;  ///< distance of the first to the second
    double between_ = 0.0; ///< of the second to the third
    double across_ = 0.0;  ///< of the first to the third
};

} // namespace assay
