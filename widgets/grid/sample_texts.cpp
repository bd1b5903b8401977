#include "widgets/grid/sample_texts.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/brief_text.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/thumbnail_cache.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
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
    if (const std::string group = set.groupText(sample.row); !group.empty())
        html += SampleToolTipWords::tr("<br>group %1").arg(QString::fromStdString(briefText(group)).toHtmlEscaped());
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

namespace {

/// Translation context of this file's texts.
struct EvidenceWords {
    Q_DECLARE_TR_FUNCTIONS(assay::Evidence)
};

/// The number that is written: ratios below 1 are turned around, and their words with them.
double writtenValue(const Evidence& evidence) {
    const bool turns = evidence.kind == Evidence::Kind::Copy || evidence.kind == Evidence::Kind::Crowded ||
                       evidence.kind == Evidence::Kind::Dense;
    return turns && evidence.value < 1.0 ? 1.0 / evidence.value : evidence.value;
}

/// Whether equal samples are in one of the two sets alone, so that there is no number to write.
bool isOneSided(const Evidence& evidence) {
    return evidence.kind == Evidence::Kind::Dense && (evidence.value == 0.0 || std::isinf(evidence.value));
}

bool isTurned(const Evidence& evidence) {
    return evidence.value < 1.0 && evidence.kind != Evidence::Kind::Distance;
}

QString idOf(const Evidence& evidence, const AuditResult& audit) {
    return QString::fromStdString(briefText(audit.real->set->idText(static_cast<std::size_t>(evidence.value))));
}

} // namespace

QString evidenceText(const Evidence& evidence, int digits, const AuditResult& audit) {
    const QString number = formatSignificant(writtenValue(evidence), digits);
    const bool turned = isTurned(evidence);
    switch (evidence.kind) {
    case Evidence::Kind::ExactCopy:
        return EvidenceWords::tr("exact copy of %1").arg(idOf(evidence, audit));
    case Evidence::Kind::Copy:
        return turned ? EvidenceWords::tr("%1\u00d7 farther").arg(number)
                      : EvidenceWords::tr("%1\u00d7 closer").arg(number);
    case Evidence::Kind::Crowded:
        return turned ? EvidenceWords::tr("%1\u00d7 as sparse").arg(number)
                      : EvidenceWords::tr("%1\u00d7 as crowded").arg(number);
    case Evidence::Kind::Dense:
        if (isOneSided(evidence))
            return turned ? EvidenceWords::tr("real ones only") : EvidenceWords::tr("no real one like it");
        return turned ? EvidenceWords::tr("%1\u00d7 as sparse").arg(number)
                      : EvidenceWords::tr("%1\u00d7 as dense").arg(number);
    case Evidence::Kind::Distance:
        return EvidenceWords::tr("%1\u00d7 the usual distance").arg(number);
    case Evidence::Kind::None:
        break;
    }
    return {};
}

QString evidenceSentence(const Evidence& evidence, Side side, const AuditResult& audit) {
    const QString number = formatSignificant(writtenValue(evidence), 3);
    const bool turned = isTurned(evidence);
    switch (evidence.kind) {
    case Evidence::Kind::ExactCopy:
        return EvidenceWords::tr("Equal to real sample %1.").arg(idOf(evidence, audit));
    case Evidence::Kind::Copy:
        return turned ? EvidenceWords::tr("%1 times farther from its nearest real sample than that one is from any "
                                          "other real sample: no copy.")
                            .arg(number)
                      : EvidenceWords::tr("%1 times closer to its nearest real sample than any other real sample is.")
                            .arg(number);
    case Evidence::Kind::Crowded:
        if (side == Side::Real)
            return turned ? EvidenceWords::tr("Its nearest synthetic samples are %1 times as far away as its nearest "
                                              "real ones.")
                                .arg(number)
                          : EvidenceWords::tr("Its nearest synthetic samples are %1 times as close as its nearest "
                                              "real ones.")
                                .arg(number);
        return turned
                   ? EvidenceWords::tr("Its 20 nearest real samples are %1 times as close as its 20 nearest synthetic "
                                       "ones.")
                         .arg(number)
                   : EvidenceWords::tr("Its 20 nearest synthetic samples are %1 times as close as its 20 nearest real "
                                       "ones.")
                         .arg(number);
    case Evidence::Kind::Dense:
        if (isOneSided(evidence))
            return turned ? EvidenceWords::tr("Many real samples are identical here; synthetic ones are not.")
                          : EvidenceWords::tr("Many synthetic samples are identical here; no real sample is.");
        return turned ? EvidenceWords::tr("The real data are %1 times as dense here as the model.").arg(number)
                      : EvidenceWords::tr("The model is %1 times as dense here as the real data.").arg(number);
    case Evidence::Kind::Distance:
        return EvidenceWords::tr("%1 times as far from the real samples as these usually are from each other.")
            .arg(number);
    case Evidence::Kind::None:
        break;
    }
    return {};
}

} // namespace assay
