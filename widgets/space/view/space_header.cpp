#include "widgets/space/view/space_header.h"

#include "widgets/common/colors.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/space/view/layout_picker.h"
#include "widgets/space/view/sample_colors.h"
#include "widgets/space/view/tool_buttons.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace assay::space {
namespace {

constexpr int kWidestColumn = 240;

/// A set's colour in its points' shape.
QIcon swatch(const QColor& color, SetId set, double scale) {
    QPixmap pixmap(QSize(12, 12) * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (isReal(set))
        painter.drawPolygon(QPolygonF{{6, 0}, {12, 6}, {6, 12}, {0, 6}});
    else
        painter.drawEllipse(QRectF(1, 1, 10, 10));
    return QIcon(pixmap);
}

} // namespace

SpaceHeader::SpaceHeader(QWidget* parent) : QWidget(parent) {
    makeColors();
    makeSets();
    makeMaps();
    layout_ = new LayoutPicker(this);
    tools_ = new ToolButtons(this);
    auto* label = new QLabel(tr("&Colour"), this);
    label->setBuddy(column_);
    auto* reset = new QToolButton(this);
    reset->setObjectName(QStringLiteral("spaceReset"));
    reset->setText(tr("Reset view"));
    reset->setToolTip(tr("Return to the first view (R)"));
    reset->setAutoRaise(true);
    connect(reset, &QToolButton::clicked, this, &SpaceHeader::resetWanted);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 2, 8, 2);
    rows->setSpacing(1);
    auto* first = new QHBoxLayout;
    first->setSpacing(6);
    first->addWidget(label);
    first->addWidget(column_, 1);
    first->addWidget(mapLabel_);
    first->addWidget(map_, 1);
    first->addStretch();
    first->addWidget(showReal_);
    first->addWidget(showSynthetic_);
    first->addWidget(reset);
    rows->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(6);
    second->addWidget(tools_);
    second->addWidget(layout_, 1);
    second->addWidget(showPictures_);
    rows->addLayout(second);
}

void SpaceHeader::makeColors() {
    column_ = new ElidingComboBox(this);
    column_->setObjectName(QStringLiteral("spaceColumn"));
    column_->setToolTip(tr("What the samples are coloured by"));
    column_->setMinimumContentsLength(6);
    column_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column_->setMaximumWidth(kWidestColumn);
    connect(column_, &QComboBox::currentIndexChanged, this, &SpaceHeader::colorsChosen);
}

void SpaceHeader::makeMaps() {
    map_ = new ElidingComboBox(this);
    map_->setObjectName(QStringLiteral("spaceMap"));
    map_->setMinimumContentsLength(6);
    map_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    map_->setMaximumWidth(kWidestColumn);
    const auto add = [this](const QString& text, MapKind kind, const QString& tip) {
        map_->addItem(text, static_cast<int>(kind));
        map_->setItemData(map_->count() - 1, tip, Qt::ToolTipRole);
    };
    add(tr("None"), MapKind::None, tr("Points only"));
    add(tr("Real density"), MapKind::RealDensity,
        tr("How dense the real set is, under the points: outlines enclose 25, 50, 75 and 95 % of the real samples"));
    add(tr("Difference"), MapKind::Difference,
        tr("Where the model has too many samples, and where too few: the density of its samples compared with that of "
           "the real ones"));
    map_->setToolTip(tr("Which density map to show"));
    connect(map_, &QComboBox::currentIndexChanged, this, &SpaceHeader::mapChosen);
    mapLabel_ = new QLabel(tr("Ma&p"), this);
    mapLabel_->setBuddy(map_);
    showPictures_ = new QCheckBox(tr("P&ictures"), this);
    showPictures_->setObjectName(QStringLiteral("spacePictures"));
    showPictures_->setToolTip(
        tr("Show pictures in place of points once one has zoomed in far enough, as many as fit side by side"));
    showPictures_->setChecked(true);
    connect(showPictures_, &QCheckBox::toggled, this, &SpaceHeader::picturesToggled);
    setFlat(false);
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

void SpaceHeader::makeSets() {
    const auto make = [this](const QString& name, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text, this);
        box->setObjectName(name);
        box->setToolTip(tip);
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &SpaceHeader::setsChosen);
        return box;
    };
    showReal_ = make(QStringLiteral("spaceShowReal"), tr("&Real"), tr("Show the real samples"));
    showSynthetic_ =
        make(QStringLiteral("spaceShowSynthetic"), tr("S&ynthetic"), tr("Show the current model's samples"));
    paintSwatches();
}

void SpaceHeader::paintSwatches() {
    showReal_->setIcon(swatch(colors::real(palette()), SetId::Real, devicePixelRatioF()));
    showSynthetic_->setIcon(swatch(colors::synthetic(palette()), syntheticSet(0), devicePixelRatioF()));
}

void SpaceHeader::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && showReal_)
        paintSwatches();
    QWidget::changeEvent(event);
}

void SpaceHeader::showColumns(const ViewState& state) {
    layout_->showColumns(state);
    const QSignalBlocker quiet(column_);
    const QVariant wanted = column_->count() > 0 ? column_->currentData() : QVariant(QStringLiteral("fidelity"));
    column_->clear();
    if (!state.hasModel())
        return;
    for (const ColorChoice& choice : colorChoices(state)) {
        column_->addItem(choice.title, choice.id);
        column_->setItemData(column_->count() - 1, choice.toolTip, Qt::ToolTipRole);
    }
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
