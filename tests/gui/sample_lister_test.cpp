// Rankings of many samples are made in the background.
#include "gui/jobs/sample_lister.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <vector>

using namespace assay;

class SampleListerTest : public QObject {
    Q_OBJECT

private slots:
    void theLastOrderIsShown();
};

void SampleListerTest::theLastOrderIsShown() {
    constexpr std::size_t kRows = 60'000;
    const auto audit = test::hugeAudit(kRows, false);
    SampleSelection selection;
    RankingModel model(&selection);
    SampleLister lister;
    connect(&model, &RankingModel::listingWanted, &lister, &SampleLister::list);
    connect(&lister, &SampleLister::listed, &model, &RankingModel::showListing);
    model.listLater(kRows - 1);
    model.setState({audit, 0, nullptr});
    model.setOrder({"nearest_real_distance", Qt::AscendingOrder});
    model.setOrder({"fidelity", Qt::AscendingOrder});
    model.setGrouping(RankingGrouping::Class);
    QCOMPARE(model.size(), std::size_t{0}); // nothing is waited for
    QVERIFY(model.isListing());
    QTRY_VERIFY(!model.isListing());
    QCOMPARE(model.size(), kRows);
    QCOMPARE(model.groups().size(), std::size_t{3});
    const auto& fidelity = audit->models[0]->column("fidelity");
    for (const RankingGroup& group : model.groups())
        for (std::size_t at = group.first + 1; at < group.first + group.count; ++at)
            QVERIFY(fidelity[model.sampleAt(at - 1).row] <= fidelity[model.sampleAt(at).row]);
}

ASSAY_TEST(sample_lister_test, SampleListerTest)
#include "sample_lister_test.moc"
