#include "engine/cluster/cluster_audit.h"

#include "engine/base/error.h"
#include "engine/neighbors/backends/gemm_search.h"
#include "engine/neighbors/search/query_check.h"

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
class ClusterAudit::Search : public AuditSearch {
public:
    explicit Search(ClusterAudit& cluster) : cluster_(cluster) {}

    std::string_view backend() const override { return GemmSearch(1).name(); }

    NeighborTable selfNeighbors(const EmbeddingSet& set, std::size_t k, const JobContext& job) const override {
        checkSelfQuery({nullptr, set.rows(), set.dim()}, k);
        return together({.task = Task::SelfNeighbors, .setA = cluster_.numberOf(set), .kAToB = k}, job,
                        [&] { return cluster_.ring_.selfNeighbors(cluster_.shareOf(set), k, job); });
    }

    CrossResult cross(const PairQuery& query, const JobContext& job) const override {
        checkCrossQuery({{nullptr, query.real.rows(), query.real.dim()},
                         {nullptr, query.synthetic.rows(), query.synthetic.dim()},
                         query.kRealToSynthetic,
                         query.kSyntheticToReal,
                         query.realRadius,
                         query.realInnerRadius,
                         query.syntheticRadius});
        const Command command{
            .task = Task::Cross,
            .setA = cluster_.numberOf(query.real),
            .setB = cluster_.numberOf(query.synthetic),
            .kAToB = query.kRealToSynthetic,
            .kBToA = query.kSyntheticToReal,
            .balls = {!query.realRadius.empty(), !query.realInnerRadius.empty(), !query.syntheticRadius.empty()}};
        const EmbeddingSet& real = cluster_.shareOf(query.real);
        const EmbeddingSet& synthetic = cluster_.shareOf(query.synthetic);
        const CrossQuery own{real.matrix(),    synthetic.matrix(),    query.kRealToSynthetic, query.kSyntheticToReal,
                             query.realRadius, query.realInnerRadius, query.syntheticRadius};
        return together(command, job, [&] { return cluster_.ring_.cross(real, synthetic, own, command.balls, job); });
    }

    std::vector<std::uint32_t> ballsHolding(const EmbeddingSet& set, std::span<const std::uint32_t> centres,
                                            std::span<const double> radius, const JobContext& job) const override {
        const Command command{.task = Task::BallsHolding, .setA = cluster_.numberOf(set), .centres = centres.size()};
        return together(command, job, [&] {
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
    std::invoke_result_t<Pass> together(const Command& command, const JobContext& job, const Pass& pass) const {
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

AuditSearchMaker ClusterAudit::search() {
    return [this](const EmbeddingSet&, const JobContext&) { return std::make_unique<Search>(*this); };
}

std::uint64_t ClusterAudit::numberOf(const EmbeddingSet& set) const {
    for (const Sets* sets : {&sets_, &whole_})
        for (std::size_t number = 0; number < sets->size(); ++number)
            if ((*sets)[number].get() == &set)
                return number;
    throw Error(ErrorKind::InvalidArgument, set.name() + ": expected one of the sets agreed on, found another");
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
    case Task::SelfNeighbors:
        ring_.selfNeighbors(a, command.kAToB, job);
        return;
    case Task::Cross:
        ring_.cross(a, b, {a.matrix(), b.matrix(), command.kAToB, command.kBToA, {}, {}, {}}, command.balls, job);
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
