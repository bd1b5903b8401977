#pragma once

#include "widgets/link/panel.h"
#include "widgets/link/space_points.h"
#include "widgets/space/drawing/other_models.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/plane/plane_picture.h"
#include "widgets/space/view/sample_colors.h"

#include <QPointF>
#include <QPolygonF>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QRectF;
class QStackedLayout;
class QTimer;

namespace assay {

class ThumbnailCache;

namespace space {
class ColorBar;
class DifferenceLegend;
class PlaneThumbnails;
class SpaceCanvas;
class SpaceHeader;
struct Pick;
struct PickableCloud;
} // namespace space

/// The real and the current synthetic set on the plane or in three dimensions, linked to the one selection: by
/// principal components, with nearest neighbours together, or by columns.
///
/// Hover previews, click selects, Shift adds, Ctrl toggles, Ctrl+Shift subtracts; the same with a rectangle or a lasso.
/// With the first tool a drag turns (on the plane: slides), Shift or the middle button pans, Ctrl draws a rectangle.
/// The wheel zooms, F centres the focused sample, R resets the view, M, B and L change the tool, Escape gives up an
/// outline or clears the selection. The focused sample is shown with its nearest neighbours and, where lengths mean
/// something, the projection of the ball that decides about it. Where OpenGL is missing the panel says so.
class SpaceView : public Panel {
    Q_OBJECT

public:
    explicit SpaceView(PanelHost& host);
    ~SpaceView() override;

    /// Layout of the points that arrive next.
    SpaceLayout layoutWanted() const;

    /// Where a sample is drawn, in this widget's coordinates; none when it is not: another model's, hidden, or outside
    /// the view.
    std::optional<QPointF> screenPosition(SampleId sample) const;

    /// Whether this machine can draw with OpenGL. When not, the panel shows why.
    bool hasOpenGl() const noexcept { return canvas_ != nullptr; }
    /// The text in place of the picture; empty while the picture is shown.
    QString message() const;
    /// Samples that are drawn as pictures now.
    SampleSet pictured() const;

    /// Colours the samples by one of space::colorChoices(); one that there is not changes nothing.
    void setColorColumn(const QString& columnId);
    QString colorColumn() const;
    void setSetVisible(SetId set, bool visible);
    /// What is drawn of densities while the samples lie on the plane.
    void setMapKind(space::MapKind kind);
    /// That which is drawn now.
    space::MapKind mapKind() const;
    void resetView();
    /// Puts the focused sample in the middle, to turn about it. Without a shown one nothing happens.
    void centerOnFocus();

    /// The layout, colours, and what is drawn of the sets.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    /// Takes what was wanted; dropped where something else is shown by now.
    void showDensity(std::shared_ptr<const assay::PlaneDensity> density);
    /// Likewise.
    void showOtherModels(std::shared_ptr<const assay::OtherModels> others);

protected:
    void stateChanged(const Changes& changes) override;
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
    void makeHeader();
    void makeCanvas();
    void makeFooter();
    QString currentMessage() const;
    bool pointsFit() const;
    QString hint() const;
    QString clickHint() const;
    QStringList axisTitles() const;
    void refresh();
    void refreshColors();
    void refreshPoints();
    void refreshClouds();
    void refreshHighlights();
    void refreshTheme();
    void refreshBox();
    void refreshLegend();
    void refreshMap();
    void refreshOtherModels();
    void makePictures();
    void refreshPictures();

    std::optional<space::Pick> pickAt(QPointF at) const;
    SampleId sampleOf(const space::Pick& pick) const;
    std::optional<SampleId> sampleAt(QPointF at) const;
    std::array<space::PickableCloud, 2> pickableClouds() const;
    bool isShown(SetId set) const;
    void clickAt(QPointF at, Qt::KeyboardModifiers modifiers);
    void pointAt(QPointF at);
    void brush(const QRectF& rectangle, Qt::KeyboardModifiers modifiers);
    void lasso(const QPolygonF& outline, Qt::KeyboardModifiers modifiers);
    void chooseInside(const auto& shape, Qt::KeyboardModifiers modifiers);
    void chooseEntry(std::size_t entry, Qt::KeyboardModifiers modifiers);
    void isolateEntry(std::size_t entry);
    SampleSet samplesOfEntry(std::size_t entry) const;
    QString colorLine(SampleId sample) const;

    std::shared_ptr<const SpacePoints> viewedPoints_;               ///< what the camera was set up for
    std::array<space::Colors, 2> colors_;                           ///< real, synthetic: while nothing is selected
    bool colored_ = false;                                          ///< colours are those of the state of now
    bool counted_ = false;                                          ///< the legend counts what is shown now
    space::SampleColors coloring_;                                  ///< legend and its entries; colours are moved out
    std::array<std::shared_ptr<const std::vector<bool>>, 2> masks_; ///< of the filter; null: all are shown
    std::shared_ptr<const SampleSet> maskedBy_;
    std::shared_ptr<const SpacePoints> maskedPoints_;
    std::shared_ptr<const PlaneDensity> density_;            ///< computed last
    std::shared_ptr<const DensityRequest> wantedDensity_;    ///< under way; null: nothing is
    std::shared_ptr<const OtherModels> others_;              ///< placed last
    std::shared_ptr<const OtherModelsRequest> wantedOthers_; ///< under way; null: nothing is
    bool hidReal_ = false;                                   ///< the map stands for the real samples
    space::PlaneThumbnails* thumbnails_ = nullptr; ///< null without a canvas
    QTimer* atRest_ = nullptr;                     ///< until the view has stood still
    Opening opening_ = Opening::Not;
    QString openGlProblem_;
    space::SpaceCanvas* canvas_ = nullptr; ///< null without OpenGL
    space::ColorBar* colorBar_ = nullptr;
    space::DifferenceLegend* difference_ = nullptr;
    QStackedLayout* stack_ = nullptr;
    QLabel* message_ = nullptr;
    QLabel* caption_ = nullptr;
    space::SpaceHeader* header_ = nullptr;
    QWidget* footer_ = nullptr;
};

} // namespace assay
