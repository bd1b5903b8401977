#include "gui/status/audit_status.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/report/glossary/glossary.h"
#include "gui/desktop/icons.h"
#include "gui/session/audit_session.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include <QLocale>
#include <QMessageBox>

#include <cmath>

namespace assay {
namespace {

/// "0.92 s", "12.3 s", "2 min 5 s".
QString duration(double seconds) {
    if (seconds < 60.0)
        return NotesButton::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 0.995 ? 2 : 1));
    const auto whole = static_cast<qlonglong>(std::llround(seconds));
    return NotesButton::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

/// What a model was scored on (NeighborSearch::hardware()) in two parts.
struct HardwareWords {
    QString device; ///< "CPU", or the graphics cards
    QString notice; ///< why a card was left out; empty for none
};

HardwareWords hardwareWords(const ModelAudit& model) {
    const QString text = QString::fromStdString(model.hardware);
    const auto end = text.indexOf(QStringLiteral("; ")); // as withNotice() puts them together
    const QString device = end < 0 ? text : text.left(end);
    return {device.isEmpty() ? NotesButton::tr("CPU") : device, end < 0 ? QString() : text.mid(end + 2)};
}

/// As a list in rich text, so that long notes wrap.
QString listOf(const QStringList& notes) {
    QString text;
    for (const QString& note : notes)
        text += QStringLiteral("<p>%1</p>").arg(note.toHtmlEscaped());
    return text;
}

} // namespace

QString statusText(const AuditSession& session) {
    const ViewState& state = session.state();
    if (!state.hasModel())
        return {};
    const AuditResult& audit = *state.audit;
    const EmbeddingSet& real = *audit.real->set;
    QStringList parts;
    parts << NotesButton::tr("%1 real, %2 synthetic, %3 dimensions, k = %4")
                 .arg(formatCount(real.rows()), formatCount(state.current().set->rows()), formatCount(real.dim()),
                      formatCount(audit.k));
    if (state.kept)
        parts << NotesButton::tr("kept %1, rejected %2")
                     .arg(formatCount(session.document()->keptCount()),
                          formatCount(session.document()->rejectedCount()));
    if (const SampleSet& selected = session.selection()->samples(); !selected.empty()) {
        const std::size_t shown = state.shownOf(selected).size();
        parts << (shown == selected.size() ? NotesButton::tr("selected %1").arg(formatCount(shown))
                                           : NotesButton::tr("selected %1, %2 of them shown")
                                                 .arg(formatCount(selected.size()), formatCount(shown)));
    }
    double seconds = audit.real->seconds;
    for (const auto& model : audit.models)
        seconds += model->seconds;
    const ModelAudit& model = state.current();
    parts << (model.complete ? NotesButton::tr("scored in %1, exact, %2 (%3)")
                             : NotesButton::tr("first scores in %1, more to come, %2 (%3)"))
                 .arg(duration(seconds), hardwareWords(model).device, QString::fromStdString(model.backend));
    return parts.join(QStringLiteral("   |   "));
}

QString statusToolTip(const AuditSession& session) {
    if (!session.state().hasModel())
        return {};
    QStringList paragraphs{statusText(session).toHtmlEscaped()};
    for (const char* key : {"word/k", "word/embedding", "word/exact"})
        paragraphs << definitionToolTip(*findGlossaryEntry(key));
    return QStringLiteral("<p>%1</p>").arg(paragraphs.join(QStringLiteral("</p><p>")));
}

QStringList notesOf(const AuditResult& audit) {
    QStringList notes;
    const auto add = [&](const EmbeddingSet& set) {
        for (const std::string& note : set.source().notes)
            notes << QString::fromStdString(note);
    };
    add(*audit.real->set);
    for (const auto& model : audit.models)
        add(*model->set);
    if (audit.heldOut)
        add(*audit.heldOut->audit->set);
    for (const auto& model : audit.models)
        notes << hardwareWords(*model).notice;
    notes.removeAll(QString());
    notes.removeDuplicates();
    return notes;
}

NotesButton::NotesButton(QWidget* parent) : QToolButton(parent) {
    setObjectName(QStringLiteral("notes"));
    setAutoRaise(true);
    setIcon(assay::icon(QStringLiteral("warning")));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(this, &QToolButton::clicked, this, &NotesButton::showNotes);
    hide();
}

void NotesButton::setNotes(const QStringList& notes) {
    notes_ = notes;
    setVisible(!notes.isEmpty());
    setText(notes.size() == 1 ? tr("1 note") : tr("%n notes", nullptr, static_cast<int>(notes.size())));
    setToolTip(tr("<p>What to know about this audit.</p>") + listOf(notes));
}

void NotesButton::showNotes() {
    newDialog<QMessageBox>("notesBox", QMessageBox::Information, tr("Notes on this audit"), listOf(notes_),
                           QMessageBox::Ok, window())
        ->open();
}

} // namespace assay
