#include "engine/demo/demo.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/base/sha256.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/drawing.h"
#include "engine/demo/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace assay {
namespace {

using namespace demo;

/// Content of one row, chosen before anything is drawn.
struct Plan {
    const ClassRecipe* recipe = nullptr; ///< null for noise
    std::string id;
};

std::string numbered(std::string_view prefix, std::size_t row) {
    return fmt::format("{}-{:04}", prefix, row);
}

/// Rows in random order, with equal numbers of all classes that the fault does not leave out.
std::vector<Plan> planClasses(std::size_t rows, std::string_view idPrefix, Fault fault, Random& random) {
    std::vector<const ClassRecipe*> classes;
    for (const ClassRecipe& recipe : kClasses)
        if (fault != Fault::DroppedModes || !isDroppedClass(recipe.shape))
            classes.push_back(&recipe);
    std::vector<Plan> plan(rows);
    for (std::size_t row = 0; row < rows; ++row)
        plan[row].recipe = classes[row % classes.size()];
    random.shuffle(plan);
    for (std::size_t row = 0; row < rows; ++row)
        plan[row].id = numbered(idPrefix, row);
    return plan;
}

/// `count` distinct numbers below `limit`, in random order.
std::vector<std::uint32_t> chooseRows(std::size_t count, std::size_t limit, Random& random) {
    std::vector<std::uint32_t> rows = random.order(limit);
    rows.resize(count);
    return rows;
}

using DrawRow = std::function<Picture(std::size_t row, Random& random)>;

/// Draws and embeds every planned row and builds the set.
std::shared_ptr<const EmbeddingSet> makeSet(std::string name, const std::vector<Plan>& plan, std::uint64_t seed,
                                            const DrawRow& drawRow, const JobContext& job) {
    constexpr std::size_t kRowsPerTask = 64;
    const std::size_t rows = plan.size();
    EmbeddingParts parts;
    parts.rows = rows;
    parts.dim = kEmbeddingDim;
    std::vector<float> values(rows * kEmbeddingDim);
    std::vector<std::uint8_t> pixels(rows * kPictureBytes);
    parallelRanges(rows, kRowsPerTask, 0, job, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t row = first; row < last; ++row) {
            Random random = Random::forItem(seed, row);
            const Picture picture = drawRow(row, random);
            const auto embedding = embedPicture(picture);
            std::copy(picture.begin(), picture.end(), pixels.data() + row * kPictureBytes);
            std::copy(embedding.begin(), embedding.end(), values.data() + row * kEmbeddingDim);
        }
    });
    std::vector<std::string> labels;
    for (const Plan& row : plan) {
        labels.emplace_back(row.recipe ? row.recipe->name : "noise");
        parts.ids.push_back(row.id);
    }
    parts.labels = labelsFromText(labels);
    parts.images = std::make_shared<const ImageStore>(std::move(pixels), rows, kPictureSide, kPictureSide, 3);
    parts.source.sha256 = sha256OfBytes(std::as_bytes(std::span(values)));
    parts.values = std::move(values);
    parts.name = std::move(name);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

Picture originalOf(const EmbeddingSet& real, std::size_t row) {
    Picture picture{};
    const auto pixels = real.images()->image(row);
    std::copy(pixels.begin(), pixels.end(), picture.begin());
    return picture;
}

std::shared_ptr<const EmbeddingSet> makeCopies(const GeneratorRecipe& generator, const EmbeddingSet& real,
                                               const std::vector<Plan>& realPlan, Random& random,
                                               const JobContext& job) {
    const std::vector<std::uint32_t> originals = chooseRows(generator.rows, kRealRows, random);
    std::vector<Plan> plan;
    for (std::size_t row = 0; row < generator.rows; ++row) {
        const Plan& original = realPlan[originals[row]];
        plan.push_back({original.recipe, numbered(generator.idPrefix, row) + "-of-" + original.id});
    }
    const auto drawRow = [&](std::size_t row, Random& rowRandom) {
        return withNoise(originalOf(real, originals[row]), kCopyNoise, rowRandom);
    };
    return makeSet(std::string(generator.name), plan, generator.seed, drawRow, job);
}

Picture drawRow(const Plan& plan, Fault fault, Random& random) {
    if (plan.recipe == nullptr)
        return drawNoise(random);
    const Picture picture = drawPicture(*plan.recipe, fault == Fault::Shrunken ? kShrunkenSpread : 1.0, random);
    if (fault != Fault::Blur)
        return picture;
    return blurred(picture, kBlurPasses[0] + random.below(kBlurPasses[1] - kBlurPasses[0] + 1));
}

std::shared_ptr<const EmbeddingSet> makeModel(const GeneratorRecipe& generator, const EmbeddingSet& real,
                                              const std::vector<Plan>& realPlan, const JobContext& job) {
    Random random(generator.seed);
    if (generator.fault == Fault::Copies)
        return makeCopies(generator, real, realPlan, random, job);
    std::vector<Plan> plan = planClasses(generator.rows, generator.idPrefix, generator.fault, random);
    if (generator.fault == Fault::Noise) {
        const auto count = static_cast<std::size_t>(std::lround(kNoiseShare * static_cast<double>(generator.rows)));
        for (const std::size_t row : chooseRows(count, generator.rows, random))
            plan[row] = {nullptr, numbered("noise", row)};
    }
    return makeSet(
        std::string(generator.name), plan, generator.seed,
        [&](std::size_t row, Random& rowRandom) { return drawRow(plan[row], generator.fault, rowRandom); }, job);
}

} // namespace

Demo makeDemo(const JobContext& job) {
    const auto drawing = [&](std::size_t set) { return job.step(set, kDemoGenerators.size() + 1, "Drawing the demo"); };
    Random random(kRealSeed);
    const std::vector<Plan> realPlan = planClasses(kRealRows, "real", Fault::None, random);
    Demo result;
    result.real = makeSet(
        "shapes", realPlan, kRealSeed,
        [&](std::size_t row, Random& rowRandom) { return drawRow(realPlan[row], Fault::None, rowRandom); }, drawing(0));
    for (const GeneratorRecipe& generator : kDemoGenerators)
        result.models.push_back(makeModel(generator, *result.real, realPlan, drawing(result.models.size() + 1)));
    return result;
}

} // namespace assay
