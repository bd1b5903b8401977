#include "widgets/ranking/group_text.h"

#include "engine/data/brief_text.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/text/class_text.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct GroupWords {
    Q_DECLARE_TR_FUNCTIONS(assay::RankingGroup)
};

QString nearText(const RankingModel& model, const QString& count, SampleId centre) {
    const EmbeddingSet& set = model.state().audit->setOf(centre.set);
    const QString id = QString::fromStdString(briefText(set.idText(centre.row)));
    const QString text = isReal(centre.set) ? GroupWords::tr("%1 near real %2").arg(count, id)
                                            : GroupWords::tr("%1 near synthetic %2").arg(count, id);
    return set.hasLabel(centre.row) ? GroupWords::tr("%1 (%2)").arg(text, classText(set.labelText(centre.row))) : text;
}

QString verdictText(const RankingModel& model, const RankingGroup& group) {
    const QString count = formatCount(group.count);
    if (model.order().side == Side::Real)
        return GroupWords::tr("%1 %2", "number, verdict")
            .arg(count, verdictWord(static_cast<CoverageVerdict>(group.key)));
    const auto verdict = static_cast<Verdict>(group.key);
    return verdict == Verdict::Copy && group.count != 1
               ? GroupWords::tr("%1 copies").arg(count)
               : GroupWords::tr("%1 %2", "number, verdict").arg(count, verdictWord(verdict));
}

} // namespace

std::optional<SampleId> groupCentre(const RankingModel& model, const RankingGroup& group) {
    if (model.listedGrouping() != RankingGrouping::Nearest)
        return std::nullopt;
    return SampleId{model.order().side == Side::Real ? model.state().currentSet() : SetId::Real, group.key};
}

QString groupText(const RankingModel& model, const RankingGroup& group) {
    const QString count = formatCount(group.count);
    if (const auto centre = groupCentre(model, group))
        return nearText(model, count, *centre);
    if (model.listedGrouping() == RankingGrouping::Verdict)
        return verdictText(model, group);
    const std::string& name = model.listed().labels().names[group.key];
    return name.empty() ? GroupWords::tr("%1 without a class").arg(count)
                        : GroupWords::tr("%1 of %2", "number, class").arg(count, classText(name));
}

} // namespace assay
