#include "widgets/pairs/pair_words.h"

#include "widgets/common/number_format.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct PairWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PairsPanel)
};

QString definitionOf(PairKind kind) {
    switch (kind) {
    case PairKind::Duplicates:
        return PairWords::tr("Distance between the two samples, relative to how far real samples are from each other "
                             "there: from a sample's nearest real one to that one's nearest other real one, the "
                             "smaller of the two samples' values.");
    case PairKind::Copies:
        return PairWords::tr("Distance to the nearest real sample, relative to that one's distance to its own nearest "
                             "other. It speaks of copies only where the real set is what the model was trained on.");
    case PairKind::Leaks:
        return PairWords::tr("Distance from the held-out sample to the nearest real one, relative to that one's "
                             "distance to its own nearest other.");
    }
    return {};
}

} // namespace

QString pairKindText(PairKind kind) {
    switch (kind) {
    case PairKind::Duplicates:
        return PairWords::tr("near duplicates");
    case PairKind::Copies:
        return PairWords::tr("copies of real samples");
    case PairKind::Leaks:
        return PairWords::tr("in real and held-out set");
    }
    return {};
}

QString ratioCaption(const SamplePair& pair) {
    return pair.distance == 0.0 ? PairWords::tr("equal") : PairWords::tr("ratio %1").arg(formatNumber(pair.ratio));
}

QString distanceCaption(const SamplePair& pair) {
    return PairWords::tr("distance %1").arg(formatNumber(pair.distance));
}

QString thresholdText(PairKind kind, double threshold) {
    if (threshold < 0.0)
        return PairWords::tr("No pair is marked: more than 1 % of the real samples equal another one, too.");
    if (threshold == 0.0)
        return PairWords::tr("Only equal samples are marked: too few real samples for a threshold.");
    const QString ratio = formatNumber(threshold);
    return kind == PairKind::Duplicates
               ? PairWords::tr("Marked are ratios below %1, which 1 % of good samples reach by chance.").arg(ratio)
               : PairWords::tr("Marked are ratios below %1, which 1 % of real samples reach among themselves.")
                     .arg(ratio);
}

QString ratioToolTip(PairKind kind, double threshold, const SamplePair& pair) {
    const auto line = [](const QString& name, double value) {
        return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2</td></tr>")
            .arg(name.toHtmlEscaped(), formatNumber(value));
    };
    return metricToolTip(PairWords::tr("Ratio").toStdString(), definitionOf(kind).toStdString(), {}) +
           QStringLiteral("<br>") + thresholdText(kind, threshold).toHtmlEscaped() + QStringLiteral("<table>") +
           line(PairWords::tr("Ratio"), pair.ratio) + line(PairWords::tr("Distance"), pair.distance) +
           QStringLiteral("</table>");
}

QString heldOutNote() {
    return PairWords::tr("Of the held-out set: it cannot be selected, the real sample beside it can.<br>");
}

} // namespace assay
