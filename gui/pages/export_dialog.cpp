#include "gui/pages/export_dialog.h"

#include "engine/report/samples/export_formats.h"
#include "engine/report/samples/export_samples.h"
#include "engine/subsets/rules/tags.h"
#include "gui/session/audit_session.h"
#include "widgets/link/sample_selection.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <numeric>

namespace assay {
namespace {

// Data of the choice of samples; above them the tags.
enum SampleChoice { KeptChoice, RejectedChoice, SelectedChoice };

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString numberOf(std::size_t count) {
    return QLocale().toString(static_cast<qulonglong>(count));
}

} // namespace

ExportDialog::ExportDialog(const AuditSession* session, QWidget* parent)
    : QDialog(parent), session_(session), samples_(new QComboBox), models_(new QComboBox), format_(new QComboBox),
      content_(new QLabel), count_(new QLabel) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export samples"));
    samples_->setObjectName(QStringLiteral("exportSamples"));
    models_->setObjectName(QStringLiteral("exportModels"));
    format_->setObjectName(QStringLiteral("exportFormat"));
    content_->setObjectName(QStringLiteral("exportContent"));
    content_->setWordWrap(true);
    count_->setObjectName(QStringLiteral("exportCount"));
    count_->setWordWrap(true);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Samples"), samples_);
    form->addRow(tr("&Of"), models_);
    form->addRow(tr("&As"), format_);
    form->addRow(QString(), content_);
    for (QComboBox* choice : {samples_, models_, format_})
        choice->setAccessibleName(static_cast<QLabel*>(form->labelForField(choice))->text().remove(QLatin1Char('&')));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    export_ = buttons->addButton(tr("&Export\u2026"), QDialogButtonBox::AcceptRole);
    export_->setObjectName(QStringLiteral("exportButton"));
    auto* page = new QVBoxLayout(this);
    page->addLayout(form);
    page->addWidget(count_);
    page->addStretch();
    page->addWidget(buttons);
    export_->setDefault(true); // of the dialog that it is in by now

    fill();
    for (const QComboBox* choice : {samples_, models_, format_})
        connect(choice, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
    // A job that ends meanwhile may have brought models, or taken the audit away.
    connect(session_->document(), &Document::stateChanged, this, [this] {
        if (session_->state().hasModel())
            refresh();
        else
            reject();
    });
    refresh();
    samples_->setFocus();
    resize(sizeHint().expandedTo(QSize(fontMetrics().averageCharWidth() * 64, 0)));
}

void ExportDialog::fill() {
    const ViewState& state = session_->state();
    samples_->addItem(tr("Kept"), KeptChoice);
    samples_->addItem(tr("Rejected"), RejectedChoice);
    samples_->addItem(tr("Selected"), SelectedChoice);
    for (int tag = 1; tag <= kTags; ++tag) {
        if (!state.tags || state.tags->having(tag).empty())
            continue;
        const QString name = QString::fromStdString(state.tagName(tag));
        samples_->addItem(name == QString::number(tag) ? tr("Tagged %1").arg(tag)
                                                       : tr("Tagged %1: %2").arg(tag).arg(name),
                          SelectedChoice + tag);
    }
    models_->addItem(QString::fromStdString(state.current().name));
    if (state.audit->models.size() > 1)
        models_->addItem(tr("All models (a folder with a file for each)"));
    for (const ExportFormat& format : exportFormats())
        format_->addItem(fromUtf8(format.title), fromUtf8(format.id));
}

ExportRequest ExportDialog::request() const {
    const ViewState& state = session_->state();
    ExportRequest request;
    const int choice = samples_->currentData().toInt();
    if (choice >= SelectedChoice) {
        request.what = ExportWhat::Listed;
        if (choice == SelectedChoice)
            request.listed = session_->selection()->samples();
        else if (state.tags)
            request.listed = state.tags->having(choice - SelectedChoice);
    } else {
        request.what = choice == KeptChoice ? ExportWhat::Kept : ExportWhat::Rejected;
    }
    if (models_->currentIndex() == 0) {
        request.models = {state.model};
    } else {
        request.models.resize(state.audit->models.size());
        std::iota(request.models.begin(), request.models.end(), std::size_t{0});
    }
    request.format = format_->currentData().toString().toStdString();
    return request;
}

QString ExportDialog::problem() const {
    const ViewState& state = session_->state();
    const ExportRequest wanted = request();
    std::size_t listed = 0;
    for (const std::size_t model : wanted.models) {
        const ModelAudit& audited = *state.audit->models[model];
        listed += wanted.listed.countIn(syntheticSet(model));
        if (findExportFormat(wanted.format)->needsPictures && audited.set->images() == nullptr)
            return tr("%1 has no pictures.").arg(QString::fromStdString(audited.name));
    }
    if (wanted.what == ExportWhat::Listed)
        return listed > 0 ? QString() : tr("There are no such samples.");
    if (wanted.models.size() > 1)
        return {}; // what is kept of the other models is worked out when it is written
    const std::size_t count =
        wanted.what == ExportWhat::Kept ? session_->document()->keptCount() : session_->document()->rejectedCount();
    return count > 0 ? QString() : tr("There are no such samples.");
}

QString ExportDialog::countText() const {
    const ViewState& state = session_->state();
    const ExportRequest wanted = request();
    std::size_t all = 0;
    std::size_t listed = 0;
    for (const std::size_t model : wanted.models) {
        all += state.audit->models[model]->set->rows();
        listed += wanted.listed.countIn(syntheticSet(model));
    }
    const QString of = wanted.models.size() == 1 ? QString::fromStdString(state.current().name)
                                                 : tr("%n models", nullptr, static_cast<int>(wanted.models.size()));
    if (wanted.what == ExportWhat::Listed) {
        const QString text = tr("%1 of %2 samples of %3").arg(numberOf(listed), numberOf(all), of);
        const std::size_t real = wanted.listed.countIn(SetId::Real);
        return real == 0 ? text : text + tr("; real samples are not written (%1)").arg(numberOf(real));
    }
    if (wanted.models.size() == 1) {
        const std::size_t count =
            wanted.what == ExportWhat::Kept ? session_->document()->keptCount() : session_->document()->rejectedCount();
        return tr("%1 of %2 samples of %3").arg(numberOf(count), numberOf(all), of);
    }
    return wanted.what == ExportWhat::Kept ? tr("The kept samples of the %1 samples of %2").arg(numberOf(all), of)
                                           : tr("The rejected samples of the %1 samples of %2").arg(numberOf(all), of);
}

void ExportDialog::refresh() {
    const ExportFormat& format = *findExportFormat(format_->currentData().toString().toStdString());
    content_->setText(fromUtf8(format.content));
    const QString wrong = problem();
    count_->setText(wrong.isEmpty() ? countText() : wrong);
    export_->setEnabled(wrong.isEmpty());
}

void ExportDialog::accept() {
    if (!problem().isEmpty())
        return;
    const ExportRequest chosen = request();
    QDialog::accept();
    emit exportRequested(chosen);
}

QString askExportFile(const FilePrompts& prompts, QWidget* parent, const AuditResult& audit,
                      const ExportRequest& request) {
    const QString title = request.what == ExportWhat::Kept       ? ExportDialog::tr("Export kept samples")
                          : request.what == ExportWhat::Rejected ? ExportDialog::tr("Export rejected samples")
                                                                 : ExportDialog::tr("Export samples");
    const ExportFormat& format = *findExportFormat(request.format);
    if (request.models.size() > 1)
        return prompts.newFolder(parent, title, ExportDialog::tr("models"));
    const QString name = QString::fromStdString(exportFileName(audit.models.at(request.models.front())->name, request));
    if (format.isFolder())
        return prompts.newFolder(parent, title, name);
    const QString filter =
        QStringLiteral("%1 (*%2)")
            .arg(fromUtf8(format.title).section(QStringLiteral(" ("), 0, 0), fromUtf8(format.suffix));
    return prompts.save(parent, title, name, filter);
}

} // namespace assay
