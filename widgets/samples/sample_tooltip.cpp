#include "widgets/samples/sample_tooltip.h"

#include "engine/data/brief_text.h"
#include "widgets/common/number_format.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/thumbnail_cache.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct SampleToolTipWords {
    Q_DECLARE_TR_FUNCTIONS(assay::SampleToolTip)
};

/// Scores of the tooltip, which has little room; the inspector and the list show every score.
constexpr std::array<std::string_view, 13> kShown{"verdict",
                                                  "p_any",
                                                  "fidelity",
                                                  "pce",
                                                  "re",
                                                  "authentic",
                                                  "nearest_real_distance",
                                                  "copy_ratio",
                                                  "coverage_verdict",
                                                  "p_uncovered",
                                                  "coverage",
                                                  "rce",
                                                  "nearest_synthetic_distance"};

bool isShown(const Column& column) {
    return std::find(kShown.begin(), kShown.end(), column.id) != kShown.end();
}

/// A note may be as long as a person likes; a tooltip may not.
QString shortened(const std::string& note) {
    constexpr qsizetype kLongestNote = 200;
    const QString text = QString::fromStdString(note);
    return text.size() > kLongestNote ? text.left(kLongestNote) + QChar(0x2026) : text;
}

/// Whether a sample is known to have no picture while others of its set have one. Reads no file.
bool lacksPicture(const EmbeddingSet& set, std::size_t row) {
    const ImageStore* images = set.images();
    return images && (images->isMissing(row) || (images->isInMemory() && sampleImage(set, row).isNull()));
}

} // namespace

QString sampleCaption(const AuditResult& audit, SampleId sample) {
    const EmbeddingSet& set = audit.setOf(sample.set);
    const QString id = QString::fromStdString(briefText(set.idText(sample.row)));
    return set.hasLabel(sample.row) ? SampleToolTipWords::tr("%1, class %2")
                                          .arg(id, QString::fromStdString(briefText(set.labelText(sample.row))))
                                    : id;
}

QString sampleToolTip(const ViewState& state, SampleId sample) {
    if (!state.audit || (!isReal(sample.set) && modelIndex(sample.set) >= state.audit->models.size()))
        return {};
    const EmbeddingSet& set = state.audit->setOf(sample.set);
    if (sample.row >= set.rows())
        return {};
    QString html;
    if (lacksPicture(set, sample.row))
        html = QStringLiteral("<i>%1</i><br>").arg(SampleToolTipWords::tr("no picture"));
    html += QStringLiteral("<b>%1</b>").arg(sampleCaption(*state.audit, sample).toHtmlEscaped());
    if (const QString decision = decisionText(state, sample); !decision.isEmpty())
        html += QStringLiteral("<br>%1").arg(decision.toHtmlEscaped());
    if (const QString tags = tagsText(state, sample); !tags.isEmpty())
        html += SampleToolTipWords::tr("<br>tags: %1").arg(tags.toHtmlEscaped());
    if (const std::string note = state.noteOf(sample); !note.empty())
        html += QStringLiteral("<br><i>%1</i>").arg(shortened(note).toHtmlEscaped());
    if (isReal(sample.set) && !state.hasModel())
        return html;
    const Side side = isReal(sample.set) ? Side::Real : Side::Synthetic;
    const ModelAudit& model = isReal(sample.set) ? state.current() : *state.audit->models[modelIndex(sample.set)];
    html += QStringLiteral("<table>");
    for (const ColumnValues& values : model.columns) {
        const Column& column = columnOf(values);
        if (column.side == side && (isShown(column) || values.external))
            html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2</td></tr>")
                        .arg(catalogText(column.title).toHtmlEscaped(), formatValue(values.values[sample.row], column));
    }
    return html + QStringLiteral("</table>");
}

} // namespace assay
