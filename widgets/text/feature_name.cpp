#include "widgets/text/feature_name.h"

#include "engine/data/embedding_set.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct FeatureNameWords {
    Q_DECLARE_TR_FUNCTIONS(assay::FeatureName)
};

} // namespace

QString featureName(const EmbeddingSet& real, std::uint32_t feature) {
    const auto& names = real.source().columnNames;
    return feature < names.size() ? QString::fromStdString(names[feature])
                                  : FeatureNameWords::tr("feature %1").arg(formatCount(feature));
}

} // namespace assay
