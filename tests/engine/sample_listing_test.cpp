// Orders of samples: ties, missing values, ids as people read them, decisions.
#include "engine/audit/result/audit_result.h"
#include "engine/subsets/order/sample_listing.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace assay;

namespace {

using Rows = std::vector<std::uint32_t>;

/// An audit of one model with this column "pce".
std::shared_ptr<const AuditResult> auditOf(std::vector<double> pce, std::vector<std::string> ids = {}) {
    const auto setOf = [](std::size_t rows, std::vector<std::string> names) {
        EmbeddingParts parts = EmbeddingParts::of(std::vector<float>(rows, 0.0F), 1, "set");
        parts.ids = std::move(names);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    auto real = std::make_shared<RealAnalysis>();
    real->set = setOf(3, {});
    auto model = std::make_shared<ModelAudit>();
    model->set = setOf(pce.size(), std::move(ids));
    model->columns.push_back({"pce", std::move(pce)});
    auto audit = std::make_shared<AuditResult>();
    audit->real = real;
    audit->models = {model};
    return audit;
}

ListingRequest requestOf(std::shared_ptr<const AuditResult> audit, const char* column,
                         SortDirection direction = SortDirection::Ascending) {
    ListingRequest request{std::move(audit)};
    request.order.column = column;
    request.order.direction = direction;
    return request;
}

} // namespace

class SampleListingTest : public QObject {
    Q_OBJECT

private slots:
    void ordersWithTiesByRowAndMissingLast_data();
    void ordersWithTiesByRowAndMissingLast();
    void ordersIdsNaturally();
    void listsByDecision();
};

void SampleListingTest::ordersWithTiesByRowAndMissingLast_data() {
    QTest::addColumn<SortDirection>("direction");
    QTest::addColumn<Rows>("rows");
    // pce: 1, nan, 3, 1, inf, -inf, nan, 2
    QTest::newRow("descending") << SortDirection::Descending << Rows{4, 2, 7, 0, 3, 5, 1, 6};
    QTest::newRow("ascending") << SortDirection::Ascending << Rows{5, 0, 3, 7, 2, 4, 1, 6};
}

void SampleListingTest::ordersWithTiesByRowAndMissingLast() {
    QFETCH(SortDirection, direction);
    QFETCH(Rows, rows);
    const double nan = std::nan("");
    const double inf = std::numeric_limits<double>::infinity();
    const auto listing = listSamples(requestOf(auditOf({1, nan, 3, 1, inf, -inf, nan, 2}), "pce", direction));
    QCOMPARE(listing->shown, rows);
    for (std::size_t at = 0; at < rows.size(); ++at)
        QCOMPARE(listing->positions[rows[at]], static_cast<std::int32_t>(at));
}

void SampleListingTest::ordersIdsNaturally() {
    const auto audit = auditOf({0, 0, 0, 0, 0}, {"img-10", "img-9", "img-2b", "img-2", "img-010"});
    QCOMPARE(listSamples(requestOf(audit, "id"))->shown, (Rows{3, 2, 1, 0, 4}));
}

void SampleListingTest::listsByDecision() {
    ListingRequest request = requestOf(auditOf({5, 4, 3, 2, 1}), "kept");
    const SetId set = syntheticSet(0);
    request.said.kept = std::make_shared<const std::vector<bool>>(std::vector<bool>{true, false, true, true, false});
    request.said.rejectedByHand = std::make_shared<const Rows>(Rows{4});
    request.said.accepted = std::make_shared<const SampleSet>(SampleSet{{set, 0}});
    request.said.unsure = std::make_shared<const SampleSet>(SampleSet{{set, 3}});
    QCOMPARE(listSamples(request)->shown, (Rows{4, 1, 3, 2, 0}));
    request.show = RankingShow::Reviewed;
    QCOMPARE(listSamples(request)->shown, (Rows{4, 3, 0}));
    request.show = RankingShow::Rejected;
    request.shown = std::make_shared<const SampleSet>(SampleSet{{set, 1}, {set, 2}});
    QCOMPARE(listSamples(request)->shown, (Rows{1}));
    QVERIFY(!canGroupBy(RankingGrouping::Class, *request.audit, 0, Side::Synthetic));
    QVERIFY(columnOfSide(*request.audit, 0, "pce", Side::Real) == nullptr);
}

ASSAY_TEST(sample_listing_test, SampleListingTest)
#include "sample_listing_test.moc"
