#include "widgets/space/view/space_header.h"

#include "widgets/common/colors.h"
#include "widgets/space/view/header_parts.h"
#include "widgets/space/view/layout_picker.h"
#include "widgets/space/view/sample_colors.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace assay::space {
namespace {

constexpr int kIcon = 16; // logical pixels

template <class Draw>
QIcon iconOf(const QWidget& widget, const QPen& pen, const QBrush& brush, const Draw& draw) {
    QPixmap pixmap(QSize(kIcon, kIcon) * widget.devicePixelRatioF());
    pixmap.setDevicePixelRatio(widget.devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(brush);
    draw(painter);
    return QIcon(pixmap);
}

void drawMove(QPainter& painter) {
    painter.translate(8, 8);
    for (int turn = 0; turn < 4; ++turn) {
        painter.drawLine(QPointF(0, 0), QPointF(0, -6.5));
        painter.drawPolyline(QPolygonF{{-2.5, -4.5}, {0, -7}, {2.5, -4.5}});
        painter.rotate(90.0);
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

QHBoxLayout* makeRow(std::initializer_list<QWidget*> widgets) {
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    return row;
}

} // namespace

SpaceHeader::SpaceHeader(QWidget* parent) : QWidget(parent), layout_(new LayoutPicker(this)) {
    column_ = makeChoice(this, QStringLiteral("spaceColumn"), 3);
    column_->setToolTip(tr("What the samples are coloured by"));
    connect(column_, &QComboBox::currentIndexChanged, this, &SpaceHeader::colorsChosen);
    auto* label = new QLabel(tr("&Colour"), this);
    label->setBuddy(column_);
    showReal_ = makeCheckBox(QStringLiteral("spaceShowReal"), tr("&Real"), tr("Show the real samples"));
    showSynthetic_ =
        makeCheckBox(QStringLiteral("spaceShowSynthetic"), tr("S&ynthetic"), tr("Show the current model's samples"));
    showPictures_ = makeCheckBox(
        QStringLiteral("spacePictures"), tr("P&ictures"),
        tr("Show pictures in place of points once one has zoomed in far enough, as many as fit side by side"));
    connect(showReal_, &QCheckBox::toggled, this, &SpaceHeader::layersChosen);
    connect(showSynthetic_, &QCheckBox::toggled, this, &SpaceHeader::layersChosen);
    connect(showPictures_, &QCheckBox::toggled, this, &SpaceHeader::picturesToggled);
    makeMaps();
    auto* reset = new QToolButton(this);
    reset->setObjectName(QStringLiteral("spaceReset"));
    reset->setText(tr("Reset"));
    reset->setToolTip(tr("Return to the first view (R)"));
    reset->setAutoRaise(true);
    connect(reset, &QToolButton::clicked, this, &SpaceHeader::resetWanted);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 2, 8, 2);
    rows->setSpacing(1);
    auto* first = makeRow({label, column_, mapLabel_, map_, showReal_, showSynthetic_});
    first->setStretchFactor(column_, 1);
    first->setStretchFactor(map_, 1);
    first->insertStretch(4);
    rows->addLayout(first);
    auto* second = makeRow({makeTools(), layout_, showPictures_, reset});
    second->setStretchFactor(layout_, 1);
    rows->addLayout(second);
    paintIcons();
    setFlat(false);
}

QWidget* SpaceHeader::makeTools() {
    const QString change = tr("Shift adds, Ctrl toggles, Ctrl+Shift removes");
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    tools_ = new QButtonGroup(this);
    const auto add = [&](const QString& name, Tool tool, const QString& spoken, const QString& tip) {
        auto* button = makeToggle(tools, name, tip);
        button->setAccessibleName(spoken);
        button->setIconSize({kIcon, kIcon});
        tools_->addButton(button, static_cast<int>(tool));
        row->addWidget(button);
    };
    add(QStringLiteral("spaceMove"), Tool::Move, tr("Move the view"),
        tr("Drag moves the view (M). With Ctrl it selects a rectangle."));
    add(QStringLiteral("spaceRectangle"), Tool::Rectangle, tr("Select a rectangle"),
        tr("Drag selects a rectangle (B). %1.").arg(change));
    add(QStringLiteral("spaceLasso"), Tool::Lasso, tr("Select with a lasso"),
        tr("Drag around samples to select them (L). %1.").arg(change));
    setTool(Tool::Move);
    connect(tools_, &QButtonGroup::idToggled, this, [this](int id, bool down) {
        if (down)
            emit toolChosen(static_cast<Tool>(id));
    });
    return tools;
}

void SpaceHeader::setTool(Tool tool) {
    tools_->button(static_cast<int>(tool))->setChecked(true);
}

void SpaceHeader::makeMaps() {
    map_ = makeChoice(this, QStringLiteral("spaceMap"), 3);
    addChoice(map_, tr("None"), static_cast<int>(MapKind::None), tr("Points only"));
    addChoice(
        map_, tr("Real density"), static_cast<int>(MapKind::RealDensity),
        tr("How dense the real set is, under the points: outlines enclose 25, 50, 75 and 95 % of the real samples"));
    addChoice(map_, tr("Difference"), static_cast<int>(MapKind::Difference),
              tr("Where the model has too many samples, and where too few: the density of its samples compared with "
                 "that of the real ones"));
    setMapKind(MapKind::Difference);
    map_->setToolTip(tr("Which density map to show"));
    connect(map_, &QComboBox::currentIndexChanged, this, &SpaceHeader::layersChosen);
    mapLabel_ = new QLabel(tr("Ma&p"), this);
    mapLabel_->setBuddy(map_);
}

QCheckBox* SpaceHeader::makeCheckBox(const QString& name, const QString& text, const QString& tip) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(name);
    box->setToolTip(tip);
    box->setChecked(true);
    return box;
}

bool SpaceHeader::showsPictures() const {
    return showPictures_->isChecked();
}

MapKind SpaceHeader::mapKind() const {
    return static_cast<MapKind>(map_->currentData().toInt());
}

void SpaceHeader::setMapKind(MapKind kind) {
    map_->setCurrentIndex(map_->findData(static_cast<int>(kind)));
}

void SpaceHeader::setFlat(bool flat) {
    mapLabel_->setVisible(flat);
    map_->setVisible(flat);
    showPictures_->setVisible(flat);
}

void SpaceHeader::paintIcons() {
    constexpr std::array kDraw{drawMove, drawRectangle, drawLasso};
    const QPen pen(palette().color(QPalette::ButtonText), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    for (std::size_t tool = 0; tool < kDraw.size(); ++tool)
        tools_->button(static_cast<int>(tool))->setIcon(iconOf(*this, pen, Qt::NoBrush, kDraw[tool]));
    // A set's colour in its points' shape.
    const auto paint = [this](QCheckBox* box, SetId set, const QColor& color) {
        box->setIcon(iconOf(*this, Qt::NoPen, color, [set](QPainter& painter) {
            paintShape(painter, set, {kIcon / 2.0, kIcon / 2.0}, isReal(set) ? 6.0 : 5.0);
        }));
    };
    paint(showReal_, SetId::Real, colors::real(palette()));
    paint(showSynthetic_, syntheticSet(0), colors::synthetic(palette()));
}

void SpaceHeader::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && tools_)
        paintIcons();
    QWidget::changeEvent(event);
}

void SpaceHeader::showColumns(const ViewState& state) {
    layout_->showColumns(state);
    const QSignalBlocker quiet(column_);
    const QVariant wanted = column_->count() > 0 ? column_->currentData() : QVariant(QStringLiteral("fidelity"));
    column_->clear();
    if (!state.hasModel())
        return;
    for (const ColorChoice& choice : colorChoices(state))
        addChoice(column_, choice.title, choice.id, choice.toolTip);
    column_->setCurrentIndex(std::max(0, column_->findData(wanted)));
}

QString SpaceHeader::colorColumn() const {
    return column_->currentData().toString();
}

void SpaceHeader::setColorColumn(const QString& columnId) {
    if (const int at = column_->findData(columnId); at >= 0)
        column_->setCurrentIndex(at);
}

bool SpaceHeader::isSetVisible(SetId set) const {
    return (isReal(set) ? showReal_ : showSynthetic_)->isChecked();
}

void SpaceHeader::setSetVisible(SetId set, bool visible) {
    (isReal(set) ? showReal_ : showSynthetic_)->setChecked(visible);
}

} // namespace assay::space
