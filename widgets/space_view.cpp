#include "widgets/space_view.h"

#include "engine/metrics/catalog.h"
#include "widgets/colors.h"
#include "widgets/sample_selection.h"
#include "widgets/space/color_bar.h"
#include "widgets/space/focus_highlights.h"
#include "widgets/space/point_extent.h"
#include "widgets/space/sample_colors.h"
#include "widgets/space/space_canvas.h"
#include "widgets/space/space_picker.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr double kReach = 8.0; // logical pixels from the cursor

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

/// The fewer points, the larger they can be without becoming one blot.
float diameterFor(std::size_t points) {
    return points <= 5'000 ? 6.0F : points <= 40'000 ? 4.5F : 3.5F;
}

QString percent(double share, const QLocale& locale) {
    const double value = 100.0 * share;
    return locale.toString(value, 'f', value >= 9.95 || value == 0.0 ? 0 : value >= 0.995 ? 1 : 2);
}

const EmbeddingSet* realSetOf(const ViewState& state) {
    return state.audit && state.audit->real ? state.audit->real->set.get() : nullptr;
}

const EmbeddingSet* syntheticSetOf(const ViewState& state) {
    return state.hasModel() ? state.current().set.get() : nullptr;
}

} // namespace

SpaceView::SpaceView(SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), openGlProblem_(space::openGlProblem()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());

    stack_ = new QStackedLayout;
    message_ = new QLabel(this);
    message_->setObjectName(QStringLiteral("spaceMessage"));
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setMargin(24);
    stack_->addWidget(message_);
    if (openGlProblem_.isEmpty()) {
        canvas_ = new space::SpaceCanvas(this);
        stack_->addWidget(canvas_);
        setFocusProxy(canvas_);
        connect(canvas_, &space::SpaceCanvas::clicked, this, &SpaceView::clickAt);
        connect(canvas_, &space::SpaceCanvas::pointed, this, &SpaceView::pointAt);
        connect(canvas_, &space::SpaceCanvas::brushed, this, &SpaceView::brush);
        connect(canvas_, &space::SpaceCanvas::left, this, [this] { this->selection()->hover(std::nullopt); });
    }
    layout->addLayout(stack_, 1);
    layout->addWidget(makeFooter());
    refreshTheme();
    refresh();
}

SpaceView::~SpaceView() = default;

QWidget* SpaceView::makeHeader() {
    header_ = new QWidget(this);
    auto* row = new QHBoxLayout(header_);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    auto* label = new QLabel(tr("&Colour"), header_);
    column_ = new QComboBox(header_);
    column_->setObjectName(QStringLiteral("spaceColumn"));
    column_->setToolTip(tr("What the synthetic samples are coloured by"));
    column_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    label->setBuddy(column_);
    showReal_ = new QCheckBox(tr("&Real"), header_);
    showReal_->setObjectName(QStringLiteral("spaceShowReal"));
    showReal_->setToolTip(tr("Show the real samples"));
    showSynthetic_ = new QCheckBox(tr("S&ynthetic"), header_);
    showSynthetic_->setObjectName(QStringLiteral("spaceShowSynthetic"));
    showSynthetic_->setToolTip(tr("Show the current model's samples"));
    auto* reset = new QToolButton(header_);
    reset->setObjectName(QStringLiteral("spaceReset"));
    reset->setText(tr("Reset view"));
    reset->setToolTip(tr("Show everything from the first direction again (R)"));
    reset->setAutoRaise(true);
    for (QCheckBox* box : {showReal_, showSynthetic_}) {
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &SpaceView::refreshColors);
    }
    connect(column_, &QComboBox::currentIndexChanged, this, &SpaceView::refreshColors);
    connect(reset, &QToolButton::clicked, this, &SpaceView::resetView);
    row->addWidget(label);
    row->addWidget(column_);
    row->addStretch(1);
    row->addWidget(showReal_);
    row->addWidget(showSynthetic_);
    row->addWidget(reset);
    return header_;
}

QWidget* SpaceView::makeFooter() {
    footer_ = new QWidget(this);
    auto* column = new QVBoxLayout(footer_);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    colorBar_ = new space::ColorBar(footer_);
    caption_ = new QLabel(footer_);
    caption_->setObjectName(QStringLiteral("spaceCaption"));
    caption_->setWordWrap(true);
    caption_->setToolTip(tr("A ball in all dimensions, projected orthogonally onto three, is a ball of the same radius "
                            "about the projected centre. What looks inside it here need not be inside it in all "
                            "dimensions; what looks outside is outside."));
    column->addWidget(colorBar_);
    column->addWidget(caption_);
    return footer_;
}

void SpaceView::showPoints(std::shared_ptr<const SpacePoints> points) {
    if (points == points_)
        return;
    points_ = std::move(points);
    refresh();
}

bool SpaceView::pointsFit() const {
    return points_ && state().hasModel() && points_->real.size() == realSetOf(state())->rows() &&
           points_->synthetic.size() == syntheticSetOf(state())->rows();
}

QString SpaceView::message() const {
    return stack_->currentWidget() == message_ ? message_->text() : QString();
}

QString SpaceView::currentMessage() const {
    if (!canvas_)
        return tr("The 3D view needs OpenGL: %1.").arg(openGlProblem_);
    if (!realSetOf(state()))
        return tr("Load a real and a synthetic set to see them here, in three dimensions.");
    if (!state().hasModel())
        return tr("Load a synthetic set to see it here beside the real one.");
    if (!pointsFit())
        return tr("Projecting\u2026");
    return {};
}

void SpaceView::stateChanged(const ViewState& previous) {
    const bool sameSets =
        realSetOf(previous) == realSetOf(state()) && syntheticSetOf(previous) == syntheticSetOf(state());
    if (!sameSets)
        points_ = nullptr;
    const bool sameModel = state().hasModel() && previous.hasModel() && &previous.current() == &state().current();
    if (!sameModel)
        showColumns();
    if (sameSets && sameModel)
        refreshColors();
    else
        refresh();
}

void SpaceView::showColumns() {
    const QSignalBlocker quiet(column_);
    const QVariant wanted = column_->count() > 0 ? column_->currentData() : QVariant(QStringLiteral("fidelity"));
    column_->clear();
    if (!state().hasModel())
        return;
    for (const Column* column : space::colorableColumns(state().current())) {
        const auto text = [](std::string_view s) {
            return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
        };
        column_->addItem(text(column->title), text(column->id));
        column_->setItemData(column_->count() - 1, text(column->definition), Qt::ToolTipRole);
    }
    column_->addItem(tr("One colour"), QString());
    column_->setCurrentIndex(std::max(0, column_->findData(wanted)));
}

void SpaceView::refresh() {
    const QString text = currentMessage();
    const bool drawn = text.isEmpty();
    message_->setText(text);
    stack_->setCurrentIndex(drawn ? 1 : 0);
    header_->setVisible(canvas_ && state().hasModel());
    footer_->setVisible(drawn);
    if (!drawn)
        return;
    refreshBox();
    refreshColors();
}

void SpaceView::refreshBox() {
    const space::Box box = space::boxAround(*points_);
    QStringList titles;
    for (std::size_t axis = 0; axis < 3; ++axis)
        titles << tr("PC %1 (%2\u00a0%)").arg(axis + 1).arg(percent(points_->explainedShare[axis], locale()));
    canvas_->setBox(box, titles);
    // Balls reach beyond the points; a clipped radius is at most the median one.
    canvas_->setReach(space::reachFrom(*points_, box.centre()) + static_cast<float>(state().audit->real->medianRadius));
    // Another model of the same real set is looked at from the same place, so that the two can be compared.
    if (!viewedPoints_ || viewedPoints_->real != points_->real)
        canvas_->resetView();
    viewedPoints_ = points_;
}

void SpaceView::refreshColors() {
    if (!canvas_ || !pointsFit())
        return;
    const std::string id = colorColumn().toStdString();
    const auto columns = space::colorableColumns(state().current());
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column* c) { return c->id == id; });
    space::SampleColors colored =
        space::colorSamples(state(), at == columns.end() ? nullptr : *at, palette(), locale());

    // The points are shared with the job's result, not copied.
    const float diameter = diameterFor(points_->real.size() + points_->synthetic.size());
    const space::Rgb slate = space::toRgb(colors::real(palette()));
    canvas_->setCloud(space::kRealCloud, {{points_, &points_->real},
                                          std::vector<space::Rgb>(points_->real.size(), slate),
                                          1.25F * diameter, // diamonds cover less of their square than discs
                                          showReal_->isChecked()});
    canvas_->setCloud(
        space::kSyntheticCloud,
        {{points_, &points_->synthetic}, std::move(colored.colors), diameter, showSynthetic_->isChecked()});
    colorBar_->setLegend(std::move(colored.legend));
    refreshHighlights();
}

void SpaceView::refreshHighlights() {
    if (!canvas_ || !pointsFit())
        return;
    space::FocusHighlights focus =
        space::focusHighlights({state(), *points_, *selection(), canvas_->drawing(), palette()});
    canvas_->setHighlights(std::move(focus.highlights));
    caption_->setText(focus.caption.isEmpty() ? tr("Click a sample to see its neighbours and its ball; F centres it.")
                                              : focus.caption);
}

void SpaceView::refreshTheme() {
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, colors::mutedText(palette()));
    message_->setPalette(quiet);
    caption_->setPalette(quiet);
    showReal_->setIcon(swatch(colors::real(palette()), SetId::Real, devicePixelRatioF()));
    showSynthetic_->setIcon(swatch(colors::synthetic(palette()), syntheticSet(0), devicePixelRatioF()));
    if (canvas_)
        canvas_->setColors(palette().color(QPalette::Base), colors::mutedText(palette()), colors::gridLine(palette()),
                           palette().color(QPalette::Text));
}

void SpaceView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
        refreshColors();
    }
    LinkedView::changeEvent(event);
}

void SpaceView::selectionChanged() {
    refreshHighlights();
}

void SpaceView::hoverChanged() {
    refreshHighlights();
}

QString SpaceView::colorColumn() const {
    return column_->currentData().toString();
}

void SpaceView::setColorColumn(const QString& columnId) {
    if (const int at = column_->findData(columnId); at >= 0)
        column_->setCurrentIndex(at);
}

void SpaceView::setSetVisible(SetId set, bool visible) {
    (isReal(set) ? showReal_ : showSynthetic_)->setChecked(visible);
}

void SpaceView::resetView() {
    if (canvas_)
        canvas_->resetView();
}

void SpaceView::centerOnFocus() {
    const auto focus = selection()->focus();
    if (!focus || !isShown(focus->set))
        return;
    const auto& points = isReal(focus->set) ? points_->real : points_->synthetic;
    if (focus->row < points.size())
        canvas_->lookAt(points[focus->row]);
}

bool SpaceView::isShown(SetId set) const {
    if (!canvas_ || !pointsFit())
        return false;
    return isReal(set) ? showReal_->isChecked() : set == state().currentSet() && showSynthetic_->isChecked();
}

std::optional<QPointF> SpaceView::screenPosition(SampleId sample) const {
    if (!isShown(sample.set))
        return std::nullopt;
    const auto& points = isReal(sample.set) ? points_->real : points_->synthetic;
    if (sample.row >= points.size())
        return std::nullopt;
    const QSizeF size = canvas_->size();
    const auto screen = space::project(canvas_->camera().matrix(size), size, points[sample.row]);
    if (!screen || !QRectF({}, size).contains(screen->at))
        return std::nullopt;
    return screen->at + canvas_->mapTo(this, QPoint(0, 0));
}

SampleId SpaceView::sampleOf(const space::Pick& pick) const {
    return {pick.cloud == space::kRealCloud ? SetId::Real : state().currentSet(), static_cast<std::uint32_t>(pick.row)};
}

namespace {

/// What is visible, in the drawing's order; a hidden cloud is an empty one.
std::array<space::PickableCloud, 2> pickable(const space::Drawing& drawing) {
    std::array<space::PickableCloud, 2> clouds;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (drawing.clouds[i].visible && drawing.clouds[i].points)
            clouds[i] = {*drawing.clouds[i].points, drawing.clouds[i].diameter};
    return clouds;
}

} // namespace

std::optional<space::Pick> SpaceView::pickAt(QPointF at) const {
    if (!pointsFit())
        return std::nullopt;
    return space::pickAt(pickable(canvas_->drawing()), canvas_->camera(), canvas_->size(), at, kReach);
}

void SpaceView::clickAt(QPointF at, Qt::KeyboardModifiers modifiers) {
    const auto pick = pickAt(at);
    const bool adds = modifiers.testFlag(Qt::ControlModifier);
    if (pick && adds)
        selection()->toggle(sampleOf(*pick));
    else if (pick)
        selection()->select(sampleOf(*pick));
    else if (!adds)
        selection()->clear();
}

void SpaceView::pointAt(QPointF at) {
    const auto pick = pickAt(at);
    selection()->hover(pick ? std::optional(sampleOf(*pick)) : std::nullopt);
    if (pick)
        QToolTip::showText(canvas_->mapToGlobal(at.toPoint()), describe(sampleOf(*pick)), canvas_);
    else
        QToolTip::hideText();
}

void SpaceView::brush(const QRectF& rectangle) {
    if (!pointsFit())
        return;
    std::vector<SampleId> samples;
    for (const space::Pick& pick :
         space::pickInside(pickable(canvas_->drawing()), canvas_->camera(), canvas_->size(), rectangle))
        samples.push_back(sampleOf(pick));
    selection()->replace(std::move(samples));
}

QString SpaceView::describe(SampleId sample) const {
    const EmbeddingSet& set = state().audit->setOf(sample.set);
    const QString name = isReal(sample.set) ? tr("Real") : QString::fromStdString(state().current().name);
    QString text = tr("%1 %2").arg(name, QString::fromStdString(set.idText(sample.row)));
    if (set.hasLabels())
        text += tr(", class %1").arg(QString::fromStdString(set.labelText(sample.row)));
    if (isReal(sample.set))
        return text;
    const std::string id = colorColumn().toStdString();
    for (const Column* column : space::colorableColumns(state().current()))
        if (column->id == id)
            text += QStringLiteral("\n") +
                    tr("%1: %2").arg(column_->currentText(),
                                     space::valueText(*column, state().current().column(id)[sample.row], locale()));
    if (!state().isKept(sample.row))
        text += QStringLiteral("\n") + tr("rejected");
    return text;
}

void SpaceView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_R && event->modifiers() == Qt::NoModifier)
        resetView();
    else if (event->key() == Qt::Key_F && event->modifiers() == Qt::NoModifier)
        centerOnFocus();
    else if (event->key() == Qt::Key_Escape)
        selection()->clear();
    else
        LinkedView::keyPressEvent(event);
}

} // namespace assay
