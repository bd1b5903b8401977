#include "tests/gui/support/small_demo.h"

#include "engine/base/random.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/drawing.h"
#include "engine/demo/recipe.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::test {
EmbeddingParts drawnPictures(const std::string& name, std::uint64_t seed, std::size_t blurPasses) {
    constexpr std::size_t kRows = 200;
    std::vector<float> values;
    std::vector<std::uint8_t> pixels;
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < kRows; ++row) {
        const demo::ClassRecipe& recipe = demo::kClasses[row % demo::kClasses.size()];
        Random random = Random::forItem(seed, row);
        const demo::Picture picture = demo::blurred(demo::drawPicture(recipe, 1.0, random), blurPasses);
        const auto embedding = demo::embedPicture(picture);
        values.insert(values.end(), embedding.begin(), embedding.end());
        pixels.insert(pixels.end(), picture.begin(), picture.end());
        labels.emplace_back(recipe.name);
    }
    EmbeddingParts parts = EmbeddingParts::of(std::move(values), demo::kEmbeddingDim, name);
    parts.labels = labelsFromText(labels);
    parts.images =
        std::make_shared<const ImageStore>(std::move(pixels), kRows, demo::kPictureSide, demo::kPictureSide, 3);
    return parts;
}

namespace {

std::shared_ptr<const EmbeddingSet> drawnSet(const std::string& name, std::uint64_t seed, std::size_t blurPasses) {
    EmbeddingParts parts = drawnPictures(name, seed, blurPasses);
    for (std::size_t row = 0; row < parts.rows; ++row)
        parts.ids.push_back(name + "-" + std::to_string(row));
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

EngineCalls smallDemoCalls() {
    EngineCalls calls = engineCalls();
    calls.makeDemo = [](const JobContext&) {
        return Demo{drawnSet("real", 1, 0), {drawnSet("faithful", 2, 0), drawnSet("blurry", 3, 4)}};
    };
    return calls;
}

} // namespace assay::test
