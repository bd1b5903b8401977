#pragma once

#include "widgets/link/view_state.h"

#include "widgets/space/plane/plane_picture.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;

namespace assay::space {

class LayoutPicker;
class ToolButtons;

/// What a person chooses about the picture, above it: colours, sets, layout, and what a drag does.
class SpaceHeader : public QWidget {
    Q_OBJECT

public:
    explicit SpaceHeader(QWidget* parent);

    LayoutPicker* layoutPicker() const noexcept { return layout_; }
    ToolButtons* tools() const noexcept { return tools_; }

    /// Offers what the current model has; what was chosen stays where it has that, too.
    void showColumns(const ViewState& state);
    /// What samples are coloured by; see setColorColumn().
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
    /// A set was shown or hidden.
    void setsChosen();
    void mapChosen();
    void picturesToggled();
    void resetWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeColors();
    void makeSets();
    void makeMaps();
    void paintSwatches();

    QComboBox* column_ = nullptr;
    QComboBox* map_ = nullptr;
    QLabel* mapLabel_ = nullptr;
    QCheckBox* showPictures_ = nullptr;
    QCheckBox* showReal_ = nullptr;
    QCheckBox* showSynthetic_ = nullptr;
    LayoutPicker* layout_ = nullptr;
    ToolButtons* tools_ = nullptr;
};

} // namespace assay::space
