#pragma once

#include "widgets/link/view_state.h"
#include "widgets/space/canvas/space_canvas.h"

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;

namespace assay::space {

class LayoutPicker;

/// What a person chooses about the picture, above it: colours, sets, layout, and what a drag does.
class SpaceHeader : public QWidget {
    Q_OBJECT

public:
    explicit SpaceHeader(QWidget* parent);

    LayoutPicker* layoutPicker() const noexcept { return layout_; }
    void setTool(Tool tool);

    /// Offers what the current model has; what was chosen stays where it has that, too.
    void showColumns(const ViewState& state);
    /// What samples are coloured by, of colorChoices(); another one changes nothing.
    QString colorColumn() const;
    void setColorColumn(const QString& columnId);
    /// What is drawn of densities, where the samples lie on the plane.
    MapKind mapKind() const;
    void setMapKind(MapKind kind);
    /// Offers what there is on the plane only.
    void setFlat(bool flat);
    /// Whether samples may be drawn as pictures.
    bool showsPictures() const;
    bool isSetVisible(SetId set) const;
    void setSetVisible(SetId set, bool visible);

signals:
    void colorsChosen();
    /// A set or a map was shown or hidden.
    void layersChosen();
    void picturesToggled();
    void resetWanted();
    void toolChosen(assay::space::Tool tool);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeTools();
    void makeMaps();
    QCheckBox* makeCheckBox(const QString& name, const QString& text, const QString& tip);
    void paintIcons();

    QComboBox* column_ = nullptr;
    QComboBox* map_ = nullptr;
    QLabel* mapLabel_ = nullptr;
    QCheckBox* showPictures_ = nullptr;
    QCheckBox* showReal_ = nullptr;
    QCheckBox* showSynthetic_ = nullptr;
    LayoutPicker* layout_ = nullptr;
    QButtonGroup* tools_ = nullptr; ///< ids are tools
};

} // namespace assay::space
