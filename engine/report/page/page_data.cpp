#include "engine/report/page/page_data.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/io/pictures/jpeg_writer.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/page/page_file.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/scores/explain.h"
#include "engine/report/scores/sample_comparison.h"
#include "engine/report/scores/table_features.h"
#include "engine/report/space/sample_places.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace assay::report {
namespace {

using PageJson = nlohmann::json;

constexpr std::size_t kShownNeighbors = 5; ///< on each side of a sample
constexpr std::size_t kShownFeatures = 6;  ///< in which a sample of a table differs most from its nearest one
constexpr std::size_t kAtlasSide = 32;     ///< pictures along a side of an atlas
constexpr std::size_t kGridCells = 48;     ///< along a side of the map of differences
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// Many pictures in one, in rows of kAtlasSide cells.
struct Atlas {
    std::size_t height = 0, width = 0, channels = 0; ///< of each picture, in pixels; 0 where there is none
    std::size_t cell = 0; ///< side of a cell in pixels, a multiple of 16: blocks of JPEG hold one sample each
    std::vector<std::uint8_t> pixels{};

    PixelView view() const {
        return {pixels, pixels.size() / (kAtlasSide * cell * channels), kAtlasSide * cell, channels};
    }
};

Atlas atlasOf(const EmbeddingSet& set, std::span<const std::uint32_t> rows, std::size_t longest,
              const JobContext& job) {
    Atlas atlas;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        job.throwIfStopped();
        const ReducedPicture picture = reducedPicture(set, rows[at], longest);
        if (picture.pixels.empty())
            continue;
        if (atlas.pixels.empty()) {
            atlas = {picture.height, picture.width, std::min<std::size_t>(3, picture.channels),
                     (std::max(picture.height, picture.width) + 15) / 16 * 16};
            atlas.pixels.resize((rows.size() + kAtlasSide - 1) / kAtlasSide * kAtlasSide * atlas.cell * atlas.cell *
                                atlas.channels);
        }
        const std::size_t corner = (at / kAtlasSide * atlas.cell * kAtlasSide + at % kAtlasSide) * atlas.cell;
        for (std::size_t y = 0; y < picture.height; ++y)
            for (std::size_t x = 0; x < picture.width; ++x)
                std::copy_n(&picture.pixels[(y * picture.width + x) * picture.channels], atlas.channels,
                            &atlas.pixels[(corner + y * kAtlasSide * atlas.cell + x) * atlas.channels]);
    }
    return atlas;
}

/// Writes pictures in atlases of 1,024, one in memory at a time: as PNG where that is small, which keeps drawn digits
/// sharp, else as JPEG.
void writePictures(PageFile& file, const EmbeddingSet& set, const std::string& id, const PageRows& of,
                   const JobContext& job) {
    if (set.images() == nullptr || of.rows.empty())
        return;
    constexpr std::size_t kEach = kAtlasSide * kAtlasSide;
    constexpr std::size_t kSmall = 900; // bytes of a picture
    constexpr std::size_t kFew = 4'000; // samples of a set, whose pictures can be larger
    constexpr int kQuality = 88;
    const std::size_t longest = of.rows.size() <= kFew ? 64 : 32;
    PageJson shape = nullptr;
    for (std::size_t first = 0; first < of.rows.size(); first += kEach) {
        const std::size_t count = std::min(kEach, of.rows.size() - first);
        const Atlas atlas = atlasOf(set, std::span(of.rows).subspan(first, count), longest, job);
        if (atlas.pixels.empty())
            continue;
        shape = {{"height", atlas.height}, {"width", atlas.width}, {"cell", atlas.cell}};
        std::string bytes = pngBytes(atlas.view());
        const bool isSmall = bytes.size() <= kSmall * count;
        if (!isSmall)
            bytes = jpegBytes(atlas.view(), kQuality);
        file.array<char>(id + "atlas" + std::to_string(first / kEach), bytes, isSmall ? "image/png" : "image/jpeg");
    }
    file.json(id + "pictures", shape.dump());
}

/// Rows of the nearest samples in a set, and their distances; kShownNeighbors of each sample.
void writeNeighbors(PageFile& file, const std::string& id, const NeighborTable& table, const PageRows& from) {
    std::vector<std::uint32_t> rows;
    std::vector<float> distances;
    for (const std::uint32_t row : from.rows)
        for (std::size_t rank = 0; rank < kShownNeighbors; ++rank) {
            const bool isKnown = row < table.rows() && rank < table.k;
            rows.push_back(isKnown ? table.indexAt(row, rank) : PageRows::kAbsent);
            distances.push_back(isKnown ? static_cast<float>(table.distanceAt(row, rank)) : kUnknown);
        }
    file.array<std::uint32_t>(id + ".row", rows);
    file.array<float>(id + ".distance", distances);
}

/// Places of all samples, the real ones first, on the square that holds them: the same scale on both axes.
std::vector<std::array<std::uint16_t, 2>> placesOf(const SpacePoints& points) {
    std::vector<std::array<float, 3>> all = points.real;
    all.insert(all.end(), points.synthetic.begin(), points.synthetic.end());
    std::array<double, 2> middle{};
    double side = 1e-9;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto [low, high] = std::ranges::minmax(all, {}, [axis](const auto& point) { return point[axis]; });
        middle[axis] = (static_cast<double>(low[axis]) + high[axis]) / 2.0;
        side = std::max(side, 1.04 * (static_cast<double>(high[axis]) - low[axis]));
    }
    std::vector<std::array<std::uint16_t, 2>> places(all.size());
    for (std::size_t at = 0; at < all.size(); ++at)
        for (std::size_t axis = 0; axis < 2; ++axis)
            places[at][axis] = static_cast<std::uint16_t>(65535.0 * (0.5 + (all[at][axis] - middle[axis]) / side));
    return places;
}

/// Places of the page's samples, and how many of all samples lie in each cell of the plane.
void writeLayout(PageFile& file, const std::string& id, const SpacePoints& points, const PageRows& real,
                 const PageRows& synthetic) {
    const std::vector<std::array<std::uint16_t, 2>> all = placesOf(points);
    std::vector<std::array<std::uint16_t, 2>> places;
    for (const std::uint32_t row : real.rows)
        places.push_back(all[row]);
    for (const std::uint32_t row : synthetic.rows)
        places.push_back(all[points.real.size() + row]);
    file.array<std::array<std::uint16_t, 2>>(id, places);
    std::vector<std::uint32_t> counts(2 * kGridCells * kGridCells, 0);
    for (std::size_t at = 0; at < all.size(); ++at) {
        const std::size_t set = at < points.real.size() ? 0 : 1;
        const auto [x, y] = all[at];
        ++counts[(set * kGridCells + y * kGridCells / 65536) * kGridCells + x * kGridCells / 65536];
    }
    file.array<std::uint32_t>(id + ".cells", counts);
    const PageJson facts{{"cells", kGridCells},
                         {"neighbors", points.neighbors},
                         {"kept", points.keptNeighbors}, // NaN is written as null
                         {"explained", points.explainedShare}};
    file.json(id + ".facts", facts.dump());
}

std::string textOf(double value, const std::string& text) {
    if (!text.empty())
        return text;
    return std::isfinite(value) ? numberText(std::round(value * 1e4) / 1e4) : kNoValue;
}

/// The features of a table in which each sample differs most from its nearest real one.
PageJson contrastsOf(const AuditResult& audit, std::size_t model, const PageRows& of, const JobContext& job) {
    const NeighborTable& table = audit.models[model]->tables->synthetic.nearest;
    const FeatureStandards standards = featureStandards(audit);
    PageJson all = PageJson::array();
    for (const std::uint32_t row : of.rows) {
        job.throwIfStopped();
        std::vector<FeatureContrast> contrasts;
        if (row < table.rows())
            contrasts =
                contrastFeatures(audit, standards, {syntheticSet(model), row}, {SetId::Real, table.indexAt(row, 0)});
        contrasts.resize(std::min(contrasts.size(), kShownFeatures));
        PageJson some = PageJson::array();
        for (const FeatureContrast& one : contrasts)
            some.push_back({one.column.empty() ? featureNameOf(*audit.real->set, one.feature) : one.column,
                            textOf(one.first, one.firstText), textOf(one.second, one.secondText)});
        all.push_back(std::move(some));
    }
    return all;
}

std::string dumped(const PageJson& json) {
    return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace

void PageFile::json(const std::string& id, std::string_view text) {
    std::string escaped = plainText(text);
    for (std::size_t at = escaped.find('<'); at != std::string::npos; at = escaped.find('<', at))
        escaped.replace(at, 1, "\\u003c");
    file_.write("<script type=\"application/json\" id=\"" + id + "\">" + escaped + "</script>\n");
}

void PageData::writeSet(std::size_t number, const JobContext& job) {
    const EmbeddingSet& set = number == 0 ? *audit_.real->set : *audit_.models[number - 1]->set;
    const PageRows& of = rows_[number];
    const std::string id = fmt::format("s{}.", number);
    PageJson texts{{"ids", PageJson::array()}, {"classes", set.labels().names}, {"hasIds", set.hasIds()}};
    for (const std::uint32_t row : of.rows)
        texts["ids"].push_back(set.idText(row));
    file_.json(id + "texts", dumped(texts));
    file_.array<std::uint32_t>(id + "row", of.rows);
    if (set.hasLabels()) {
        std::vector<std::uint32_t> codes;
        for (const std::uint32_t row : of.rows)
            codes.push_back(set.labels().code[row]);
        file_.array<std::uint32_t>(id + "class", codes);
    }
    writePictures(file_, set, id, of, job);
}

void PageData::writeModel(std::size_t model, PageOptions::Plane plane, const JobContext& job) {
    const ModelAudit& audited = *audit_.models[model];
    const PageRows& real = rows_[0];
    const PageRows& synthetic = rows_[model + 1];
    const std::string id = fmt::format("m{}.", model + 1);
    for (const ColumnValues& column : audited.columns) {
        const Column& row = columnOf(column);
        if (row.unit == Unit::Row)
            continue;
        std::vector<float> values;
        for (const std::uint32_t at : (row.side == Side::Real ? real : synthetic).rows)
            values.push_back(static_cast<float>(column.values[at]));
        file_.array<float>(id + (row.side == Side::Real ? "real." : "synthetic.") + std::string(row.id), values);
    }
    const PairTables& tables = *audited.tables;
    writeNeighbors(file_, id + "nearestReal", tables.synthetic.nearest, synthetic);
    writeNeighbors(file_, id + "nearestSynthetic", tables.syntheticToSynthetic, synthetic);
    writeNeighbors(file_, id + "realToSynthetic", tables.real.nearest, real);
    writeNeighbors(file_, id + "realToReal", audit_.real->neighbors, real);
    PageJson reasons;
    for (const std::uint32_t row : synthetic.rows)
        reasons["synthetic"].push_back(explainSample(audit_, model, {syntheticSet(model), row}));
    for (const std::uint32_t row : real.rows)
        reasons["real"].push_back(explainSample(audit_, model, {SetId::Real, row}));
    file_.json(id + "reasons", dumped(reasons));
    if (!audit_.real->set->isWhole() || !audited.set->isWhole())
        return;
    if (audit_.real->set->preparation()->isTable)
        file_.json(id + "contrasts", dumped(contrastsOf(audit_, model, synthetic, job)));
    for (const auto& [name, arrangement] :
         {std::pair("neighbors", Arrangement::Neighbors), std::pair("components", Arrangement::Components)})
        if (arrangement == Arrangement::Components || plane == PageOptions::Plane::All) {
            const SpaceLayout layout{arrangement, 2};
            placed_ = placeSamples(audit_, model, layout, placed_, nullptr, job);
            writeLayout(file_, id + name, *placed_->of(layout), real, synthetic);
        }
}

} // namespace assay::report
