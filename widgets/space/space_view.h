#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/link/space_points.h"
#include "widgets/space/space_drawing.h"

#include <QPointF>

#include <array>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QRectF;
class QStackedLayout;

namespace assay {

namespace space {
class ColorBar;
class SpaceCanvas;
struct Pick;
} // namespace space

/// The real and the current synthetic set in three dimensions, linked to the one selection: by principal components, or
/// with nearest neighbours together.
///
/// Hover previews, click selects, Ctrl+click adds or removes, Ctrl+drag selects a rectangle (with Alt adds it, with
/// Shift takes it away); a drag turns, Shift or the
/// middle button pans, the wheel zooms, F centres the focused sample, R resets the view, Escape clears the selection.
/// The focused sample is shown with its nearest neighbours and, where lengths mean something, the projection of the
/// ball that decides about it. Where OpenGL is missing the panel says so.
class SpaceView : public LinkedView {
    Q_OBJECT

public:
    explicit SpaceView(SampleSelection* selection, QWidget* parent = nullptr);
    ~SpaceView() override;

    /// Arrangement of the points that arrive next.
    Arrangement arrangement() const;

    /// Where a sample is drawn, in this widget's coordinates; none when it is not: another model's, hidden, or outside
    /// the view.
    std::optional<QPointF> screenPosition(SampleId sample) const;

    /// Whether this machine can draw in 3D. When not, the panel shows why.
    bool hasOpenGl() const noexcept { return canvas_ != nullptr; }
    /// The text in place of the picture; empty while the picture is shown.
    QString message() const;

    /// Colours the synthetic samples by a synthetic-side column; an empty id colours all alike.
    void setColorColumn(const QString& columnId);
    QString colorColumn() const;
    void setSetVisible(SetId set, bool visible);
    void resetView();
    /// Puts the focused sample in the middle, to turn about it. Without a shown one nothing happens.
    void centerOnFocus();

signals:
    /// The person wants the samples arranged in another way.
    void arrangementChosen(assay::Arrangement arrangement);

protected:
    void stateChanged(const ViewState& previous) override;
    void selectionChanged() override;
    void hoverChanged() override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The first picture of many points takes seconds on a machine without a graphics card: the panel says so first.
    enum class Opening { Not, Announced, Done };

    /// Those of the state. They may be of other sets until new ones come, or null: see pointsFit().
    const std::shared_ptr<const SpacePoints>& points() const { return state().computed.points; }
    void showArrangement(Arrangement arrangement);
    QWidget* makeHeader();
    void makeArrangementPicker();
    QWidget* makeFooter();
    QString currentMessage() const;
    bool pointsFit() const;
    void showColumns();
    QString hint() const;
    void refresh();
    void refreshColors();
    void refreshClouds();
    void refreshHighlights();
    void refreshTheme();
    void refreshBox();

    std::optional<space::Pick> pickAt(QPointF at) const;
    SampleId sampleOf(const space::Pick& pick) const;
    bool isShown(SetId set) const;
    void clickAt(QPointF at, Qt::KeyboardModifiers modifiers);
    void pointAt(QPointF at);
    void brush(const QRectF& rectangle, Qt::KeyboardModifiers modifiers);
    QString describe(SampleId sample) const;

    std::shared_ptr<const SpacePoints> viewedPoints_;               ///< what the camera was set up for
    std::array<space::Colors, 2> colors_;                           ///< real, synthetic: while nothing is selected
    std::array<std::shared_ptr<const std::vector<bool>>, 2> masks_; ///< of the filter; null: all are shown
    std::shared_ptr<const SampleSet> maskedBy_;
    std::shared_ptr<const SpacePoints> maskedPoints_;
    Opening opening_ = Opening::Not;
    QString openGlProblem_;
    space::SpaceCanvas* canvas_ = nullptr; ///< null without OpenGL
    space::ColorBar* colorBar_ = nullptr;
    QStackedLayout* stack_ = nullptr;
    QLabel* message_ = nullptr;
    QLabel* caption_ = nullptr;
    QComboBox* arrangement_ = nullptr;
    QComboBox* column_ = nullptr;
    QCheckBox* showReal_ = nullptr;
    QCheckBox* showSynthetic_ = nullptr;
    QWidget* header_ = nullptr;
    QWidget* footer_ = nullptr;
};

} // namespace assay
