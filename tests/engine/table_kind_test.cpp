#include "engine/external/external_scores.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace assay;

namespace {

/// An audit of models "gan" and "vae", whose real set has features of these names or, without any, of this number.
AuditResult auditOf(const std::vector<std::string>& features, std::size_t dim) {
    EmbeddingParts parts;
    parts.rows = 2;
    parts.dim = dim;
    parts.values = FloatStorage(std::vector<float>(2 * dim));
    parts.source.columnNames = features;
    auto real = std::make_shared<RealAnalysis>();
    real->set = std::make_shared<const EmbeddingSet>(std::move(parts));
    AuditResult audit;
    audit.real = real;
    for (const char* name : {"gan", "vae"}) {
        auto model = std::make_shared<ModelAudit>();
        model->name = name;
        audit.models.push_back(model);
    }
    return audit;
}

} // namespace

class TableKindTest : public QObject {
    Q_OBJECT

private slots:
    void guesses_data();
    void guesses();
    void refusesWhatIsNoFile();
};

void TableKindTest::guesses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("hasNames");
    QTest::addColumn<TableKind>("kind");
    const auto row = [](const char* name, const QByteArray& text, bool hasNames, TableKind kind) {
        QTest::newRow(name) << text << hasNames << kind;
    };
    row("the same features", "id,age,income,job\n1,30,2,cook\n", true, TableKind::Samples);
    row("some are missing", "age,job\n30,cook\n", true, TableKind::Samples);
    row("a feature among the scores", "id,age,confidence\n1,30,0.5\n", true, TableKind::SampleScores);
    row("numbers alone", "1,2,3,4\n5,6,7,8\n", false, TableKind::Samples);
    row("as many columns", "a,b,c,d\n5,6,7,8\n", false, TableKind::Samples);
    row("scores of samples", "id,confidence\nx,0.5\n", false, TableKind::SampleScores);
    row("with models, each for many samples", "model\tid\tconfidence\ngan\tx\t0.5\ngan\ty\t0.7\n", false,
        TableKind::SampleScores);
    row("scores of models", "model;fid\nGAN.npz;3.5\nother;2\n", false, TableKind::ModelScores);
    row("of other models", "model,fid\nbiggan,3.5\n", false, TableKind::SampleScores);
    row("nothing", "", false, TableKind::Samples);
}

void TableKindTest::guesses() {
    QFETCH(QByteArray, text);
    QFETCH(bool, hasNames);
    QFETCH(TableKind, kind);
    const QTemporaryDir folder;
    QFile file(folder.filePath("table.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const std::vector<std::string> features{"age", "income", "job=clerk", "job=cook"};
    const AuditResult audit = auditOf(hasNames ? features : std::vector<std::string>(), 4);
    QCOMPARE(guessTableKind(file.fileName().toStdString(), audit), kind);
}

void TableKindTest::refusesWhatIsNoFile() {
    QVERIFY_THROWS_EXCEPTION(Error, guessTableKind("/nowhere/table.csv", auditOf({}, 4)));
}

ASSAY_TEST(table_kind_test, TableKindTest)
#include "table_kind_test.moc"
