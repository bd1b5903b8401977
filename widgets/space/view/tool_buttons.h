#pragma once

#include "widgets/space/canvas/space_canvas.h"

#include <QWidget>

#include <array>

class QToolButton;

namespace assay::space {

/// Chooses what a drag does.
class ToolButtons : public QWidget {
    Q_OBJECT

public:
    explicit ToolButtons(QWidget* parent);

    Tool tool() const;
    void setTool(Tool tool);

signals:
    void chosen(assay::space::Tool tool);

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintIcons();

    std::array<QToolButton*, 3> buttons_{};
};

} // namespace assay::space
