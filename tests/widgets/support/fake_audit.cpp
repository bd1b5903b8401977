#include "tests/widgets/support/fake_audit.h"

#include "engine/audit/findings/findings.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/metrics/verdicts/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

namespace assay::test {
namespace {

constexpr std::size_t kEdge = 8;
constexpr std::array<const char*, 3> kClasses{"circle", "square", "triangle"};

double distance(const EmbeddingSet& a, std::size_t i, const EmbeddingSet& b, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim(); ++c) {
        const double d = static_cast<double>(a.matrix().rowData(i)[c]) - static_cast<double>(b.matrix().rowData(j)[c]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

NeighborTable neighbors(const EmbeddingSet& query, const EmbeddingSet& base, std::size_t wanted, bool self) {
    NeighborTable table;
    table.k = std::min(wanted, base.rows() - (self ? 1 : 0));
    for (std::size_t i = 0; i < query.rows(); ++i) {
        std::vector<std::pair<double, std::uint32_t>> all;
        for (std::size_t j = 0; j < base.rows(); ++j)
            if (!self || i != j)
                all.emplace_back(distance(query, i, base, j), static_cast<std::uint32_t>(j));
        std::sort(all.begin(), all.end());
        for (std::size_t r = 0; r < table.k; ++r) {
            table.distance.push_back(all[r].first);
            table.index.push_back(all[r].second);
        }
    }
    return table;
}

std::vector<double> kthDistance(const NeighborTable& table, std::size_t k) {
    std::vector<double> result;
    for (std::size_t i = 0; i < table.rows(); ++i)
        result.push_back(table.distanceAt(i, k - 1));
    return result;
}

double entropyTerm(double d, std::size_t n, std::size_t dim) {
    const double half = static_cast<double>(dim) / 2.0;
    // psi(5) for the default k; the views do not care about its exact value.
    return std::log(static_cast<double>(n)) - 1.506117668 + half * std::log(std::numbers::pi) -
           std::lgamma(half + 1.0) + static_cast<double>(dim) * std::log(std::max(d, 1e-9));
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::shared_ptr<const ImageStore> pictures(std::size_t rows, const std::vector<std::uint32_t>& codes, int hue) {
    std::vector<std::uint8_t> pixels(rows * kEdge * kEdge * 3);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t y = 0; y < kEdge; ++y)
            for (std::size_t x = 0; x < kEdge; ++x) {
                const double dx = static_cast<double>(x) - 3.5;
                const double dy = static_cast<double>(y) - 3.5;
                const std::uint32_t kind = codes[row] % 3;
                const bool inside = kind == 0   ? dx * dx + dy * dy < 9.0
                                    : kind == 1 ? std::max(std::abs(dx), std::abs(dy)) < 3.0
                                                : dy > 2.0 * std::abs(dx) - 3.0 && dy < 3.0;
                std::uint8_t* pixel = &pixels[((row * kEdge + y) * kEdge + x) * 3];
                const auto shade = static_cast<std::uint8_t>(120 + (row * 37) % 130);
                for (int c = 0; c < 3; ++c)
                    pixel[c] = inside ? (c == hue ? shade : 60) : 235;
            }
    return std::make_shared<ImageStore>(std::move(pixels), rows, kEdge, kEdge, 3);
}

std::shared_ptr<const EmbeddingSet> makeSet(const std::string& name, std::vector<float> values,
                                            const FakeOptions& options, int hue) {
    EmbeddingParts parts;
    parts.rows = values.size() / 2;
    parts.dim = 2;
    parts.values = std::move(values);
    parts.name = name;
    std::vector<std::uint32_t> codes(parts.rows);
    for (std::size_t i = 0; i < parts.rows; ++i)
        codes[i] = static_cast<std::uint32_t>(i % kClasses.size());
    if (options.labels) {
        parts.labels.code = codes;
        parts.labels.names.assign(kClasses.begin(), kClasses.end());
    }
    if (options.ids)
        for (std::size_t i = 0; i < parts.rows; ++i) {
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%s-%04zu", name.c_str(), i);
            parts.ids.emplace_back(text.data());
        }
    if (options.pictures)
        parts.images = pictures(parts.rows, codes, hue);
    return std::make_shared<EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const RealAnalysis> analyse(std::shared_ptr<const EmbeddingSet> set, std::size_t k) {
    auto real = std::make_shared<RealAnalysis>();
    real->k = k;
    real->neighbors = neighbors(*set, *set, std::max<std::size_t>(32, k), true);
    real->radius = kthDistance(real->neighbors, k);
    std::vector<double> sorted = real->radius;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    real->medianRadius = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    for (double r : real->radius)
        real->innerRadius.push_back(std::min(r, real->medianRadius));
    real->innerHolding.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        real->entropy += entropyTerm(real->radius[i], n - 1, 2) / static_cast<double>(n);
        for (std::size_t j = 0; j < n; ++j)
            if (i != j && distance(*set, i, *set, j) <= real->innerRadius[j])
                ++real->innerHolding[i];
    }
    real->set = std::move(set);
    real->backend = "naive";
    return real;
}

PairTables pairTables(const RealAnalysis& real, const EmbeddingSet& set) {
    PairTables t;
    t.syntheticToSynthetic = neighbors(set, set, 32, true);
    t.synthetic.nearest = neighbors(set, *real.set, 32, false);
    t.real.nearest = neighbors(*real.set, set, 32, false);
    t.syntheticRadius = kthDistance(t.syntheticToSynthetic, real.k);
    t.synthetic.holding.assign(set.rows(), 0);
    t.synthetic.innerHolding.assign(set.rows(), 0);
    t.real.inside.assign(real.set->rows(), 0);
    t.real.insideInner.assign(real.set->rows(), 0);
    t.real.holding.assign(real.set->rows(), 0);
    for (std::size_t i = 0; i < real.set->rows(); ++i)
        for (std::size_t j = 0; j < set.rows(); ++j) {
            const double d = distance(*real.set, i, set, j);
            t.real.inside[i] += d <= real.radius[i];
            t.synthetic.holding[j] += d <= real.radius[i];
            t.real.insideInner[i] += d <= real.innerRadius[i];
            t.synthetic.innerHolding[j] += d <= real.innerRadius[i];
            t.real.holding[i] += d <= t.syntheticRadius[j];
        }
    return t;
}

std::vector<double> toDouble(const std::vector<std::uint32_t>& counts) {
    return {counts.begin(), counts.end()};
}

std::vector<double> capped(const std::vector<std::uint32_t>& counts, std::size_t k) {
    std::vector<double> result;
    for (std::uint32_t n : counts)
        result.push_back(std::min(static_cast<double>(n) / static_cast<double>(k), 1.0));
    return result;
}

std::shared_ptr<const ModelAudit> score(const RealAnalysis& real, std::shared_ptr<const EmbeddingSet> set) {
    auto model = std::make_shared<ModelAudit>();
    model->name = set->name();
    model->tables = std::make_shared<const PairTables>(pairTables(real, *set));
    const PairTables& t = *model->tables;
    const std::size_t n = real.set->rows();
    std::vector<double> pce, re, rce, authentic, nearest, nearestDistance, nearestSynthetic;
    for (std::size_t j = 0; j < set->rows(); ++j) {
        const std::uint32_t to = t.synthetic.nearest.indexAt(j, 0);
        const double d = t.synthetic.nearest.distanceAt(j, 0);
        nearest.push_back(to);
        nearestDistance.push_back(d);
        authentic.push_back(d > real.neighbors.distanceAt(to, 0) ? 1.0 : 0.0);
        pce.push_back(entropyTerm(t.synthetic.nearest.distanceAt(j, real.k - 1), n, 2) - real.entropy);
        re.push_back(entropyTerm(t.syntheticRadius[j], set->rows() - 1, 2) - real.entropy);
    }
    for (std::size_t i = 0; i < n; ++i) {
        rce.push_back(entropyTerm(t.real.nearest.distanceAt(i, real.k - 1), set->rows(), 2) - real.entropy);
        nearestSynthetic.push_back(t.real.nearest.distanceAt(i, 0));
    }
    const auto fidelity = capped(t.synthetic.innerHolding, real.k);
    const auto coverage = capped(t.real.inside, real.k);
    const double ratio = mean(fidelity) / std::max(1e-9, mean(capped(real.innerHolding, real.k)));
    model->metrics = {{"clipped_density", std::min(ratio, 1.0)},
                      {"clipped_density_unclipped", ratio},
                      {"clipped_coverage", mean(coverage)},
                      {"pce", mean(pce)},
                      {"rce", mean(rce)},
                      {"re", mean(re)},
                      {"authenticity", mean(authentic)}};
    model->columns = {{"fidelity", fidelity},
                      {"clipped_ball_count", toDouble(t.synthetic.innerHolding)},
                      {"ball_count", toDouble(t.synthetic.holding)},
                      {"pce", pce},
                      {"re", re},
                      {"authentic", authentic},
                      {"nearest_real", nearest},
                      {"nearest_real_distance", nearestDistance},
                      {"coverage", coverage},
                      {"ball_synthetic_count", toDouble(t.real.inside)},
                      {"rce", rce},
                      {"nearest_synthetic_distance", nearestSynthetic}};
    std::vector<double> verdict(set->rows(), 0.0);
    if (set->name().starts_with("copies")) {
        for (std::size_t j = 0; j < verdict.size(); ++j)
            verdict[j] = authentic[j] == 0.0 ? static_cast<double>(Verdict::Copy) : 0.0;
        model->findings = {copiesFinding(1.0 - mean(authentic))};
        model->summary = model->findings.front().sentence;
    } else {
        model->summary = "As good as real.";
    }
    model->columns.push_back({"verdict", verdict});
    model->diagnostics = diagnose(real, t, real.k);
    model->set = std::move(set);
    model->backend = "naive";
    return model;
}

std::vector<float> points(std::size_t rows, double spread, std::mt19937_64& random) {
    std::normal_distribution<double> normal(0.0, spread);
    std::vector<float> values(rows * 2);
    for (float& v : values)
        v = static_cast<float>(normal(random));
    return values;
}

std::shared_ptr<const AuditResult> makeAudit(const FakeOptions& options) {
    std::mt19937_64 random(options.seed);
    const std::vector<float> realPoints = points(options.real, 1.0, random);
    auto audit = std::make_shared<AuditResult>();
    audit->k = options.k;
    audit->real = analyse(makeSet("real", realPoints, options, 2), options.k);
    for (std::size_t m = 0; m < options.models; ++m) {
        std::vector<float> values = points(options.synthetic, 1.0, random);
        std::string name = "faithful";
        if (m % 3 == 1) {
            name = "copies";
            const std::vector<float> noise = points(options.synthetic, 0.001, random);
            for (std::size_t v = 0; v < values.size(); ++v)
                values[v] = realPoints[v % realPoints.size()] + noise[v];
        } else if (m % 3 == 2) {
            name = "noise30";
            const std::size_t bad = values.size() * 3 / 10 / 2 * 2;
            const std::vector<float> noise = points(bad / 2, 10.0, random);
            std::copy(noise.begin(), noise.end(), values.end() - static_cast<std::ptrdiff_t>(bad));
        }
        if (m >= 3)
            name += "-" + std::to_string(m);
        audit->models.push_back(
            score(*audit->real, makeSet(name, std::move(values), options, static_cast<int>(m % 2))));
    }
    return audit;
}

} // namespace

std::shared_ptr<const AuditResult> wideAudit(std::size_t columns) {
    std::mt19937_64 random(11);
    const auto table = [&](const std::string& name, std::size_t rows) {
        EmbeddingParts parts = EmbeddingParts::of(points(rows * columns / 2, 1.0, random), columns, name);
        for (std::size_t c = 0; c < columns; ++c)
            parts.source.columnNames.push_back("column " + std::to_string(c));
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    auto audit = std::make_shared<AuditResult>();
    audit->real = analyse(table("real", 60), audit->k);
    audit->models.push_back(score(*audit->real, table("faithful", 80)));
    return audit;
}

Finding copiesFinding(double share) {
    Finding finding;
    for (const FindingKind& kind : findingKinds())
        if (kind.id == "copy")
            finding.kind = &kind;
    finding.value = share;
    finding.marksModel = share >= 0.05;
    finding.place = 0.0;
    finding.sentence = std::to_string(std::lround(100.0 * share)) + " % of its samples are copies of real ones.";
    return finding;
}

std::shared_ptr<const AuditResult> fakeAudit(const FakeOptions& options) {
    static std::map<FakeOptions, std::shared_ptr<const AuditResult>> made;
    std::shared_ptr<const AuditResult>& audit = made[options];
    if (!audit)
        audit = makeAudit(options);
    return audit;
}

std::shared_ptr<const AuditResult> hugeAudit(std::size_t synthetic, bool withPictures) {
    FakeOptions options;
    options.ids = false;
    options.pictures = withPictures;
    std::mt19937_64 random(3);
    auto audit = std::make_shared<AuditResult>();
    audit->real = analyse(makeSet("real", points(options.real, 1.0, random), options, 2), options.k);
    auto model = std::make_shared<ModelAudit>();
    model->name = "huge";
    model->set = makeSet("huge", points(synthetic, 1.0, random), options, 0);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> steps(0, 5);
    std::vector<double> pce(synthetic), fidelity(synthetic), authentic(synthetic), near(synthetic);
    for (std::size_t j = 0; j < synthetic; ++j) {
        pce[j] = normal(random);
        fidelity[j] = steps(random) / 5.0;
        authentic[j] = j % 10 ? 1.0 : 0.0;
        near[j] = std::abs(normal(random));
    }
    model->columns = {{"fidelity", fidelity}, {"pce", pce}, {"authentic", authentic}, {"nearest_real_distance", near}};
    model->metrics = {{"clipped_density", 0.5}, {"clipped_coverage", 0.5}, {"authenticity", 0.9}, {"pce", 0.0}};
    audit->models.push_back(model);
    return audit;
}

} // namespace assay::test
