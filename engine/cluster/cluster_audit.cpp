#include "engine/cluster/cluster_audit.h"

#include "engine/base/error.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace assay {
namespace {

/// Outcome of reading on one rank.
struct Report {
    std::int32_t exitCode = 0;
    std::uint32_t sets = 0;
    std::uint64_t shape = 0; ///< a digest of all rows and columns
    std::array<char, 2048> message{};
};

Report reportOf(const JobOutcome& outcome, const ClusterAudit::Sets& sets, const std::string& who) {
    Report report;
    report.exitCode = outcome.exitCode;
    report.sets = static_cast<std::uint32_t>(sets.size());
    for (const auto& set : sets)
        report.shape = report.shape * 1'000'003 + set->rows() * 4099 + set->dim();
    const std::string text = outcome.exitCode == 0 ? who : who + ": " + outcome.message;
    std::copy_n(text.data(), std::min(text.size(), report.message.size() - 1), report.message.data());
    return report;
}

/// The first failure; otherwise the first rank whose sets have another shape than those of rank 0.
JobOutcome commonOutcome(const std::vector<Report>& reports) {
    for (const Report& report : reports)
        if (report.exitCode != 0)
            return {report.exitCode, report.message.data()};
    constexpr int kBadInput = 3;
    for (const Report& report : reports)
        if (report.sets != reports[0].sets || report.shape != reports[0].shape)
            return {kBadInput, std::string(report.message.data()) +
                                   ": expected the same files as on rank 0, found others: sets of another size"};
    return {};
}

} // namespace

/// Runs each pass on all ranks; used on rank 0.
class ClusterAudit::Search : public NeighborSearch {
public:
    explicit Search(ClusterAudit& cluster) : cluster_(cluster) {}

    std::string_view name() const override { return GemmSearch(1).name(); }
    bool isShared() const override { return true; }

    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        const EmbeddingSet& share = cluster_.shareOf(set);
        requireNeighbors(share.rows(), k);
        return onAllRanks({.task = Task::Within, .setA = cluster_.numberOf(set), .a = {.k = k}}, job,
                          [&] { return cluster_.ring_.within(share, k, job); });
    }

    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        const EmbeddingSet& shareOfA = cluster_.shareOf(a.rows);
        const EmbeddingSet& shareOfB = cluster_.shareOf(b.rows);
        const auto whole = [](const EmbeddingSet& share, SideQuery side) {
            side.rows = {nullptr, share.rows(), share.dim()};
            return side;
        };
        requireSides(whole(shareOfA, a), whole(shareOfB, b));
        const RingSides sides{RingSide::of(a), RingSide::of(b)};
        const Command command{.task = Task::Between,
                              .setA = cluster_.numberOf(a.rows),
                              .setB = cluster_.numberOf(b.rows),
                              .a = WantedOfSide::of(sides.a),
                              .b = WantedOfSide::of(sides.b)};
        return onAllRanks(command, job, [&] { return cluster_.ring_.between(shareOfA, shareOfB, sides, job); });
    }

    std::vector<std::uint32_t> ballsHolding(MatrixView set, std::span<const std::uint32_t> centres,
                                            std::span<const double> radius, const JobContext& job) const override {
        const Command command{.task = Task::BallsHolding, .setA = cluster_.numberOf(set), .centres = centres.size()};
        return onAllRanks(command, job, [&] {
            Messages messages;
            for (std::size_t other = 1; other < cluster_.communicator_.ranks(); ++other) {
                messages.sendAll(other, centres);
                messages.sendAll(other, radius);
            }
            messages.wait(job);
            return cluster_.ring_.ballsHolding(cluster_.shareOf(set), centres, radius, job);
        });
    }

private:
    template <typename Pass>
    std::invoke_result_t<Pass> onAllRanks(const Command& command, const JobContext& job, const Pass& pass) const {
        cluster_.inPass_ = true;
        cluster_.command(command, job);
        auto result = pass();
        cluster_.inPass_ = false;
        return result;
    }

    ClusterAudit& cluster_;
};

JobOutcome ClusterAudit::agree(const JobOutcome& own, const Sets& sets, const JobContext& job) {
    sets_ = sets;
    const std::size_t ranks = communicator_.ranks();
    std::vector<Report> reports(ranks);
    reports[0] = reportOf(own, sets, communicator_.description());
    Messages messages;
    std::int32_t exitCode = 0;
    if (communicator_.rank() > 0) {
        messages.sendAll(0, std::span(&reports[0], 1));
        messages.receiveAll(0, std::span(&exitCode, 1));
        messages.wait(job);
        return {exitCode, {}};
    }
    for (std::size_t other = 1; other < ranks; ++other)
        messages.receiveAll(other, std::span(&reports[other], 1));
    messages.wait(job);
    JobOutcome outcome = commonOutcome(reports);
    exitCode = outcome.exitCode;
    for (std::size_t other = 1; other < ranks; ++other)
        messages.sendAll(other, std::span(&exitCode, 1));
    messages.wait(job);
    return outcome;
}

decltype(AuditOptions::search) ClusterAudit::search() {
    return [this](MatrixView, const JobContext&) { return std::make_unique<Search>(*this); };
}

std::uint64_t ClusterAudit::numberOf(MatrixView rows) const {
    for (const Sets* sets : {&sets_, &whole_})
        for (std::size_t number = 0; number < sets->size(); ++number)
            if ((*sets)[number]->matrix().data == rows.data)
                return number;
    throw Error(ErrorKind::InvalidArgument, "a search of several processes: expected one of the sets agreed on");
}

void ClusterAudit::command(const Command& command, const JobContext& job) {
    Messages messages;
    for (std::size_t other = 1; other < communicator_.ranks(); ++other)
        messages.sendAll(other, std::span(&command, 1));
    messages.wait(job);
}

void ClusterAudit::dismiss(int exitCode, const JobContext& job) {
    command({.task = Task::Dismissed, .exitCode = exitCode}, job);
}

int ClusterAudit::serve(const JobContext& job) {
    for (;;) {
        Command command;
        Messages messages;
        messages.receiveAll(0, std::span(&command, 1));
        messages.wait(job);
        if (command.task == Task::Dismissed)
            return command.exitCode;
        execute(command, job);
    }
}

void ClusterAudit::execute(const Command& command, const JobContext& job) const {
    const EmbeddingSet& a = *sets_[command.setA];
    const EmbeddingSet& b = *sets_[command.setB];
    switch (command.task) {
    case Task::Within:
        ring_.within(a, command.a.k, job);
        return;
    case Task::Between:
        ring_.between(a, b, {command.a.side(), command.b.side()}, job);
        return;
    case Task::BallsHolding: {
        std::vector<std::uint32_t> centres(command.centres);
        std::vector<double> radius(command.centres);
        Messages messages;
        messages.receiveAll(0, std::span(centres));
        messages.receiveAll(0, std::span(radius));
        messages.wait(job);
        ring_.ballsHolding(a, centres, radius, job);
        return;
    }
    case Task::Dismissed:
        return;
    }
}

} // namespace assay
