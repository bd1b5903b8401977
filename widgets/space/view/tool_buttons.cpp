#include "widgets/space/view/tool_buttons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>

#include <cstddef>

namespace assay::space {
namespace {

constexpr int kEdge = 16;

void drawMove(QPainter& painter) {
    painter.drawLine(QPointF(8, 1.5), QPointF(8, 14.5));
    painter.drawLine(QPointF(1.5, 8), QPointF(14.5, 8));
    for (int turn = 0; turn < 4; ++turn) {
        painter.save();
        painter.translate(8, 8);
        painter.rotate(90.0 * turn);
        painter.drawPolyline(QPolygonF{{-2.5, -4.5}, {0, -7}, {2.5, -4.5}});
        painter.restore();
    }
}

void drawRectangle(QPainter& painter) {
    QPen pen = painter.pen();
    pen.setDashPattern({2, 1.6});
    painter.setPen(pen);
    painter.drawRect(QRectF(2, 3.5, 12, 9));
}

void drawLasso(QPainter& painter) {
    QPainterPath path;
    path.addEllipse(QPointF(8.5, 6.5), 6, 4.3);
    path.moveTo(4.6, 9.8);
    path.cubicTo(2.5, 11, 4.5, 12.5, 3, 14.5);
    painter.drawPath(path);
}

QIcon toolIcon(void (*draw)(QPainter&), const QWidget& widget) {
    const double scale = widget.devicePixelRatioF();
    QPixmap pixmap(QSize(kEdge, kEdge) * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(widget.palette().color(QPalette::ButtonText), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    draw(painter);
    return QIcon(pixmap);
}

} // namespace

ToolButtons::ToolButtons(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const std::array names{QStringLiteral("spaceMove"), QStringLiteral("spaceRectangle"), QStringLiteral("spaceLasso")};
    const QString change = tr("Shift adds, Ctrl toggles, Ctrl+Shift removes");
    const std::array spoken{tr("Move the view"), tr("Select a rectangle"), tr("Select with a lasso")};
    const std::array tips{tr("Drag moves the view (M). With Ctrl it selects a rectangle."),
                          tr("Drag selects a rectangle (B). %1.").arg(change),
                          tr("Drag around samples to select them (L). %1.").arg(change)};
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setObjectName(names[i]);
        button->setToolTip(tips[i]);
        button->setAccessibleName(spoken[i]);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setIconSize({kEdge, kEdge});
        connect(button, &QToolButton::clicked, this, [this] { emit chosen(tool()); });
        row->addWidget(button);
        buttons_[i] = button;
    }
    buttons_.front()->setChecked(true);
    paintIcons();
}

Tool ToolButtons::tool() const {
    return buttons_[1]->isChecked() ? Tool::Rectangle : buttons_[2]->isChecked() ? Tool::Lasso : Tool::Move;
}

void ToolButtons::setTool(Tool tool) {
    buttons_[static_cast<std::size_t>(tool)]->setChecked(true);
    emit chosen(tool);
}

void ToolButtons::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        paintIcons();
    QWidget::changeEvent(event);
}

void ToolButtons::paintIcons() {
    constexpr std::array kDraw{drawMove, drawRectangle, drawLasso};
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        buttons_[i]->setIcon(toolIcon(kDraw[i], *this));
}

} // namespace assay::space
