#include "gui/status/status_text.h"

#include "gui/session/audit_session.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include "engine/data/embedding_set.h"
#include "engine/report/glossary/glossary.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct StatusTextWords {
    Q_DECLARE_TR_FUNCTIONS(assay::StatusText)
};

/// "0.92 s", "12.3 s", "2 min 5 s".
QString duration(double seconds) {
    if (seconds < 60.0)
        return StatusTextWords::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 0.995 ? 2 : 1));
    const auto whole = static_cast<qlonglong>(std::llround(seconds));
    return StatusTextWords::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

} // namespace

HardwareWords hardwareWords(const ModelAudit& model) {
    const QString text = QString::fromStdString(model.hardware);
    const auto end = text.indexOf(QStringLiteral("; ")); // as withNotice() puts them together
    const QString device = end < 0 ? text : text.left(end);
    return {device.isEmpty() ? StatusTextWords::tr("CPU") : device, end < 0 ? QString() : text.mid(end + 2)};
}

QString statusText(const AuditSession& session) {
    const ViewState& state = session.state();
    if (!state.hasModel())
        return {};
    const AuditResult& audit = *state.audit;
    const EmbeddingSet& real = *audit.real->set;
    QStringList parts;
    parts << StatusTextWords::tr("%1 real, %2 synthetic, %3 dimensions, k = %4")
                 .arg(formatCount(real.rows()), formatCount(state.current().set->rows()), formatCount(real.dim()),
                      formatCount(audit.k));
    if (state.kept)
        parts << StatusTextWords::tr("kept %1, rejected %2")
                     .arg(formatCount(session.document()->keptCount()),
                          formatCount(session.document()->rejectedCount()));
    if (const SampleSet& selected = session.selection()->samples(); !selected.empty()) {
        const std::size_t shown = state.shownOf(selected).size();
        parts << (shown == selected.size() ? StatusTextWords::tr("selected %1").arg(formatCount(shown))
                                           : StatusTextWords::tr("selected %1, %2 of them shown")
                                                 .arg(formatCount(selected.size()), formatCount(shown)));
    }
    double seconds = audit.real->seconds;
    for (const auto& model : audit.models)
        seconds += model->seconds;
    const ModelAudit& model = state.current();
    parts << (model.complete ? StatusTextWords::tr("scored in %1, exact, %2 (%3)")
                             : StatusTextWords::tr("first scores in %1, more to come, %2 (%3)"))
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

} // namespace assay
