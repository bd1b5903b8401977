#include "gui/pages/open_dialog.h"

#include "gui/desktop/icons.h"
#include "gui/desktop/settings.h"
#include "gui/jobs/embedding_networks.h"
#include "gui/pages/advanced_options.h"
#include "gui/pages/conversion_pane.h"
#include "gui/pages/embedding_choice.h"
#include "gui/pages/file_row.h"
#include "gui/pages/set_pane.h"
#include "gui/session/error_text.h"

#include "engine/base/error.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/manifest.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSet>
#include <QShortcut>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

enum ModelColumn { NameColumn, FileColumn, FoundColumn };

constexpr int kBesideRole = Qt::UserRole + 1;

} // namespace

OpenDialog::OpenDialog(FilePrompts prompts, QWidget* parent)
    : QDialog(parent), prompts_(std::move(prompts)), previewer_(prompts_.look), pane_(new SetPane(prompts_)),
      real_(named<QLineEdit>("realFile")), models_(named<QTableWidget>("modelFiles", 0, 3)),
      heldOut_(named<QLineEdit>("heldOutFile")), conversion_(new ConversionPane(prompts_)),
      embedding_(new EmbeddingChoice(prompts_)), form_(new QFormLayout), advanced_(new AdvancedOptions),
      remove_(named<QToolButton>("removeFiles")), problem_(newText("problem")) {
    setObjectName(QStringLiteral("openDialog"));
    setWindowTitle(tr("Open an audit"));
    resize(QSize(1200, 720).boundedTo(screen()->availableSize() * 0.9));

    real_->setPlaceholderText(
        tr("the training set, or other real samples: a file, file.npz:key, or a folder of pictures; or a saved audit"));
    heldOut_->setPlaceholderText(tr("optional: real samples that no model was trained on"));
    heldOut_->setToolTip(tr("Scored like a model, they show what good samples score, how many of them the rules would "
                            "reject, and whether a model copies its training set."));

    auto* left = new QWidget;
    addAll(new QVBoxLayout(left), form_, Stretch{});
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addFile = [this](const QString& title, QLineEdit* file, const char* button, const QString& prompt) {
        QWidget* row = fileRow(file, QLatin1String(button), prompt);
        form_->addRow(title, row);
        static_cast<QLabel*>(form_->labelForField(row))->setBuddy(file);
    };
    addFile(tr("&Real set"), real_, "chooseReal", tr("Choose the real set"));
    form_->addRow(tr("Synthetic sets"), makeModelList());
    addFile(tr("&Held-out real set"), heldOut_, "chooseHeldOut", tr("Choose the held-out real set"));
    form_->addRow(QString(), advanced_);
    // Last, because they come to be seen as files are looked at: nothing else moves under the mouse.
    form_->addRow(tr("Conversion"), conversion_);
    form_->addRow(tr("&Embedding"), embedding_);
    // A buddy that only hands the keyboard on never gets it.
    static_cast<QLabel*>(form_->labelForField(embedding_))->setBuddy(embedding_->focusProxy());

    QDialogButtonBox* buttons = newButtons(this, QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    QPushButton* clear = buttons->addButton(tr("Clear"), QDialogButtonBox::ResetRole);
    clear->setObjectName(QStringLiteral("clearFiles"));
    clear->setToolTip(tr("Remove all files, and go back to the usual options"));
    clear->setAutoDefault(false);
    connect(clear, &QPushButton::clicked, this, [this] {
        setFiles({});
        real_->setFocus();
    });
    // The files and what they hold side by side, each with all the height: neither crushes the other.
    auto* halves = new QSplitter;
    halves->setChildrenCollapsible(false);
    for (QWidget* half : {left, static_cast<QWidget*>(pane_)}) {
        auto* area = newScroll(half);
        area->setMinimumWidth(half->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width());
        halves->addWidget(area);
    }
    halves->setSizes({620, 540});
    addAll(new QVBoxLayout(this), Wide{halves}, makeWarningRow(problem_), buttons);

    connect(models_, &QTableWidget::itemChanged, this, &OpenDialog::refresh);
    connect(models_, &QTableWidget::itemSelectionChanged, this, [this] {
        if (const QList<QTableWidgetItem*> items = models_->selectedItems(); !items.isEmpty())
            current_ = items.front()->row();
        refresh();
    });
    connect(conversion_, &ConversionPane::ended, this, [this] {
        previewer_.lookAgainForPython();
        showSeen();
    });
    connect(embedding_, &EmbeddingChoice::changed, this, &OpenDialog::showSeen);
    connect(advanced_, &AdvancedOptions::changed, this, &OpenDialog::refresh);
    connect(&previewer_, &SetPreviewer::changed, this, &OpenDialog::showSeen);
    connect(pane_, &SetPane::besideChosen, this, &OpenDialog::setBeside);
    connect(pane_, &SetPane::arrayChosen, this, &OpenDialog::setArray);
    connect(pane_, &SetPane::columnKindChosen, advanced_, &AdvancedOptions::setColumnKind);
    refresh();
}

QWidget* OpenDialog::fileRow(QLineEdit* file, const QString& buttonName, const QString& prompt) {
    connect(file, &QLineEdit::textChanged, this, [this, file] {
        current_ = file == real_ ? kReal : kHeldOut;
        dropOldOptions();
        refresh();
    });
    const auto chosen = [this, file] {
        if (file == heldOut_ && heldOutBeside_.groups.isEmpty()) {
            takeOverGroups(kHeldOut, {});
            refresh();
        }
    };
    connect(file, &QLineEdit::editingFinished, this, chosen);
    return makeFileRow(
        file,
        {{buttonName, tr("Choose\u2026"), [this, prompt] { return prompts_.openOne(this, prompt); }},
         {buttonName + QStringLiteral("Folder"), tr("Folder\u2026"),
          [this, prompt] { return prompts_.openFolder(this, prompt); },
          tr("A folder of pictures (PNG, JPEG, WebP, BMP, GIF, TIFF): one sample each, folders below are "
             "classes. Or of arrays (.npy), one per clip.")}},
        chosen);
}

QWidget* OpenDialog::makeModelList() {
    models_->setHorizontalHeaderLabels({tr("Name"), tr("File"), tr("What was found")});
    models_->horizontalHeader()->setStretchLastSection(true);
    models_->horizontalHeader()->setHighlightSections(false);
    models_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    models_->setColumnWidth(NameColumn, 130);
    models_->setColumnWidth(FileColumn, 230);
    models_->verticalHeader()->hide();
    models_->setSelectionBehavior(QAbstractItemView::SelectRows);
    models_->setTextElideMode(Qt::ElideMiddle);
    models_->setWordWrap(false);
    models_->setFixedHeight(9 * fontMetrics().height()); // what comes below must not move what stands above

    auto* add = newButton<QToolButton>("addFiles", tr("Add\u2026"), {});
    add->setIcon(icon(QStringLiteral("add-model")));
    auto* addFolder =
        newButton<QToolButton>("addFolder", tr("Add folder\u2026"),
                               tr("A folder of pictures (PNG, JPEG, WebP, BMP, GIF, TIFF) or of clips (.npy)"));
    remove_->setText(tr("Remove"));
    remove_->setIcon(icon(QStringLiteral("reject")));
    for (QToolButton* button : {add, remove_})
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(add, &QToolButton::clicked, this, &OpenDialog::chooseModels);
    connect(addFolder, &QToolButton::clicked, this, [this] {
        const QString chosen = prompts_.openFolder(this, tr("Add a synthetic set"));
        addModels(namedModels(chosen.isEmpty() ? QStringList() : QStringList(chosen), modelNames()));
        takeOverGroups();
    });
    connect(remove_, &QToolButton::clicked, this, &OpenDialog::removeModels);
    auto* removeKey = new QShortcut(QKeySequence::Delete, models_);
    removeKey->setContext(Qt::WidgetShortcut);
    connect(removeKey, &QShortcut::activated, this, &OpenDialog::removeModels);

    auto* list = new QWidget;
    auto* hint = new QLabel(tr("Double-click a name to change it."));
    addAll(newLayout<QVBoxLayout>(list), models_, addAll(new QHBoxLayout, add, addFolder, remove_, hint, Stretch{}));
    list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // room that is left stays below all rows
    return list;
}

void OpenDialog::setFiles(const AuditFiles& files) {
    given_ = {};
    showProblem_ = false;
    realBeside_ = files.realBeside;
    heldOutBeside_ = files.heldOutBeside;
    embedding_->setChoice(files.embedding);
    heldOut_->setText(files.heldOut);
    real_->setText(files.real.isEmpty() ? files.audit : files.real);
    models_->setRowCount(0);
    addModels(files.models);
    advanced_->setOptions(files.options, files.choice);
    given_ = files;
    refresh();
}

/// Of another real set the options of the audit before say nothing: they would take pictures as categories.
void OpenDialog::dropOldOptions() {
    if (given_.real.isEmpty() || pathOfSpec(real_->text().trimmed()) == pathOfSpec(given_.real))
        return;
    realBeside_ = {};
    if (advanced_->choice() == given_.choice)
        advanced_->setOptions(advanced_->options(), {});
    embedding_->setChoice({});
    given_ = {};
}

AuditFiles OpenDialog::files() const {
    AuditFiles files;
    files.real = real_->text().trimmed();
    if (isNamedAuditFile(files.real)) { // which has all the rest in it
        files.audit = std::exchange(files.real, {});
        return files;
    }
    files.heldOut = heldOut_->text().trimmed();
    for (int row = 0; row < models_->rowCount(); ++row)
        files.models.push_back({given(row).title, given(row).file, given(row).beside});
    files.realBeside = realBeside_;
    if (!files.heldOut.isEmpty())
        files.heldOutBeside = heldOutBeside_;
    files.options = advanced_->options();
    files.choice = choiceFor(advanced_->choice());
    if (!withoutEmbeddings().isEmpty())
        files.embedding = embedding_->choice();
    return files;
}

/// What was chosen for tables falls away where there are none, and what for missing values where there are only
/// pictures.
PreparationChoice OpenDialog::choiceFor(PreparationChoice choice) const {
    bool maybeTable = false;
    bool maybeValues = false;
    for (int set = kHeldOut; set < models_->rowCount(); ++set) {
        if (filesOf(set).embeddings.empty())
            continue;
        const SetPreview* preview = previewOf(filesOf(set));
        const bool isKnown = preview != nullptr && !preview->isUnconverted() && !preview->isStatistics;
        maybeTable = maybeTable || !isKnown || !preview->columns.empty();
        maybeValues = maybeValues || !isKnown || !preview->isOnlyPictures();
    }
    if (!maybeTable) {
        choice.oneHot = false;
        choice.ignoredColumns.clear();
        choice.columnKinds.clear();
    }
    if (!maybeValues) {
        choice.missing = Missing::Refuse;
        choice.fillsGaps = true;
    }
    return choice;
}

QString OpenDialog::problem() const {
    const AuditFiles chosen = files();
    const auto missing = [](const QString& file) { return !QFileInfo::exists(pathOfSpec(file)); };
    if (!chosen.audit.isEmpty())
        return missing(chosen.audit) ? tr("The audit %1 is not there.").arg(chosen.audit) : QString();
    if (chosen.real.isEmpty())
        return tr("Choose the real set.");
    if (missing(chosen.real))
        return tr("The real set %1 is not there.").arg(chosen.real);
    if (chosen.models.empty())
        return tr("Add at least one synthetic set.");
    QSet<QString> names;
    for (const ModelFile& model : chosen.models) {
        if (model.name.isEmpty())
            return tr("Give %1 a name.").arg(model.file);
        if (names.contains(model.name))
            return tr("Two synthetic sets are named \u201c%1\u201d. Give one of them another name.").arg(model.name);
        if (missing(model.file))
            return tr("The synthetic set %1 is not there.").arg(model.file);
        names.insert(model.name);
    }
    if (!chosen.heldOut.isEmpty() && missing(chosen.heldOut))
        return tr("The held-out real set %1 is not there.").arg(chosen.heldOut);
    const SetFiles real = filesOf(kReal);
    for (int set = kHeldOut; set < models_->rowCount(); ++set)
        if (const QString seen = problemOf(filesOf(set), real); !seen.isEmpty())
            return seen;
    if (const QString embedding = embedding_->problem(); !embedding.isEmpty() && !withoutEmbeddings().isEmpty())
        return embedding;
    return advanced_->problem();
}

void OpenDialog::accept() {
    showProblem_ = true;
    refresh();
    if (problem().isEmpty())
        QDialog::accept();
}

/// What is wrong, unless the pane says it of its set already.
void OpenDialog::showProblem() {
    const QString text = problem();
    const bool inPane = !text.isEmpty() && pane_->isVisibleTo(this) && pane_->says(text);
    problem_->setText(inPane ? tr("%1 cannot be used: see what is said of it.").arg(given(current_).title) : text);
    problem_->parentWidget()->setVisible(showProblem_ && !text.isEmpty());
}

void OpenDialog::refresh() {
    showProblem();
    const bool isAudit = isNamedAuditFile(real_->text().trimmed());
    for (QWidget* field : {models_->parentWidget(), static_cast<QWidget*>(heldOut_), static_cast<QWidget*>(advanced_)})
        field->setEnabled(!isAudit);
    remove_->setEnabled(!models_->selectedItems().isEmpty());
    look();
}

OpenDialog::GivenSet OpenDialog::given(int set) const {
    if (set == kReal)
        return {real_->text().trimmed(), tr("Real set"), realBeside_};
    if (set == kHeldOut)
        return {heldOut_->text().trimmed(), tr("Held-out real set"), heldOutBeside_};
    const QTableWidgetItem* file = models_->item(set, FileColumn);
    return {file->data(Qt::UserRole).toString(), models_->item(set, NameColumn)->text().trimmed(),
            file->data(kBesideRole).value<BesideFiles>()};
}

SetFiles OpenDialog::filesOf(int at) const {
    const GivenSet set = given(at);
    return assay::setFiles(set.file, set.beside);
}

const SetPreview* OpenDialog::previewOf(const SetFiles& files) const {
    const SetPreviewer::Seen* seen = previewer_.seen(files);
    return seen == nullptr ? nullptr : seen->preview.get();
}

std::vector<SetFiles> OpenDialog::seenSets(const std::function<bool(const SetPreview&)>& wanted) const {
    std::vector<SetFiles> found;
    for (int at = kHeldOut; at < models_->rowCount(); ++at)
        if (const SetPreview* preview = previewOf(filesOf(at)); preview != nullptr && wanted(*preview))
            found.push_back(filesOf(at));
    return found;
}

void OpenDialog::askForGroups() {
    models_->clearSelection();
    current_ = kReal;
    refresh();
    pane_->focusGroups();
}

void OpenDialog::setBeside(const BesideFiles& beside) {
    const BesideFiles before = given(current_).beside;
    setBesideOf(current_, beside);
    if (current_ == kReal && beside.groups != before.groups)
        takeOverGroups(before.groups);
    else
        refresh();
}

void OpenDialog::setBesideOf(int set, const BesideFiles& beside) {
    if (set >= 0) {
        const QSignalBlocker quiet(models_);
        models_->item(set, FileColumn)->setData(kBesideRole, QVariant::fromValue(beside));
    } else {
        (set == kReal ? realBeside_ : heldOutBeside_) = beside;
    }
}

/// A set takes the column that names the groups of the real one, where it has it; a held-out set is named as the real
/// one is. @param before what named them until now
void OpenDialog::takeOverGroups(int set, const QString& before) {
    BesideFiles beside = given(set).beside;
    if (given(set).file.isEmpty() || (!beside.groups.isEmpty() && beside.groups != before))
        return;
    const std::string groups = realBeside_.groups.toStdString();
    const bool fromIds = groups == kGroupsOfIds;
    const bool has =
        !groups.empty() && (hasGroupColumn(filesOf(set), groups) || (fromIds && set == kHeldOut && hasIdGroups(set)));
    beside.groups = has ? realBeside_.groups : QString();
    setBesideOf(set, beside);
}

void OpenDialog::takeOverGroups(const QString& before) {
    for (int set = kHeldOut; set < models_->rowCount(); ++set)
        if (set != kReal)
            takeOverGroups(set, before);
    refresh();
}

/// Whether groups from its ids are likely to be meant, as far as it was looked at.
bool OpenDialog::hasIdGroups(int set) const {
    const SetPreview* preview = previewOf(filesOf(set));
    return preview != nullptr && preview->groupsOfIds > 0;
}

/// Sets the array of the file that the pane shows.
void OpenDialog::setArray(const QString& key) {
    const QString spec = pathOfSpec(given(current_).file) + QLatin1Char(':') + key;
    Settings().setLastArray(key);
    if (current_ >= 0) {
        models_->item(current_, FileColumn)->setData(Qt::UserRole, spec);
        models_->item(current_, FileColumn)->setText(QDir::toNativeSeparators(spec));
    } else {
        (current_ == kReal ? real_ : heldOut_)->setText(spec);
    }
}

/// Looks at every set that is there; the one that the pane shows goes first.
void OpenDialog::look() {
    current_ = std::min(current_, models_->rowCount() - 1);
    if (!prompts_.look)
        return;
    std::vector<SetFiles> wanted;
    const auto add = [&](int set) {
        const QString file = given(set).file;
        if (!isNamedAuditFile(file) && QFileInfo::exists(pathOfSpec(file)))
            wanted.push_back(filesOf(set));
    };
    add(current_);
    for (int set = kHeldOut; set < models_->rowCount(); ++set)
        if (set != current_)
            add(set);
    previewer_.setChoice(advanced_->choice());
    previewer_.follow(std::move(wanted));
    showCurrent();
}

/// Problem of a set, alone or together with the real one, as far as both were inspected.
QString OpenDialog::problemOf(const SetFiles& set, const SetFiles& real) const {
    const QString file = QString::fromStdString(set.embeddings);
    if (isNamedManifest(set.embeddings))
        return manifestWords(file);
    const SetPreviewer::Seen* seen = previewer_.seen(set);
    if (seen == nullptr)
        return {};
    if (!seen->preview)
        return errorText(seen->problem);
    const SetPreview& preview = *seen->preview;
    if (!preview.keys.empty())
        return (preview.keysAreUnits ? tr("Choose what one sample of %1 is.")
                                     : tr("Choose which array of %1 holds the embeddings."))
            .arg(file);
    if (preview.isUnconverted())
        return tr("%1: %2, which Python has to convert first.").arg(file, QString::fromStdString(preview.forPython));
    if (preview.isStatistics)
        return set == real ? QString() : tr("%1: expected samples, found a mean and a covariance.").arg(file);
    const SetPreview* other = previewOf(real);
    if (other == nullptr || !other->keys.empty() || other->isUnconverted() || other->isStatistics ||
        kindOf(*other) == kindOf(preview))
        return {};
    return tr("%1: expected %2, as in the real set, found %3.").arg(file, kindOf(*other), kindOf(preview));
}

QString OpenDialog::kindOf(const SetPreview& preview) const {
    const EmbeddingNetwork* network = embeddingNetwork(embedding_->choice().network);
    const bool embeds = network != nullptr && network->embeds(preview);
    if (preview.isSeries())
        return embeds ? tr("series of %1 features").arg(formatCount(preview.window.features))
                      : tr("series of %1 steps \u00d7 %2 features")
                            .arg(formatCount(preview.window.steps), formatCount(preview.window.features));
    const std::size_t columns = embeds ? network->dimensions : preview.dim;
    return columns == 0 ? tr("only pictures") : tr("%1 columns").arg(formatCount(columns));
}

QStringList OpenDialog::withoutEmbeddings() const {
    QStringList found;
    for (const SetFiles& files :
         seenSets([](const SetPreview& preview) { return preview.isOnlyPictures() || preview.isSeries(); })) {
        const std::string& converted = previewOf(files)->readFrom;
        found << QString::fromStdString(converted.empty() ? files.embeddings : converted);
    }
    return found;
}

/// Offers the conversion where a set needs one, and the choice of an embedding where it changes something.
void OpenDialog::showOffers() {
    const std::vector<SetFiles> forPython =
        seenSets([](const SetPreview& preview) { return !preview.forPython.empty(); });
    conversion_->setSets(forPython);
    form_->setRowVisible(conversion_, !forPython.empty() || conversion_->isRunning());
    const QStringList sets = withoutEmbeddings();
    form_->setRowVisible(embedding_, !sets.isEmpty());
    // Of two kinds only one is right: that of the real set.
    const SetPreview* first = previewOf(filesOf(kReal));
    if (first == nullptr && models_->rowCount() > 0)
        first = previewOf(filesOf(0));
    embedding_->showSources(sets, first != nullptr && first->isSeries() ? Embedded::Series : Embedded::Pictures);
}

void OpenDialog::showSeen() {
    // The array that was chosen last is likely to be the one again.
    const QString last = Settings().lastArray();
    for (int set = kHeldOut; set < models_->rowCount(); ++set) {
        const SetPreview* preview = previewOf(filesOf(set));
        if (preview == nullptr || std::ranges::find(preview->keys, last.toStdString()) == preview->keys.end())
            continue;
        const int shown = std::exchange(current_, set);
        setArray(last); // looks again
        current_ = shown;
        return;
    }
    {
        const QSignalBlocker quiet(models_);
        const SetFiles real = filesOf(kReal);
        for (int row = 0; row < models_->rowCount(); ++row) {
            const SetPreview* preview = previewOf(filesOf(row));
            const QString problem = problemOf(filesOf(row), real);
            QTableWidgetItem* found = models_->item(row, FoundColumn);
            const bool several = preview != nullptr && !preview->keys.empty();
            found->setText(!problem.isEmpty() && !several ? tr("cannot be used") // the pane says why
                           : preview != nullptr           ? summaryOf(*preview)
                                                          : QString());
            found->setToolTip(problem.isEmpty() ? found->text() : problem);
            found->setIcon(problem.isEmpty() ? QIcon() : icon(QStringLiteral("warning")));
        }
    }
    showCurrent();
    showProblem();
}

void OpenDialog::showCurrent() {
    showOffers();
    const GivenSet set = given(current_);
    const SetFiles files = filesOf(current_);
    const QFileInfo file(pathOfSpec(set.file));
    if (!file.exists()) {
        pane_->showMessage(tr("What a file holds is shown here once it is chosen, before anything is opened."));
        return;
    }
    Settings().setLastFolder(file.absolutePath()); // what comes next is likely to lie beside it
    if (isNamedAuditFile(file.fileName()))
        pane_->showMessage(tr("A saved audit. Open shows it as it was left, with all its decisions."));
    else
        pane_->show(set.title, set.beside, previewer_.seen(files), embedding_->choice().network,
                    problemOf(files, filesOf(kReal)));
}

QStringList OpenDialog::modelNames() const {
    QStringList names;
    for (const ModelFile& model : files().models)
        names << model.name;
    return names;
}

void OpenDialog::chooseModels() {
    const QStringList chosen = prompts_.openMany(this, tr("Add synthetic sets"));
    const bool nothingYet = models_->rowCount() == 0 && real_->text().trimmed().isEmpty();
    if (chosen.size() == 1 && nothingYet && isNamedManifest(chosen.front().toStdString())) {
        try {
            setFiles(manifestFiles(chosen.front()));
            return;
        } catch (const Error&) {
            // Added below: its row says what it is, and opening it by itself says what is wrong with it.
        }
    }
    addModels(namedModels(chosen, modelNames()));
    takeOverGroups();
}

void OpenDialog::addModels(const std::vector<ModelFile>& models) {
    for (const ModelFile& model : models) {
        auto* file = new QTableWidgetItem(QDir::toNativeSeparators(model.file));
        file->setData(Qt::UserRole, model.file);
        file->setToolTip(model.file);
        file->setData(kBesideRole, QVariant::fromValue(model.beside));
        auto* found = new QTableWidgetItem;
        for (QTableWidgetItem* fixed : {file, found})
            fixed->setFlags(fixed->flags() & ~Qt::ItemIsEditable);
        // All cells before anyone looks at the row.
        const QSignalBlocker quiet(models_);
        const int row = models_->rowCount();
        models_->insertRow(row);
        models_->setItem(row, NameColumn, new QTableWidgetItem(model.name));
        models_->setItem(row, FileColumn, file);
        models_->setItem(row, FoundColumn, found);
    }
    refresh();
}

void OpenDialog::removeModels() {
    for (int row = models_->rowCount() - 1; row >= 0; --row)
        if (models_->item(row, NameColumn)->isSelected())
            models_->removeRow(row);
    refresh();
}

} // namespace assay
