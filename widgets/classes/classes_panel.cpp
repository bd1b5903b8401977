#include "widgets/classes/classes_panel.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"
#include "widgets/charts/heat_paint.h"
#include "widgets/classes/classes_model.h"
#include "widgets/classes/classes_table.h"
#include "widgets/classes/nearest_classes_view.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_selection.h"
#include "widgets/text/class_text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMostNamed = 20; // missing classes in the note

/// Translation context of this file's functions.
struct ClassesWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ClassesPanel)
};

/// The first classes, and how many more there are.
QString listOf(const std::vector<std::string>& classes) {
    QStringList names;
    for (std::size_t at = 0; at < std::min(classes.size(), kMostNamed); ++at)
        names << briefClassText(classes[at]);
    if (classes.size() > kMostNamed)
        names << ClassesWords::tr("and %1 more").arg(formatCount(classes.size() - kMostNamed));
    return names.join(QStringLiteral(", "));
}

} // namespace

ClassesPanel::ClassesPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("classesPanel"));
    model_ = new ClassesModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(ClassesModel::SortRole);
    setContent(makeContentPage(), tr("The scores of every class are compared here. That needs labels in the sets."));
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ClassesPanel::selectClasses);
    connect(table_, &ClassesTable::opened, this, &ClassesPanel::filterToClass);
    connect(picker_, &QComboBox::currentIndexChanged, this, &ClassesPanel::showPart);
    connect(nearest_, &NearestClassesView::filterChosen, this,
            [&host](const ViewFilter& filter) { host.setFilter(filter); });
    connect(nearest_, &NearestClassesView::classesWanted, this, [this] {
        const auto compare = [](const AuditResult& audit, std::size_t model, const JobContext&) {
            return compareClasses(audit, model);
        };
        askOfModel("classes", tr("Looking at classes of nearest samples"), compare, &ClassesPanel::showClasses);
    });
    showNote();
}

ClassesPanel::~ClassesPanel() = default;

QWidget* ClassesPanel::makeContentPage() {
    auto* page = new QWidget(this);
    picker_ = new QComboBox(page);
    picker_->setObjectName(QStringLiteral("classesPicker"));
    picker_->setAccessibleName(tr("What is shown by class"));
    picker_->addItem(tr("Scores by class"));
    picker_->addItem(tr("Class of the nearest real sample"));
    picker_->setItemData(0, tr("The mean of every score in each class"), Qt::ToolTipRole);
    picker_->setItemData(1, tr("Which classes are confused: a confusion matrix without a classifier"), Qt::ToolTipRole);
    parts_ = new QStackedWidget(page);
    parts_->addWidget(makeTablePage());
    nearest_ = new NearestClassesView(selection(), parts_);
    parts_->addWidget(nearest_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 2);
    bar->addWidget(picker_);
    bar->addWidget(nearest_->tools(), 1);
    bar->addStretch(0);
    nearest_->tools()->hide();
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(parts_, 1);
    return page;
}

void ClassesPanel::showClasses(std::shared_ptr<const ComparedClasses> classes) {
    nearest_->showClasses(classes);
}

void ClassesPanel::showPart() {
    parts_->setCurrentIndex(picker_->currentIndex());
    nearest_->tools()->setVisible(parts_->currentWidget() == nearest_);
    if (parts_->currentWidget() == nearest_ && std::exchange(isNearestOld_, false))
        nearest_->setState(state());
}

QWidget* ClassesPanel::makeTablePage() {
    auto* page = new QWidget(this);
    table_ = new ClassesTable(sorted_, page);
    table_->setObjectName(QStringLiteral("classesTable"));
    table_->setAccessibleName(title());
    note_ = new WrappingLabel(page);
    note_->setObjectName(QStringLiteral("classesNote"));
    note_->setMargin(6);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    layout->addWidget(note_);
    return page;
}

void ClassesPanel::stateChanged(const Changes& changes) {
    isNearestOld_ = true;
    if (!changes.model) {
        if (changes.shown)
            model_->setShown(state());
        showPart();
        return;
    }
    model_->setState(state());
    showPart();
    model_->countSelected(*selection());
    table_->fitColumns();
    showNote();
}

void ClassesPanel::selectionChanged() {
    model_->countSelected(*selection());
    nearest_->followSelection();
    if (selecting_)
        return;
    selecting_ = true;
    table_->clearSelection(); // of samples that are not the selected ones any more
    selecting_ = false;
}

void ClassesPanel::selectClasses() {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    if (selecting_)
        return;
    SampleSet samples; // none where a click beside the rows chose none
    for (const QModelIndex& row : rows)
        samples |= model_->samplesOf(sorted_->mapToSource(row).row());
    selecting_ = true;
    selection()->replace(samples);
    selecting_ = false;
}

void ClassesPanel::filterToClass(int row) {
    const std::string& label = model_->label(sorted_->mapToSource(sorted_->index(row, 0)).row());
    host().setFilter(state().filter.toggledClass(label));
}

std::optional<Figure> ClassesPanel::figure() {
    if (!model_->hasClasses())
        return std::nullopt;
    return parts_->currentWidget() == nearest_ ? nearest_->figure(picker_->currentText())
                                               : std::optional(scoresFigure());
}

Figure ClassesPanel::scoresFigure() {
    delete std::exchange(drawing_, nullptr);
    drawn_ = std::make_unique<HeatContent>();
    drawn_->rowsTitle = tr("Class");
    Figure figure;
    QStringList headings{QStringLiteral("class"), QStringLiteral("real"), QStringLiteral("synthetic")};
    std::vector<int> columns;
    for (int column = ClassesModel::FixedColumns; column < model_->columnCount(); ++column) {
        columns.push_back(column);
        drawn_->columns << model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const std::string_view id = model_->score(column)->id;
        headings << QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
    }
    figure.data.push_back(headings);
    for (int row = 0; row < sorted_->rowCount(); ++row) {
        const auto count = [&](int column) {
            return sorted_->index(row, column).data(ClassesModel::SortRole).toString();
        };
        drawn_->rows << sorted_->index(row, ClassesModel::ClassColumn).data().toString();
        QStringList line{drawn_->rows.last(), count(ClassesModel::RealColumn), count(ClassesModel::SyntheticColumn)};
        for (const int column : columns) {
            const double mean = model_->mean(sorted_->mapToSource(sorted_->index(row, column)));
            line << (std::isnan(mean) ? QString() : dataNumber(mean));
        }
        figure.data.push_back(line);
    }
    drawn_->cell = [this, columns](std::size_t row, std::size_t column) {
        const QModelIndex index = sorted_->index(static_cast<int>(row), columns[column]);
        const QVariant shade = index.data(ClassesModel::ShadeRole);
        return HeatCell{.shade = shade.isValid() ? shade.toDouble() : std::nan(""), .text = index.data().toString()};
    };
    drawing_ = new HeatDrawing(*drawn_, this);
    figure.title = picker_->currentText();
    figure.chart = drawing_;
    figure.caption = tr("Mean of every score in each class. Shares are coloured from 0 to 1, other scores up to the "
                        "largest of the classes. ") +
                     figureParameters(state());
    return figure;
}

void ClassesPanel::showNote() {
    if (!state().hasModel())
        return;
    if (!model_->hasClasses()) {
        showMessage(
            tr("Neither set has labels.\nTo see scores by class, add an array \u201clabels\u201d to the .npz files: a "
               "number or a name for every sample."));
        return;
    }
    showContent();
    const auto missing = model_->missing();
    const QString name = QString::fromStdString(briefText(state().current().name));
    if (!missing) {
        note_->setText(!state().current().set->hasLabels() ? tr("%1 has no labels.").arg(name)
                       : !state().audit->real->set->hasLabels()
                           ? tr("The real set has no labels.")
                           : tr("%1 and the real set have no class in common.").arg(name));
    } else if (missing->empty()) {
        note_->setText(tr("Every class of the real set is in %1.").arg(name));
    } else {
        note_->setText(tr("Missing from %1: %2").arg(name, listOf(*missing)));
    }
    if (const std::vector<std::string> invented = model_->invented(); missing && !invented.empty())
        note_->setText(note_->text() + QLatin1Char('\n') + tr("Only in %1: %2").arg(name, listOf(invented)));
    if (const QString moved = movedText(); !moved.isEmpty())
        note_->setText(note_->text() + QLatin1Char('\n') + moved);
}

QString ClassesPanel::movedText() const {
    const std::optional<ClassMeans>& means = state().current().classMeans;
    if (!means)
        return {};
    const auto farthest = std::ranges::max_element(means->classes, {}, &ClassShift::distance);
    const std::string& label = state().audit->real->set->labels().names[farthest->realClass];
    return tr("Fr\u00e9chet distance of the class means: %1. %2 has moved farthest, by %3 (by chance: %4).")
        .arg(formatNumber(means->frechetDistance), briefClassText(label), formatNumber(farthest->distance),
             formatNumber(farthest->byChance));
}

} // namespace assay
