#pragma once

#include "engine/report/space/sample_places.h"
#include "engine/report/space/space_points.h"
#include "widgets/link/panel.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/drawing/space_picker.h"
#include "widgets/space/view/sample_colors.h"

#include <QPointF>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QStackedLayout;

namespace assay {

namespace space {
class ColorBar;
class SpaceCanvas;
class SpaceHeader;
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

    /// Takes the density that was asked for; dropped where another one is by now.
    void showDensity(std::shared_ptr<const PlaneDensity> density);

protected:
    void stateChanged(const Changes& changes) override;
    void selectionChanged() override;
    void hoverChanged() override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The first picture of many points takes seconds on a machine without a graphics card: the panel says so first.
    enum class Opening { Not, Announced, Done };
    void open();

    /// Those of the state. They may be of other sets until new ones come, or null: see pointsFit().
    const std::shared_ptr<const SpacePoints>& points() const { return state().computed.points; }
    void makeHeader();
    void makeCanvas();
    void makeFooter();
    QString currentMessage() const;
    bool pointsFit() const;
    /// Whether the picture is shown, not a message in its place. If so, points and colours are those of the state.
    bool isDrawn() const;
    /// Whether points by another layout are shown until those by neighbours are there.
    bool mapIsComing() const;
    QString hint() const;
    QString clickHint() const;
    QStringList axisTitles() const;
    void refresh();
    void refreshColors();
    void refreshTheme();
    void arrange(const SpaceLayout& layout);
    // Parts of the picture, each with those that follow from it.
    void redraw();
    void placeBox();
    void placeClouds();
    void placeOtherModels();
    void placeMap();
    void placePictures();
    void placeHighlights();
    std::shared_ptr<const std::vector<bool>> maskOf(SetId set, const std::vector<space::Point>& places) const;

    SetId setOf(std::size_t cloud) const { return cloud == space::kRealCloud ? SetId::Real : state().currentSet(); }
    SampleId sampleOf(const space::Pick& pick) const {
        return {setOf(pick.cloud), static_cast<std::uint32_t>(pick.row)};
    }
    std::optional<space::Point> placeOf(SampleId sample) const;
    std::optional<SampleId> sampleAt(QPointF at) const;
    std::array<space::PickableCloud, 2> pickableClouds() const;
    void clickAt(QPointF at, Qt::KeyboardModifiers modifiers);
    void pointAt(QPointF at);
    void chooseInside(const QPolygonF& outline, Qt::KeyboardModifiers modifiers);
    void chooseEntry(std::size_t entry, Qt::KeyboardModifiers modifiers);
    void isolateEntry(std::size_t entry);
    QString colorLine(SampleId sample) const;

    space::Drawing drawing_;
    std::shared_ptr<const SpacePoints> viewedPoints_; ///< what the camera was set up for
    std::array<space::Colors, 2> colors_;             ///< real, synthetic: while nothing is selected
    space::SampleColors coloring_;                    ///< legend and its entries; colours are moved out
    std::shared_ptr<const SampleSet> maskedBy_;       ///< the filter that the clouds' masks are of
    // Asked for last, and the answer; null while it is under way.
    DensityRequest wantedDensity_;
    std::shared_ptr<const PlaneDensity> density_;
    OtherModelsRequest wantedOthers_;
    std::shared_ptr<const OtherModels> others_;
    bool layoutChosen_ = false; ///< by the person, a saved state or the default
    bool hidReal_ = false;      ///< the map stands for the real samples
    Opening opening_ = Opening::Not;
    QString openGlProblem_;
    space::SpaceCanvas* canvas_ = nullptr; ///< null without OpenGL
    space::ColorBar* colorBar_ = nullptr;
    space::ColorBar* difference_ = nullptr;
    QStackedLayout* stack_ = nullptr;
    QLabel* message_ = nullptr;
    QLabel* caption_ = nullptr;
    space::SpaceHeader* header_ = nullptr;
    QWidget* footer_ = nullptr;
};

} // namespace assay
