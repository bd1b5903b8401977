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
#include <QScrollArea>
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
      real_(new QLineEdit), models_(new QTableWidget(0, 3)), heldOut_(new QLineEdit),
      conversion_(new ConversionPane(prompts_)), conversionTitle_(new QLabel(tr("Conversion"))),
      embedding_(new EmbeddingChoice(prompts_)), embeddingTitle_(new QLabel(tr("&Embedding"))),
      advanced_(new AdvancedOptions), remove_(new QToolButton), problem_(new QLabel) {
    setObjectName(QStringLiteral("openDialog"));
    setWindowTitle(tr("Open an audit"));
    resize(QSize(1200, 720).boundedTo(screen()->availableSize() * 0.9));

    real_->setObjectName(QStringLiteral("realFile"));
    real_->setPlaceholderText(
        tr("the training set, or other real samples: a file, file.npz:key, or a folder of pictures; or a saved audit"));
    heldOut_->setObjectName(QStringLiteral("heldOutFile"));
    heldOut_->setPlaceholderText(tr("optional: real samples that no model was trained on"));
    heldOut_->setToolTip(tr("Scored like a model, they show what good samples score, how many of them the rules would "
                            "reject, and whether a model copies its training set."));

    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    auto* form = new QFormLayout;
    column->addLayout(form);
    column->addStretch(1);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addFile = [&](const QString& title, QLineEdit* file, const char* button, const QString& prompt) {
        QWidget* row = fileRow(file, QLatin1String(button), prompt);
        form->addRow(title, row);
        static_cast<QLabel*>(form->labelForField(row))->setBuddy(file);
    };
    addFile(tr("&Real set"), real_, "chooseReal", tr("Choose the real set"));
    form->addRow(tr("Synthetic sets"), makeModelList());
    addFile(tr("&Held-out real set"), heldOut_, "chooseHeldOut", tr("Choose the held-out real set"));
    form->addRow(QString(), advanced_);
    // Last, because they come to be seen as files are looked at: nothing else moves under the mouse.
    form->addRow(conversionTitle_, conversion_);
    embeddingTitle_->setBuddy(embedding_->focusProxy()); // a buddy that only hands the keyboard on never gets it
    form->addRow(embeddingTitle_, embedding_);

    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
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
    auto* page = new QVBoxLayout(this);
    page->addWidget(halves, 1);
    page->addWidget(makeWarningRow(problem_));
    page->addWidget(buttons);

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
    connect(buttons, &QDialogButtonBox::accepted, this, &OpenDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &OpenDialog::reject);
    refresh();
}

QWidget* OpenDialog::fileRow(QLineEdit* file, const QString& buttonName, const QString& prompt) {
    connect(file, &QLineEdit::textChanged, this, [this, file] {
        current_ = file == real_ ? kReal : kHeldOut;
        dropOldOptions();
        refresh();
    });
    return makeFileRow(
        file, {{buttonName, tr("Choose\u2026"), [this, prompt] { return prompts_.openOne(this, prompt); }},
               {buttonName + QStringLiteral("Folder"), tr("Folder\u2026"),
                [this, prompt] { return prompts_.openFolder(this, prompt); },
                tr("A folder of pictures (PNG, JPEG, WebP, BMP, GIF, TIFF): one sample each, folders below are "
                   "classes. Or of arrays (.npy), one per clip.")}});
}

QWidget* OpenDialog::makeModelList() {
    models_->setObjectName(QStringLiteral("modelFiles"));
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

    auto* add = named<QToolButton>("addFiles");
    add->setText(tr("Add\u2026"));
    add->setIcon(icon(QStringLiteral("add-model")));
    add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* addFolder =
        newButton<QToolButton>("addFolder", tr("Add folder\u2026"),
                               tr("A folder of pictures (PNG, JPEG, WebP, BMP, GIF, TIFF) or of clips (.npy)"));
    remove_->setObjectName(QStringLiteral("removeFiles"));
    remove_->setText(tr("Remove"));
    remove_->setIcon(icon(QStringLiteral("reject")));
    remove_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(add, &QToolButton::clicked, this, &OpenDialog::chooseModels);
    connect(addFolder, &QToolButton::clicked, this, [this] {
        const QString chosen = prompts_.openFolder(this, tr("Add a synthetic set"));
        addModels(namedModels(chosen.isEmpty() ? QStringList() : QStringList(chosen), modelNames()));
    });
    connect(remove_, &QToolButton::clicked, this, &OpenDialog::removeModels);
    auto* removeKey = new QShortcut(QKeySequence::Delete, models_);
    removeKey->setContext(Qt::WidgetShortcut);
    connect(removeKey, &QShortcut::activated, this, &OpenDialog::removeModels);

    auto* row = new QHBoxLayout;
    row->addWidget(add);
    row->addWidget(addFolder);
    row->addWidget(remove_);
    row->addWidget(new QLabel(tr("Double-click a name to change it.")));
    row->addStretch();
    auto* list = new QWidget;
    auto* column = newLayout<QVBoxLayout>(list);
    column->addWidget(models_);
    column->addLayout(row);
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
        files.models.push_back({models_->item(row, NameColumn)->text().trimmed(),
                                models_->item(row, FileColumn)->data(Qt::UserRole).toString(), besideOf(row)});
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
        const SetPreviewer::Seen* seen = previewer_.seen(filesOf(set));
        const bool isKnown = seen != nullptr && seen->preview && !seen->preview->isUnconverted();
        maybeTable = maybeTable || !isKnown || !seen->preview->columns.empty();
        maybeValues = maybeValues || !isKnown || !seen->preview->isOnlyPictures();
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
    problem_->setText(inPane ? tr("%1 cannot be used: see what is said of it.").arg(titleOf(current_)) : text);
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

SetFiles OpenDialog::filesOf(int set) const {
    const QString file = set == kReal      ? real_->text().trimmed()
                         : set == kHeldOut ? heldOut_->text().trimmed()
                                           : models_->item(set, FileColumn)->data(Qt::UserRole).toString();
    return assay::setFiles(file, besideOf(set));
}

QString OpenDialog::titleOf(int set) const {
    return set == kReal      ? tr("Real set")
           : set == kHeldOut ? tr("Held-out real set")
                             : models_->item(set, NameColumn)->text().trimmed();
}

BesideFiles OpenDialog::besideOf(int set) const {
    return set == kReal      ? realBeside_
           : set == kHeldOut ? heldOutBeside_
                             : models_->item(set, FileColumn)->data(kBesideRole).value<BesideFiles>();
}

void OpenDialog::setBeside(const BesideFiles& beside) {
    if (current_ == kReal)
        realBeside_ = beside;
    else if (current_ == kHeldOut)
        heldOutBeside_ = beside;
    else
        models_->item(current_, FileColumn)->setData(kBesideRole, QVariant::fromValue(beside));
    refresh();
}

/// Sets the array of the file that the pane shows.
void OpenDialog::setArray(const QString& key) {
    const QString spec = pathOfSpec(QString::fromStdString(filesOf(current_).embeddings)) + QLatin1Char(':') + key;
    Settings().setLastArray(key);
    if (current_ == kReal) {
        real_->setText(spec);
    } else if (current_ == kHeldOut) {
        heldOut_->setText(spec);
    } else {
        models_->item(current_, FileColumn)->setData(Qt::UserRole, spec);
        models_->item(current_, FileColumn)->setText(QDir::toNativeSeparators(spec));
    }
}

/// Looks at every set that is there; the one that the pane shows goes first.
void OpenDialog::look() {
    current_ = std::min(current_, models_->rowCount() - 1);
    if (!prompts_.look)
        return;
    std::vector<SetFiles> wanted;
    const auto add = [&](int set) {
        const SetFiles files = filesOf(set);
        const QString file = QString::fromStdString(files.embeddings);
        if (!isNamedAuditFile(file) && QFileInfo::exists(pathOfSpec(file)))
            wanted.push_back(files);
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
    if (isNamedManifest(set.embeddings))
        return manifestWords(QString::fromStdString(set.embeddings));
    const SetPreviewer::Seen* seen = previewer_.seen(set);
    const SetPreviewer::Seen* other = previewer_.seen(real);
    if (seen == nullptr)
        return {};
    if (!seen->preview)
        return errorText(seen->problem);
    if (!seen->preview->keys.empty() && seen->preview->keysAreUnits)
        return tr("Choose what one sample of %1 is.").arg(QString::fromStdString(set.embeddings));
    if (!seen->preview->keys.empty())
        return tr("Choose which array of %1 holds the embeddings.").arg(QString::fromStdString(set.embeddings));
    if (seen->preview->isUnconverted())
        return tr("%1: %2, which Python has to convert first.")
            .arg(QString::fromStdString(set.embeddings), QString::fromStdString(seen->preview->forPython));
    if (other == nullptr || !other->preview || !other->preview->keys.empty() || other->preview->isUnconverted() ||
        kindOf(*other->preview) == kindOf(*seen->preview))
        return {};
    return tr("%1: expected %2, as in the real set, found %3.")
        .arg(QString::fromStdString(set.embeddings), kindOf(*other->preview), kindOf(*seen->preview));
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
    for (int set = kHeldOut; set < models_->rowCount(); ++set) {
        const SetFiles files = filesOf(set);
        const SetPreviewer::Seen* seen = previewer_.seen(files);
        if (seen != nullptr && seen->preview && (seen->preview->isOnlyPictures() || seen->preview->isSeries()))
            found << QString::fromStdString(seen->preview->readFrom.empty() ? files.embeddings
                                                                            : seen->preview->readFrom);
    }
    return found;
}

/// Offers the conversion where a set needs one.
void OpenDialog::showConversion() {
    std::vector<SetFiles> sets;
    for (int set = kHeldOut; set < models_->rowCount(); ++set) {
        const SetFiles files = filesOf(set);
        const SetPreviewer::Seen* seen = previewer_.seen(files);
        if (seen != nullptr && seen->preview && !seen->preview->forPython.empty())
            sets.push_back(files);
    }
    const bool on = !sets.empty() || conversion_->isRunning();
    conversion_->setSets(sets);
    conversion_->setVisible(on);
    conversionTitle_->setVisible(on);
}

/// The choice is there only where it changes something.
void OpenDialog::showEmbedding() {
    const QStringList sets = withoutEmbeddings();
    embeddingTitle_->setVisible(!sets.isEmpty());
    embedding_->setVisible(!sets.isEmpty());
    // Of two kinds only one is right: that of the real set.
    const SetPreviewer::Seen* real = previewer_.seen(filesOf(kReal));
    const SetPreviewer::Seen* first = real != nullptr && real->preview ? real
                                      : models_->rowCount() > 0        ? previewer_.seen(filesOf(0))
                                                                       : nullptr;
    const bool series = first != nullptr && first->preview && first->preview->isSeries();
    embedding_->showSources(sets, series ? Embedded::Series : Embedded::Pictures);
}

void OpenDialog::showSeen() {
    // The array that was chosen last is likely to be the one again.
    const QString last = Settings().lastArray();
    for (int set = kHeldOut; set < models_->rowCount(); ++set) {
        const SetPreviewer::Seen* seen = previewer_.seen(filesOf(set));
        if (seen == nullptr || !seen->preview)
            continue;
        if (std::ranges::find(seen->preview->keys, last.toStdString()) == seen->preview->keys.end())
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
            const SetFiles files = filesOf(row);
            const SetPreviewer::Seen* seen = previewer_.seen(files);
            const QString problem = problemOf(files, real);
            QTableWidgetItem* found = models_->item(row, FoundColumn);
            const bool several = seen != nullptr && seen->preview && !seen->preview->keys.empty();
            found->setText(!problem.isEmpty() && !several     ? tr("cannot be used") // the pane says why
                           : seen != nullptr && seen->preview ? summaryOf(*seen->preview)
                                                              : QString());
            found->setToolTip(problem.isEmpty() ? found->text() : problem);
            found->setIcon(problem.isEmpty() ? QIcon() : icon(QStringLiteral("warning")));
        }
    }
    showCurrent();
    showProblem();
}

void OpenDialog::showCurrent() {
    showConversion();
    showEmbedding();
    const SetFiles files = filesOf(current_);
    const QFileInfo file(pathOfSpec(QString::fromStdString(files.embeddings)));
    const bool there = file.exists();
    if (!there) {
        pane_->showMessage(tr("What a file holds is shown here once it is chosen, before anything is opened."));
        return;
    }
    Settings().setLastFolder(file.absolutePath()); // what comes next is likely to lie beside it
    if (isNamedAuditFile(file.fileName()))
        pane_->showMessage(tr("A saved audit. Open shows it as it was left, with all its decisions."));
    else
        pane_->show(titleOf(current_), besideOf(current_), previewer_.seen(files), embedding_->choice().network,
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
}

void OpenDialog::addModels(const std::vector<ModelFile>& models) {
    for (const ModelFile& model : models) {
        const int row = models_->rowCount();
        auto* file = new QTableWidgetItem(QDir::toNativeSeparators(model.file));
        file->setData(Qt::UserRole, model.file);
        file->setToolTip(model.file);
        file->setData(kBesideRole, QVariant::fromValue(model.beside));
        file->setFlags(file->flags() & ~Qt::ItemIsEditable);
        auto* found = new QTableWidgetItem;
        found->setFlags(found->flags() & ~Qt::ItemIsEditable);
        auto* name = new QTableWidgetItem(model.name);
        // Both cells before anyone looks at the row.
        const QSignalBlocker quiet(models_);
        models_->insertRow(row);
        models_->setItem(row, NameColumn, name);
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
