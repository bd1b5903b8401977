#include "widgets/classes/classes_panel.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"
#include "widgets/classes/classes_table.h"
#include "widgets/classes/nearest_classes_view.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_selection.h"
#include "widgets/text/names.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxNamed = 20; // missing classes in the note

/// Translation context of this file's functions.
struct ClassesWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ClassesPanel)
};

/// The first classes, and how many more there are.
QString listOf(const std::vector<std::string>& classes) {
    QStringList names;
    for (std::size_t at = 0; at < std::min(classes.size(), kMaxNamed); ++at)
        names << briefClassText(classes[at]);
    if (classes.size() > kMaxNamed)
        names << ClassesWords::tr("and %1 more").arg(formatCount(classes.size() - kMaxNamed));
    return names.join(QStringLiteral(", "));
}

} // namespace

ClassesPanel::ClassesPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("classesPanel"));
    setContent(makeContentPage(), tr("The scores of every class are compared here. That needs labels in the sets."));
    connect(table_, &TableView::chosenChanged, this, &ClassesPanel::selectClasses);
    connect(table_, &TableView::opened, this, &ClassesPanel::filterToClass);
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

QWidget* ClassesPanel::makeContentPage() {
    auto* page = new QWidget(this);
    picker_ = named<QComboBox>("classesPicker", page);
    picker_->setAccessibleName(tr("What is shown by class"));
    picker_->addItem(tr("Scores by class"));
    picker_->addItem(tr("Class of the nearest real sample"));
    picker_->setItemData(0, tr("The mean of every score in each class"), Qt::ToolTipRole);
    picker_->setItemData(1, tr("Which classes are confused: a confusion matrix without a classifier"), Qt::ToolTipRole);
    parts_ = new QStackedWidget(page);
    parts_->addWidget(makeTablePage());
    nearest_ = new NearestClassesView(selection(), parts_);
    parts_->addWidget(nearest_);
    auto* bar = newLayout<QHBoxLayout>(nullptr, {6, 4, 6, 2});
    bar->addWidget(picker_);
    bar->addWidget(nearest_->tools(), 1);
    bar->addStretch(0);
    nearest_->tools()->hide();
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
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
    table_ = named<ClassesTable>("classesTable", page);
    table_->setAccessibleName(title());
    note_ = named<WrappingLabel>("classesNote", page);
    note_->setMargin(6);
    auto* layout = newLayout<QVBoxLayout>(page, {}, 0);
    layout->addWidget(table_, 1);
    layout->addWidget(note_);
    return page;
}

void ClassesPanel::stateChanged(const Changes& changes) {
    isNearestOld_ = true;
    if (!changes.model) {
        if (changes.shown)
            table_->setShown(state());
        showPart();
        return;
    }
    table_->setState(state());
    showPart();
    table_->countSelected(*selection());
    heaviest_.reset();
    showNote();
    askForHeaviest();
}

void ClassesPanel::selectionChanged() {
    table_->countSelected(*selection());
    nearest_->followSelection();
    if (!selecting_)
        table_->clearChosen(); // its samples are not the selected ones any more
}

void ClassesPanel::selectClasses() {
    SampleSet samples; // none where a click beside the rows chose none
    for (const int row : table_->selectedRows())
        samples |= table_->samplesOf(row);
    selecting_ = true;
    selection()->replace(samples);
    selecting_ = false;
}

void ClassesPanel::filterToClass(int row) {
    host().setFilter(state().filter.toggledClass(table_->label(row)));
}

std::optional<Figure> ClassesPanel::figure() {
    if (!table_->hasClasses())
        return std::nullopt;
    return parts_->currentWidget() == nearest_ ? nearest_->figure(picker_->currentText())
                                               : std::optional(scoresFigure());
}

Figure ClassesPanel::scoresFigure() {
    Figure figure;
    figure.title = picker_->currentText();
    figure.chart = table_->figureChart();
    figure.data = table_->data();
    figure.caption = tr("Mean of every score in each class. Shares are coloured from 0 to 1, other scores up to the "
                        "largest of the classes. ") +
                     figureParameters(state());
    return figure;
}

void ClassesPanel::showNote() {
    if (!state().hasModel())
        return;
    if (!table_->hasClasses()) {
        showMessage(
            tr("Neither set has labels.\nTo see scores by class, add an array \u201clabels\u201d to the .npz files: a "
               "number or a name for every sample."));
        return;
    }
    showContent();
    const auto missing = table_->missing();
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
    if (const std::vector<std::string> invented = table_->invented(); missing && !invented.empty())
        note_->setText(note_->text() + QLatin1Char('\n') + tr("Only in %1: %2").arg(name, listOf(invented)));
    for (const QString& more : {movedText(), heaviestText()})
        if (!more.isEmpty())
            note_->setText(note_->text() + QLatin1Char('\n') + more);
}

void ClassesPanel::askForHeaviest() {
    if (!state().hasModel() || !state().current().set->hasLabels() || !state().current().hasColumn("frechet_influence"))
        return;
    ask(
        "heaviestClass", tr("Fr\u00e9chet distance without a class"),
        [audit = state().audit, model = state().model](const JobContext& job) {
            return heaviestClass(audit, model, job);
        },
        [this](const std::shared_ptr<const std::optional<ClassFrechet>>& found) {
            heaviest_ = *found;
            showNote();
        });
}

QString ClassesPanel::heaviestText() const {
    if (!heaviest_)
        return {};
    return tr("Fr\u00e9chet distance: %1; without %2 (samples: %3) it would be %4, without as many at random %5.")
        .arg(formatNumber(state().current().metric("frechet_distance")), briefClassText(heaviest_->label),
             formatCount(heaviest_->samples), formatNumber(heaviest_->without), formatNumber(heaviest_->random));
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
