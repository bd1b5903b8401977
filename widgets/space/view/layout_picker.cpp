#include "widgets/space/view/layout_picker.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/space/view/header_parts.h"
#include "widgets/text/names.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <string_view>

namespace assay::space {
namespace {

/// A feature's key among the items of an axis; other keys are ids of columns.
QString featureKey(std::size_t feature) {
    return QStringLiteral("#%1").arg(feature);
}

QString keyOf(const SpaceAxis& axis) {
    return axis.column.empty() ? featureKey(axis.feature) : QString::fromStdString(axis.column);
}

SpaceAxis axisOf(const QString& key) {
    if (key.startsWith(QLatin1Char('#')))
        return {{}, static_cast<std::size_t>(key.mid(1).toULongLong())};
    return {key.toStdString(), 0};
}

/// First axes of a model: realism against surprise, where they were computed, else the first features.
SpaceAxis firstAxis(std::size_t axis, const ViewState& state) {
    constexpr std::array<std::string_view, 3> kScores{"fidelity", "pce", "nearest_real_distance"};
    if (state.hasModel() && state.current().hasColumn(kScores[axis]))
        return {std::string(kScores[axis]), 0};
    return {{}, axis};
}

} // namespace

QString axisTitle(const SpaceAxis& axis, const ViewState& state) {
    if (axis.column.empty())
        return state.audit && state.audit->real
                   ? featureName(*state.audit->real->set, static_cast<std::uint32_t>(axis.feature))
                   : QString();
    const Column* column = state.findColumn(axis.column);
    return column ? catalogText(column->title) : QString::fromStdString(axis.column);
}

LayoutPicker::LayoutPicker(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    makeDimensions();
    makeArrangements();
    auto* label = new QLabel(tr("&Layout"), this);
    label->setBuddy(arrangement_);
    row->addWidget(flat_);
    row->addWidget(deep_);
    row->addSpacing(4);
    row->addWidget(label);
    row->addWidget(arrangement_, 3);
    const std::array names{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z")};
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        labels_[axis] = new QLabel(names[axis], this);
        axes_[axis] = makeChoice(this, QStringLiteral("spaceAxis") + names[axis], 5);
        axes_[axis]->setAccessibleName(tr("Column along the %1 axis").arg(names[axis]));
        connect(axes_[axis], &QComboBox::currentIndexChanged, this, &LayoutPicker::choose);
        row->addWidget(labels_[axis]);
        row->addWidget(axes_[axis], 2);
    }
    row->addStretch(1);
    showLayout({});
}

void LayoutPicker::makeDimensions() {
    const auto make = [this](const QString& name, const QString& text, const QString& tip) {
        auto* button = makeToggle(this, name, tip);
        button->setText(text);
        connect(button, &QToolButton::clicked, this, &LayoutPicker::choose);
        return button;
    };
    flat_ = make(QStringLiteral("spaceFlat"), tr("2D"), tr("Show the samples on a plane: drag slides it"));
    deep_ = make(QStringLiteral("spaceDeep"), tr("3D"), tr("Show the samples in three dimensions: drag turns them"));
}

void LayoutPicker::makeArrangements() {
    arrangement_ = makeChoice(this, QStringLiteral("spaceArrangement"), 4);
    addChoice(arrangement_, tr("Components"), static_cast<int>(Arrangement::Components),
              tr("The first principal components of the real set. What looks far apart here is far apart; what looks "
                 "close may be apart in the other dimensions."));
    addChoice(arrangement_, tr("UMAP"), static_cast<int>(Arrangement::Neighbors),
              tr("UMAP of both sets together: samples with common nearest neighbours lie together. Distances between "
                 "groups, and their sizes, mean little."));
    addChoice(arrangement_, tr("Columns"), static_cast<int>(Arrangement::Columns),
              tr("A score or a feature along each axis. Samples without that score are not shown."));
    connect(arrangement_, &QComboBox::currentIndexChanged, this, &LayoutPicker::choose);
}

SpaceLayout LayoutPicker::layoutWanted() const {
    SpaceLayout layout;
    layout.arrangement = static_cast<Arrangement>(arrangement_->currentData().toInt());
    layout.dimensions = flat_->isChecked() ? 2 : 3;
    if (layout.arrangement == Arrangement::Columns)
        for (std::size_t axis = 0; axis < layout.dimensions; ++axis)
            layout.axes[axis] = axisOf(axes_[axis]->currentData().toString());
    return layout;
}

void LayoutPicker::showLayout(const SpaceLayout& layout) {
    {
        const QSignalBlocker quiet(arrangement_);
        arrangement_->setCurrentIndex(arrangement_->findData(static_cast<int>(layout.arrangement)));
        (layout.isFlat() ? flat_ : deep_)->setChecked(true);
    }
    followArrangement();
    if (layout.arrangement == Arrangement::Columns)
        for (std::size_t axis = 0; axis < layout.dimensions; ++axis)
            showAxis(axis, layout.axes[axis]);
}

void LayoutPicker::showColumns(const ViewState& state) {
    state_ = state;
    state_.computed = {}; // nothing that is large stays in memory for this
    stale_ = true;
    followArrangement();
}

void LayoutPicker::fillAxes() {
    if (!stale_ || !state_.hasModel())
        return;
    stale_ = false;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        const QSignalBlocker quiet(axes_[axis]);
        const QString wanted =
            axes_[axis]->count() > 0 ? axes_[axis]->currentData().toString() : keyOf(firstAxis(axis, state_));
        axes_[axis]->clear();
        for (const Column* column : state_.columns()) {
            if (column->unit == Unit::Row)
                continue; // a row's number lies nowhere
            addChoice(axes_[axis], catalogText(column->title), catalogText(column->id), metricToolTip(*column));
        }
        const EmbeddingSet& real = *state_.audit->real->set;
        for (std::size_t feature = 0; feature < real.dim(); ++feature)
            axes_[axis]->addItem(featureName(real, static_cast<std::uint32_t>(feature)), featureKey(feature));
        showAxis(axis, axisOf(wanted));
    }
}

void LayoutPicker::showAxis(std::size_t axis, const SpaceAxis& column) {
    const QSignalBlocker quiet(axes_[axis]);
    axes_[axis]->setCurrentIndex(std::max(0, axes_[axis]->findData(keyOf(column))));
}

void LayoutPicker::followArrangement() {
    arrangement_->setToolTip(arrangement_->currentData(Qt::ToolTipRole).toString());
    const bool byColumns = arrangement_->currentData().toInt() == static_cast<int>(Arrangement::Columns);
    if (byColumns)
        fillAxes();
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        const bool used = byColumns && (axis < 2 || deep_->isChecked());
        labels_[axis]->setVisible(used);
        axes_[axis]->setVisible(used);
    }
}

void LayoutPicker::choose() {
    followArrangement();
    emit chosen(layoutWanted());
}

} // namespace assay::space
