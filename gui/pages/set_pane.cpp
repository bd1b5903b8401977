#include "gui/pages/set_pane.h"

#include "gui/desktop/icons.h"
#include "gui/jobs/embedding_networks.h"
#include "gui/pages/file_row.h"
#include "gui/session/error_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/text/names.h"

#include "engine/io/sets/group_source.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

constexpr int kPictureSide = 36;

QTableWidgetItem* cell(const QString& text, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled);
    item->setTextAlignment(alignment);
    return item;
}

/// A choice of what one sample of a folder of clips is.
QString unitText(const QString& key) {
    return key == QLatin1String("clips") ? SetPane::tr("a clip: the mean of its frames") : SetPane::tr("a frame");
}

} // namespace

QString summaryOf(const SetPreview& preview) {
    if (preview.isStatistics)
        return SetPane::tr("a mean and a covariance, no samples. Fr\u00e9chet distances to them can be told; all else "
                           "compares samples");
    if (preview.isUnconverted())
        return SetPane::tr("%1: not converted yet").arg(QString::fromStdString(preview.forPython));
    if (!preview.keys.empty())
        return preview.keysAreUnits ? SetPane::tr("What is one sample?")
                                    : SetPane::tr("%1 arrays: which one?").arg(formatCount(preview.keys.size()));
    QStringList parts;
    if (preview.isSeries())
        parts << SetPane::tr("%1 series of %2 steps \u00d7 %3 features")
                     .arg(formatCount(preview.rows), formatCount(preview.window.steps),
                          formatCount(preview.window.features));
    else if (preview.dim == 0)
        parts << SetPane::tr("%1 pictures").arg(formatCount(preview.rows));
    else
        parts << SetPane::tr("%1 \u00d7 %2").arg(formatCount(preview.rows), formatCount(preview.dim));
    if (preview.height > 0 && !preview.isOnlyPictures())
        parts << SetPane::tr("pictures");
    if (preview.classes > 1)
        parts << SetPane::tr("%1 classes").arg(formatCount(preview.classes));
    if (preview.groups > 0)
        parts << SetPane::tr("%1 groups").arg(formatCount(preview.groups));
    return parts.join(QStringLiteral(", "));
}

SetPane::SetPane(FilePrompts prompts, QWidget* parent)
    : QWidget(parent), prompts_(std::move(prompts)), form_(newLayout<QFormLayout>()),
      array_(named<QComboBox>("setArray")), pictures_(new QLineEdit), labels_(new QLineEdit), groups_(new QLineEdit),
      join_(newChoice("setJoin", {{tr("by id where both have ids, else by row"), static_cast<int>(JoinBy::Auto)},
                                  {tr("by id"), static_cast<int>(JoinBy::Id)},
                                  {tr("by row"), static_cast<int>(JoinBy::Row)}})),
      order_(newChoice("setOrder",
                       {{tr("by their whole paths: a-b/x before a/x"), static_cast<int>(PictureOrder::Path)},
                        {tr("by the parts of their paths: a/x before a-b/x"), static_cast<int>(PictureOrder::Parts)}})),
      found_(newText("setFound")), problem_(newText("setProblem", Qt::TextSelectableByMouse)),
      samples_(named<QTableWidget>("setSamples")), notes_(newText("setNotes", Qt::TextSelectableByMouse)) {
    setObjectName(QStringLiteral("setPane"));
    pictures_->setPlaceholderText(tr("those in the file, or a folder or array of pictures"));
    pictures_->setToolTip(tr("One picture per sample, found by id where both have ids, else by row"));
    labels_->setPlaceholderText(tr("those in the file, or a table (id, path, label, class) or array"));
    labels_->setToolTip(tr("Classes, ids or both. Pictures are matched by these ids."));
    groups_->setPlaceholderText(tr("those in the file, or a column, table or array"));
    groups_->setToolTip(
        tr("Which samples belong together, such as slices of a patient or frames of a video: the name "
           "of a column of the set\u2019s table or of its labels, or a file. Samples of a group are not "
           "independent, and the audit takes that into account."));
    QFont heading = found_->font();
    heading.setBold(true);
    found_->setFont(heading);
    samples_->verticalHeader()->hide();
    samples_->setIconSize({kPictureSide, kPictureSide});
    samples_->setSelectionMode(QAbstractItemView::NoSelection);
    samples_->setFocusPolicy(Qt::NoFocus);
    samples_->setWordWrap(false);
    samples_->horizontalHeader()->setHighlightSections(false);

    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->addRow(tr("Arra&y"), array_);
    const auto addFile = [this](const QString& title, QLineEdit* file, QWidget* row) {
        form_->addRow(title, row);
        static_cast<QLabel*>(form_->labelForField(row))->setBuddy(file);
    };
    addFile(tr("&Pictures"), pictures_,
            fileRow(pictures_, QStringLiteral("Pictures"), tr("Choose the pictures"), true));
    addFile(tr("&Labels"), labels_, fileRow(labels_, QStringLiteral("Labels"), tr("Choose the labels"), false));
    QWidget* groups = fileRow(groups_, QStringLiteral("Groups"), tr("Choose the groups"), false);
    fromIds_ = newButton<QPushButton>(
        "groupsFromIds", QString(), tr("The ids say which samples belong together: patient12_slice3 is of patient12"));
    fromIds_->setAutoDefault(false);
    groups->layout()->addWidget(fromIds_);
    connect(fromIds_, &QPushButton::clicked, this, [this] {
        groups_->setText(QString::fromUtf8(kGroupsOfIds.data(), std::ssize(kGroupsOfIds)));
        choose();
        groups_->setFocus(); // the button goes
    });
    addFile(tr("&Groups"), groups_, groups);
    form_->addRow(tr("&Joined"), join_);
    form_->addRow(tr("Pict&ures\u2019 order"), order_);
    addAll(newLayout<QVBoxLayout>(this, {0, 8, 0, 0}), found_, problem_, form_, Wide{samples_}, notes_, Stretch{});
    connect(array_, &QComboBox::activated, this, [this](int at) {
        if (at > 0)
            emit arrayChosen(array_->itemData(at).toString());
    });
    connect(join_, &QComboBox::activated, this, &SetPane::choose);
    connect(order_, &QComboBox::activated, this, &SetPane::choose);
}

QWidget* SetPane::fileRow(QLineEdit* file, const QString& name, const QString& prompt, bool folder) {
    file->setObjectName(QStringLiteral("set") + name);
    connect(file, &QLineEdit::editingFinished, this, &SetPane::choose);
    std::vector<FileButton> buttons{chooseButton(QStringLiteral("choose") + name, prompts_, this, prompt)};
    if (folder)
        buttons.push_back({QStringLiteral("choose%1Folder").arg(name), tr("Folder\u2026"), [this, prompt] {
                               return prompts_.openFolder ? prompts_.openFolder(this, prompt) : QString();
                           }});
    return makeFileRow(file, buttons, [this] { choose(); });
}

void SetPane::choose() {
    const BesideFiles chosen{pictures_->text().trimmed(),
                             labels_->text().trimmed(),
                             static_cast<JoinBy>(join_->currentData().toInt()),
                             static_cast<PictureOrder>(order_->currentData().toInt()),
                             beside_.note,
                             groups_->text().trimmed()};
    if (chosen != beside_) {
        beside_ = chosen;
        emit besideChosen(chosen);
    }
}

void SetPane::focusGroups() {
    groups_->setFocus(Qt::OtherFocusReason);
}

void SetPane::showMessage(const QString& message) {
    found_->setText(message);
    problem_->hide();
    samples_->hide();
    notes_->hide();
    for (int row = 0; row < form_->rowCount(); ++row)
        form_->setRowVisible(row, false);
}

void SetPane::show(const QString& title, const BesideFiles& beside, const SetPreviewer::Seen* seen,
                   const QString& network, const QString& problem) {
    beside_ = beside;
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    if (pictures_->text().trimmed() != beside.pictures)
        pictures_->setText(beside.pictures);
    if (labels_->text().trimmed() != beside.labels)
        labels_->setText(beside.labels);
    if (groups_->text().trimmed() != beside.groups)
        groups_->setText(beside.groups);
    join_->setCurrentIndex(join_->findData(static_cast<int>(beside.join)));
    order_->setCurrentIndex(order_->findData(static_cast<int>(beside.order)));
    const bool joins = !beside.pictures.isEmpty() || !beside.labels.isEmpty();
    const SetPreview* preview = seen != nullptr ? seen->preview.get() : nullptr;
    const bool several = preview != nullptr && !preview->keys.empty();
    form_->setRowVisible(array_, several);
    // The rows of a table have no pictures; while it is looked at again nothing moves.
    if (preview != nullptr)
        isTable_ = !preview->columns.empty();
    form_->setRowVisible(pictures_->parentWidget(), !isTable_ || !beside.pictures.isEmpty());
    form_->setRowVisible(labels_->parentWidget(), true);
    form_->setRowVisible(groups_->parentWidget(), true);
    const std::size_t ofIds = preview != nullptr && beside.groups.isEmpty() ? preview->groupsOfIds : 0;
    fromIds_->setVisible(ofIds > 0);
    fromIds_->setText(tr("From the ids (%1)").arg(formatCount(ofIds)));
    form_->setRowVisible(join_, joins);
    form_->setRowVisible(order_, !beside.pictures.isEmpty() && beside.join != JoinBy::Id);
    if (several) {
        array_->clear();
        array_->addItem(tr("choose one"));
        for (const std::string& name : preview->keys) {
            const QString key = QString::fromStdString(name);
            array_->addItem(preview->keysAreUnits ? unitText(key) : key, key);
        }
        static_cast<QLabel*>(form_->labelForField(array_))
            ->setText(preview->keysAreUnits ? tr("S&ample") : tr("Arra&y"));
    }
    const bool unconverted = preview != nullptr && (preview->isUnconverted() || preview->isStatistics);
    // What is looked at again stays in sight: a choice of a column's kind changes little of it.
    const bool again = seen == nullptr && title == shown_;
    shown_ = title;
    samples_->setVisible((preview != nullptr && !several && !unconverted) || (again && samples_->isVisibleTo(this)));
    samples_->setEnabled(preview != nullptr);
    notes_->setVisible(preview != nullptr && !preview->notes.empty());
    if (preview == nullptr) {
        found_->setText(seen == nullptr ? tr("%1: looking at it\u2026").arg(title)
                                        : tr("%1 cannot be read").arg(title));
        return;
    }
    if (unconverted) {
        found_->setText(tr("%1: %2").arg(title, summaryOf(*preview)));
        return;
    }
    const QString format = QString::fromStdString(preview->format);
    const EmbeddingNetwork* by = embeddingNetwork(network);
    if (by != nullptr && !by->embeds(*preview))
        by = nullptr;
    const QString made =
        preview->dim > 0 || several ? QString()
        : preview->isSeries()
            ? (by != nullptr ? tr(". No embeddings: %1 will make them of the series").arg(by->title)
                             : tr(". No embeddings: the built-in one compares the values at each step"))
            : (by != nullptr ? tr(". No embeddings: %1 will make them of the pictures").arg(by->title)
                             : tr(". No embeddings: the built-in one will be made of the pictures"));
    const QString dimensions =
        preview->dimensions > 0 ? tr(". Compared in %1 dimensions").arg(formatCount(preview->dimensions)) : QString();
    found_->setText(tr("%1: %2. %3").arg(title, format, summaryOf(*preview)) + made + dimensions);
    QStringList notes;
    for (const std::string& note : preview->notes)
        notes << QString::fromStdString(note);
    notes_->setText(notes.join(QLatin1Char('\n')));
    if (!preview->columns.empty())
        showColumns(*preview);
    else if (!several)
        showSamples(*preview);
}

QComboBox* SetPane::kindChoice(const ColumnPreview& column) {
    auto* kind = new QComboBox;
    const QString name = QString::fromStdString(column.name);
    kind->setObjectName(QStringLiteral("kindOf ") + name);
    kind->setAccessibleName(tr("What %1 holds").arg(name));
    kind->setToolTip(column.isSaid ? tr("As you chose")
                                   : tr("As found; choose what the column holds if it is not this"));
    for (const auto& [of, text] :
         {std::pair(ColumnKind::Number, tr("number")),
          std::pair(ColumnKind::Category, column.kind == ColumnKind::Category
                                              ? tr("category (%1)").arg(formatCount(column.categories))
                                              : tr("category")),
          std::pair(ColumnKind::Date, tr("date")), std::pair(ColumnKind::Id, tr("id")),
          std::pair(ColumnKind::Label, tr("label")), std::pair(ColumnKind::Group, tr("group")),
          std::pair(ColumnKind::LeftOut, tr("left out"))})
        kind->addItem(text, static_cast<int>(of));
    if (column.isSaid)
        kind->addItem(tr("automatic"));
    kind->setCurrentIndex(kind->findData(static_cast<int>(column.kind)));
    connect(kind, &QComboBox::activated, this, [this, kind, name] {
        const QVariant of = kind->currentData();
        emit columnKindChosen(name, of.isValid() ? std::optional(static_cast<ColumnKind>(of.toInt())) : std::nullopt);
    });
    return kind;
}

/// A table as it will be taken: under each name what the column holds, then its first fields.
void SetPane::showColumns(const SetPreview& preview) {
    constexpr std::size_t kMaxColumns = 200; // each has a choice of its own
    const auto count = static_cast<int>(std::min(preview.columns.size(), kMaxColumns));
    samples_->clear();
    samples_->setColumnCount(count);
    samples_->setRowCount(1 + static_cast<int>(preview.columns.front().firstFields.size()));
    for (int c = 0; c < count; ++c) {
        const ColumnPreview& column = preview.columns[static_cast<std::size_t>(c)];
        samples_->setHorizontalHeaderItem(c, cell(QString::fromStdString(column.name)));
        samples_->setCellWidget(0, c, kindChoice(column));
        const bool isNumber = column.kind == ColumnKind::Number;
        for (std::size_t row = 0; row < column.firstFields.size(); ++row) {
            QTableWidgetItem* field = cell(QString::fromStdString(column.firstFields[row]),
                                           (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            if (column.kind == ColumnKind::LeftOut)
                field->setFlags(Qt::NoItemFlags); // greyed
            samples_->setItem(static_cast<int>(row) + 1, c, field);
        }
    }
    samples_->resizeColumnsToContents();
    constexpr int kWidest = 240;
    for (int c = 0; c < count; ++c)
        samples_->setColumnWidth(
            c, std::clamp(samples_->columnWidth(c), samples_->cellWidget(0, c)->sizeHint().width(), kWidest));
    fitSamples(std::max(fontMetrics().height() + 8, samples_->cellWidget(0, 0)->sizeHint().height()));
}

void SetPane::showSamples(const SetPreview& preview) {
    QStringList titles{tr("Sample")};
    if (!preview.firstLabels.empty())
        titles << tr("Class");
    if (!preview.firstGroups.empty())
        titles << tr("Group");
    const int values = preview.firstRows.empty() ? 0 : static_cast<int>(preview.firstRows.front().size());
    const auto features = static_cast<int>(preview.window.features);
    for (int column = 0; column < values; ++column)
        titles << (features > 1   ? tr("Step %1, feature %2").arg(column / features + 1).arg(column % features + 1)
                   : features > 0 ? tr("Step %1").arg(column + 1)
                                  : QString::number(column + 1));
    if (static_cast<std::size_t>(values) < std::max(preview.dim, preview.window.steps * preview.window.features))
        titles << QStringLiteral("\u2026");
    samples_->clear();
    samples_->setColumnCount(static_cast<int>(titles.size()));
    samples_->setHorizontalHeaderLabels(titles);
    samples_->setRowCount(static_cast<int>(preview.firstIds.size()));
    for (std::size_t row = 0; row < preview.firstIds.size(); ++row) {
        const int at = static_cast<int>(row);
        int column = 0;
        QTableWidgetItem* sample = cell(QString::fromStdString(preview.firstIds[row]));
        if (row < preview.firstPictures.size() && !preview.firstPictures[row].empty()) {
            const QImage image = imageOf(preview.firstPictures[row], preview.height, preview.width, preview.channels);
            const int pixels = static_cast<int>(kPictureSide * devicePixelRatioF());
            QPixmap pixmap = QPixmap::fromImage(fitted(image, pixels));
            pixmap.setDevicePixelRatio(devicePixelRatioF());
            sample->setIcon(QIcon(pixmap));
        }
        samples_->setItem(at, column++, sample);
        if (row < preview.firstLabels.size())
            samples_->setItem(at, column++, cell(classText(preview.firstLabels[row])));
        if (row < preview.firstGroups.size())
            samples_->setItem(at, column++, cell(QString::fromStdString(preview.firstGroups[row])));
        if (row < preview.firstRows.size())
            for (const float value : preview.firstRows[row])
                samples_->setItem(at, column++,
                                  cell(formatNumber(static_cast<double>(value)), Qt::AlignRight | Qt::AlignVCenter));
        if (column < samples_->columnCount())
            samples_->setItem(at, column, cell(QStringLiteral("\u2026")));
    }
    samples_->resizeColumnsToContents();
    fitSamples(preview.height > 0 ? kPictureSide + 4 : fontMetrics().height() + 8);
}

/// No higher than its rows.
void SetPane::fitSamples(int lineHeight) {
    samples_->verticalHeader()->setDefaultSectionSize(lineHeight);
    samples_->setMinimumHeight(2 * (fontMetrics().height() + 8));
    samples_->setMaximumHeight(samples_->horizontalHeader()->sizeHint().height() +
                               samples_->verticalHeader()->length() +
                               samples_->horizontalScrollBar()->sizeHint().height() + 2 * samples_->frameWidth());
}

} // namespace assay
