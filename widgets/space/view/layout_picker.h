#pragma once

#include "engine/report/space/space_points.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <array>

class QComboBox;
class QLabel;
class QToolButton;

namespace assay::space {

/// How samples are placed: on the plane or in space, by which method, and, by columns, what lies along the axes.
class LayoutPicker : public QWidget {
    Q_OBJECT

public:
    explicit LayoutPicker(QWidget* parent);

    SpaceLayout layoutWanted() const;
    /// Shows a layout without reporting it as chosen.
    void showLayout(const SpaceLayout& layout);
    /// Offers the columns of the current model; chosen ones stay where it has them, too.
    void showColumns(const ViewState& state);

signals:
    void chosen(const assay::SpaceLayout& layout);

private:
    void makeDimensions();
    void makeArrangements();
    void fillAxes();
    void followArrangement();
    void choose();
    void showAxis(std::size_t axis, const SpaceAxis& column);

    ViewState state_;
    QToolButton* flat_ = nullptr;
    QToolButton* deep_ = nullptr;
    QComboBox* arrangement_ = nullptr;
    std::array<QLabel*, 3> labels_{};
    std::array<QComboBox*, 3> axes_{};
    bool stale_ = true; ///< the axes offer columns of a model before
};

/// What an axis shows, for people: a score's title, or a feature's name.
QString axisTitle(const SpaceAxis& axis, const ViewState& state);

} // namespace assay::space
