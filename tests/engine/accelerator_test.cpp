// What an audit asks the graphics card for that its search chose.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

namespace {

struct Calls {
    int gram = 0;
    std::vector<MatrixView> sets;
};

/// Products in double precision by the CPU, or nothing at all.
class FakeCard : public GramAccelerator {
public:
    FakeCard(Calls& calls, bool declines) : calls_(calls), declines_(declines) {}

    std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean, std::span<const double> scale,
                                     const JobContext& job) const override {
        ++calls_.gram;
        calls_.sets.push_back(set);
        if (declines_)
            return std::nullopt;
        return gramOf(columnsOf(set, mean, scale), 1, job);
    }

private:
    Calls& calls_;
    bool declines_;
};

/// The CPU's search with a card beside it.
class SearchWithCard : public NeighborSearch {
public:
    SearchWithCard(std::unique_ptr<NeighborSearch> search, Calls& calls, bool declines)
        : search_(std::move(search)), card_(calls, declines), calls_(calls) {}

    std::string_view name() const override { return search_->name(); }
    std::string hardware() const override { return "asked " + std::to_string(calls_.gram); }
    const Accelerator* accelerator() const override { return &card_; }
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override {
        return search_->within(set, k, job);
    }
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override {
        return search_->between(a, b, job);
    }

private:
    std::unique_ptr<NeighborSearch> search_;
    FakeCard card_;
    Calls& calls_;
};

AuditRequest requestOf() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(90, 7, 1), "real");
    request.models = {{"gan", test::asSet(test::gaussian(80, 7, 2, 0.1F), "gan")}};
    return request;
}

AuditRequest withCard(AuditRequest request, Calls& calls, bool declines) {
    request.options.search = [&calls, declines](MatrixView set, const JobContext& job) {
        return std::make_unique<SearchWithCard>(makeCpuSearch(BackendChoice::KdTree, set, 0, job), calls, declines);
    };
    return request;
}

double metricOf(const AuditResult& result, const std::string& id) {
    for (const auto& metric : result.models.front()->metrics)
        if (metric.id == id)
            return metric.value;
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class AcceleratorTest : public QObject {
    Q_OBJECT

private slots:
    void isAskedForProducts();
    void decliningLeavesTheCpusResults();
};

void AcceleratorTest::isAskedForProducts() {
    Calls calls;
    const AuditRequest request = withCard(requestOf(), calls, false);
    const auto result = runAudit(request);
    // The covariance and the similarities of either set.
    QCOMPARE(calls.gram, 4);
    QCOMPARE(calls.sets.front().data, request.real->matrix().data);
    QCOMPARE(calls.sets.back().data, request.models.front().set->matrix().data);
    // Said after all of it, so that it tells where the CPU had to take over.
    QCOMPARE(result->described->hardware, std::string("asked 2"));
    QCOMPARE(result->models.front()->hardware, std::string("asked 4"));
}

void AcceleratorTest::decliningLeavesTheCpusResults() {
    Calls calls;
    const auto declined = runAudit(withCard(requestOf(), calls, true));
    QCOMPARE(calls.gram, 4);
    const auto onCpu = runAudit(requestOf());
    for (const std::string id : {"frechet_distance", "vendi_score", "vendi_score_real"}) {
        QVERIFY(std::isfinite(metricOf(*onCpu, id)));
        QCOMPARE(metricOf(*declined, id), metricOf(*onCpu, id));
    }
}

ASSAY_TEST(accelerator_test, AcceleratorTest)
#include "accelerator_test.moc"
