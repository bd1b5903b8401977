#include "engine/cluster/ring.h"

#include "engine/base/large_array.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

/// Calls `use` for every list and count that a block carries beside its rows.
template <typename BlockType, typename Use>
void forEachList(BlockType& block, const Use& use) {
    use(block.radius, 1);
    use(block.innerRadius, 1);
    use(block.found.nearest.index, block.k());
    use(block.found.nearest.distance, block.k());
    use(block.found.inside, 1);
    use(block.found.insideInner, 1);
    use(block.found.holding, 1);
    use(block.found.innerHolding, 1);
}

void sendLists(Messages& messages, std::size_t to, const SearchBlock& block) {
    forEachList(block, [&](const auto& list, std::size_t) { messages.sendAll(to, std::span(list)); });
}

/// A block with room for other rows and lists of the same kinds, to be received.
SearchBlock roomFor(const RowRange& rows, const SearchBlock& like) {
    SearchBlock room = like;
    room.first = rows.first;
    room.rows = {nullptr, rows.count, like.rows.dim};
    forEachList(room, [&](auto& list, std::size_t perRow) { list.resize(list.empty() ? 0 : rows.count * perRow); });
    return room;
}

void receiveLists(Messages& messages, std::size_t from, SearchBlock& room) {
    forEachList(room, [&](auto& list, std::size_t) { messages.receiveAll(from, std::span(list)); });
}

std::span<const float> valuesOf(MatrixView rows) {
    return {rows.data, rows.rows * rows.dim};
}

} // namespace

Frame Ring::commonFrame(const EmbeddingSet& centre, MatrixView other, const JobContext& job) const {
    const MatrixView own = centre.matrix();
    Frame frame = Frame::of(own, {own, other}, threads_, job);
    const auto ownScale = static_cast<double>(frame.scale);
    double scale = ownScale;
    const double share = static_cast<double>(own.rows) / static_cast<double>(centre.rows());
    std::vector<double> mean;
    for (const float coordinate : frame.centre)
        mean.push_back(static_cast<double>(coordinate) / ownScale * share);
    Messages messages;
    messages.minimum({&scale, 1});
    messages.sum(mean);
    messages.wait(job);
    frame.scale = static_cast<float>(scale);
    for (std::size_t c = 0; c < mean.size(); ++c)
        frame.centre[c] = static_cast<float>(mean[c] * scale);
    return frame;
}

SearchBlock Ring::travelRing(const EmbeddingSet& set, SearchBlock own, std::size_t lastStep, const Visit& visit,
                             const JobContext& job) const {
    const std::size_t next = (rank() + 1) % ranks();
    const std::size_t previous = (rank() + ranks() - 1) % ranks();
    const auto ownerAt = [&](std::size_t step) { return (rank() + ranks() - step) % ranks(); };
    const MatrixView ownRows = own.rows;
    const std::size_t mostRows = (set.rows() + ranks() - 1) / ranks();
    std::array<LargeArray<float>, 2> room;
    for (std::size_t r = 0; r < std::min<std::size_t>(lastStep, 2); ++r)
        room[r] = makeLargeArray<float>(mostRows * set.dim());
    SearchBlock travelling = std::move(own);
    for (std::size_t step = 0; step <= lastStep; ++step) {
        const JobContext part = job.step(step, lastStep + 1);
        if (step == lastStep) {
            visit(step, travelling, part);
            break;
        }
        Messages messages;
        const RowRange coming = rowsOf(set, ownerAt(step + 1));
        float* const comingRows = room[step % 2].get();
        messages.receiveAll(previous, std::span(comingRows, coming.count * set.dim()));
        messages.sendAll(next, valuesOf(travelling.rows));
        visit(step, travelling, part);
        SearchBlock arriving = roomFor(coming, travelling);
        receiveLists(messages, previous, arriving);
        sendLists(messages, next, travelling);
        messages.wait(job);
        arriving.rows.data = comingRows;
        travelling = std::move(arriving);
    }
    if (lastStep == 0)
        return travelling;
    Messages messages;
    SearchBlock returned = roomFor(rowsOf(set, rank()), travelling);
    returned.rows = ownRows;
    receiveLists(messages, (rank() + lastStep) % ranks(), returned);
    sendLists(messages, ownerAt(lastStep), travelling);
    messages.wait(job);
    return returned;
}

void Ring::searchOppositeHalf(SearchBlock& resident, SearchBlock& travelling, const ProductPlan& plan,
                              const JobContext& job) const {
    // Each of the two ranks searches one half of the block with the later rows.
    const bool travellingIsLater = travelling.first > resident.first;
    SearchBlock& later = travellingIsLater ? travelling : resident;
    const std::size_t half = later.rows.rows / 2;
    SearchBlock part = travellingIsLater ? later.part(0, half) : later.part(half, later.rows.rows - half);
    if (part.rows.rows == 0)
        return;
    if (travellingIsLater)
        searchBetween(resident, part, plan, threads_, job);
    else
        searchBetween(part, travelling, plan, threads_, job);
    later.update(part);
}

NeighborTable Ring::within(const EmbeddingSet& set, std::size_t k, const JobContext& job) const {
    const MatrixView rows = set.matrix();
    SearchBlock resident{.first = set.held().first, .rows = rows, .found = {.nearest = noNeighbors(rows.rows, k)}};
    const JobContext preparing = job.part({}, 0.0, 0.03);
    const ProductPlan plan = planProducts(resident, resident, {commonFrame(set, rows, preparing), threads_}, preparing);
    const JobContext searching = job.part({}, 0.03, 0.99);
    // Share of the search within the resident block in all work.
    const double alone = 1.0 / static_cast<double>(ranks());
    searchWithin(resident, plan, threads_, searching.part({}, 0.0, alone));
    const std::size_t lastStep = ranks() / 2;
    if (lastStep > 0) {
        SearchBlock copy = resident;
        const SearchBlock back = travelRing(
            set, std::move(copy), lastStep,
            [&](std::size_t step, SearchBlock& travelling, const JobContext& part) {
                if (step == 0)
                    return;
                if (2 * step == ranks())
                    searchOppositeHalf(resident, travelling, plan, part);
                else
                    searchBetween(resident, travelling, plan, threads_, part);
            },
            searching.part({}, alone, 1.0));
        resident.found.nearest = nearestOf(resident.found.nearest, back.found.nearest);
    }
    set.requireUnchanged();
    return gathered(set, resident.found.nearest, job.part("collecting from all processes", 0.99, 1.0));
}

PassResult Ring::between(const EmbeddingSet& a, const EmbeddingSet& b, const RingSides& sides,
                         const JobContext& job) const {
    const auto blockOf = [&](const EmbeddingSet& set, const RingSide& side) {
        const MatrixView rows = set.matrix();
        SearchBlock block{
            .first = set.held().first, .rows = rows, .found = {.nearest = noNeighbors(rows.rows, side.k)}};
        if (side.hasBalls)
            block.radius = scattered(set, side.radius, job);
        if (side.hasInnerBalls)
            block.innerRadius = scattered(set, side.innerRadius, job);
        return block;
    };
    SearchBlock resident = blockOf(a, sides.a);
    SearchBlock ownB = blockOf(b, sides.b);
    const JobContext preparing = job.part({}, 0.0, 0.03);
    const ProductPlan plan = planProducts(resident, ownB, {commonFrame(a, b.matrix(), preparing), threads_}, preparing);
    const SearchBlock back = travelRing(
        b, std::move(ownB), ranks() - 1,
        [&](std::size_t, SearchBlock& travelling, const JobContext& part) {
            searchBetween(resident, travelling, plan, threads_, part);
        },
        job.part({}, 0.03, 0.99));
    a.requireUnchanged();
    b.requireUnchanged();
    const JobContext gathering = job.part("collecting from all processes", 0.99, 1.0);
    return {gathered(a, resident.found, gathering), gathered(b, back.found, gathering)};
}

std::vector<float> Ring::rowsOfCentres(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                       const JobContext& job) const {
    const auto position = [&](std::size_t row) {
        return static_cast<std::size_t>(std::lower_bound(centres.begin(), centres.end(), row) - centres.begin());
    };
    std::vector<float> rows(centres.size() * set.dim());
    const auto partOf = [&](std::size_t owner) {
        const RowRange held = rowsOf(set, owner);
        const std::size_t first = position(held.first);
        return std::span(rows).subspan(first * set.dim(), (position(held.first + held.count) - first) * set.dim());
    };
    const std::span<float> own = partOf(rank());
    const std::size_t firstOwn = static_cast<std::size_t>(own.data() - rows.data()) / set.dim();
    for (std::size_t c = 0; c < own.size() / set.dim(); ++c) {
        const auto row = set.matrix().row(centres[firstOwn + c] - set.held().first);
        std::copy(row.begin(), row.end(), own.begin() + static_cast<std::ptrdiff_t>(c * set.dim()));
    }
    Messages messages;
    for (std::size_t other = 0; other < ranks(); ++other) {
        if (other == rank())
            continue;
        messages.receiveAll(other, partOf(other));
        messages.sendAll(other, std::span<const float>(own));
    }
    messages.wait(job);
    return rows;
}

std::vector<std::uint32_t> Ring::ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                              std::span<const double> radius, const JobContext& job) const {
    const MatrixView rows = set.matrix();
    const RowRange held = set.held();
    const Frame frame = commonFrame(set, rows, job.part({}, 0.0, 0.05));
    SearchBlock resident{.first = held.first, .rows = rows, .found = {.holding = std::vector(rows.rows, 0U)}};
    const ProductPlan plan = planProducts(resident, resident, {frame, threads_}, job.part({}, 0.05, 0.05));
    constexpr std::size_t kChunk = 4096;
    for (std::size_t first = 0; first < centres.size(); first += kChunk) {
        const auto done = [&](std::size_t at) {
            return 0.05 + 0.95 * static_cast<double>(at) / static_cast<double>(centres.size());
        };
        const std::size_t count = std::min(kChunk, centres.size() - first);
        const JobContext part = job.part({}, done(first), done(first + count));
        const std::vector<float> values = rowsOfCentres(set, centres.subspan(first, count), part);
        const auto radii = radius.subspan(first, count);
        SearchBlock chunk{.rows = {values.data(), count, rows.dim}, .radius = {radii.begin(), radii.end()}};
        searchBetween(resident, chunk, plan, threads_, part);
    }
    // Every ball holds its own centre.
    for (const std::uint32_t centre : centres)
        if (centre >= held.first && centre - held.first < held.count)
            --resident.found.holding[centre - held.first];
    return gathered(set, resident.found.holding, 1, job);
}

template <typename T>
std::vector<T> Ring::gathered(const EmbeddingSet& set, const std::vector<T>& own, std::size_t perRow,
                              const JobContext& job) const {
    if (own.empty())
        return {};
    Messages messages;
    if (rank() > 0) {
        messages.sendAll(0, std::span(own));
        messages.wait(job);
        return {};
    }
    std::vector<T> all(set.rows() * perRow);
    std::copy(own.begin(), own.end(), all.begin());
    for (std::size_t other = 1; other < ranks(); ++other) {
        const RowRange rows = rowsOf(set, other);
        messages.receiveAll(other, std::span(all).subspan(rows.first * perRow, rows.count * perRow));
    }
    messages.wait(job);
    return all;
}

NeighborTable Ring::gathered(const EmbeddingSet& set, const NeighborTable& own, const JobContext& job) const {
    return {own.k, gathered(set, own.index, own.k, job), gathered(set, own.distance, own.k, job)};
}

SideResult Ring::gathered(const EmbeddingSet& set, const SideResult& own, const JobContext& job) const {
    return {gathered(set, own.nearest, job), gathered(set, own.inside, 1, job), gathered(set, own.insideInner, 1, job),
            gathered(set, own.holding, 1, job), gathered(set, own.innerHolding, 1, job)};
}

std::vector<double> Ring::scattered(const EmbeddingSet& set, std::span<const double> all, const JobContext& job) const {
    Messages messages;
    std::vector<double> own(rowsOf(set, rank()).count);
    if (rank() > 0) {
        messages.receiveAll(0, std::span(own));
        messages.wait(job);
        return own;
    }
    std::copy_n(all.begin(), own.size(), own.begin());
    for (std::size_t other = 1; other < ranks(); ++other) {
        const RowRange rows = rowsOf(set, other);
        messages.sendAll(other, all.subspan(rows.first, rows.count));
    }
    messages.wait(job);
    return own;
}

} // namespace assay
