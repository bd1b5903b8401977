// What the fields of a table become: dates, truth values, missing values, and which columns are features at all.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/io/tables/table_fields.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

struct Sets {
    std::shared_ptr<const EmbeddingSet> real, model;
};

/// Reads two tables as an audit does.
Sets readBoth(const QByteArray& real, const QByteArray& model, PreparationChoice choice = {}) {
    const InputFolder folder;
    folder.writeBytes("real.csv", real);
    folder.writeBytes("model.csv", model);
    const SetFiles files{folder.path("real.csv").toStdString()};
    const SetFiles others{folder.path("model.csv").toStdString()};
    if (!choice.scaling)
        choice.scaling = Scaling::None;
    ReadOptions options;
    options.choice = completedChoice(choice, {files, others}, {});
    Sets sets;
    sets.real = readSet(files, {}, options);
    options.preparation = sets.real->preparation();
    sets.model = readSet(others, {}, options);
    return sets;
}

std::vector<float> valuesIn(const EmbeddingSet& set) {
    return {set.matrix().data, set.matrix().data + set.rows() * set.dim()};
}

QString notesOf(const EmbeddingSet& set) {
    QString all;
    for (const std::string& note : set.source().notes)
        all += QString::fromStdString(note) + "\n";
    return all;
}

QJsonObject outputOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

/// Rows of normal numbers; where(row, column) writes other fields.
template <typename Field>
QByteArray table(const QByteArray& header, int rows, std::uint32_t seed, const Field& where) {
    const Matrix matrix = gaussian(static_cast<std::size_t>(rows), 4, seed);
    QByteArray text = header + "\n";
    const auto columns = static_cast<int>(header.count(',')) + 1;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const QByteArray other = where(row, column);
            const auto at = static_cast<std::size_t>(4 * row + column % 4);
            text +=
                (other == "?" ? QByteArray::number(matrix.values[at]) : other) + (column + 1 < columns ? "," : "\n");
        }
    return text;
}

} // namespace

class TableValuesTest : public QObject {
    Q_OBJECT

private slots:
    void readsDates_data();
    void readsDates();
    void refusesWhatIsNoDate_data();
    void refusesWhatIsNoDate();
    void datesAreDaysSinceTheEarliestOfTheRealSet_data();
    void datesAreDaysSinceTheEarliestOfTheRealSet();
    void aModelsDatesAreReadInItsOwnOrder();
    void datesThatMayBeReadTwoWaysAreRefused();
    void truthsAreOneAndZero();
    void missingValuesAreFilledByDefault_data();
    void missingValuesAreFilledByDefault();
    void textIsTakenUnasked();
    void missingValuesAreIndicated();
    void whatOnlyAModelLacksIsIndicatedToo();
    void missingTextIsOneCategory();
    void missingValuesFarFromZeroKeepTheirOffset();
    void missingValuesAreRecorded();
    void aColumnWithoutValuesIsRefused();
    void otherColumnsAreRefusedByName_data();
    void otherColumnsAreRefusedByName();
    void columnsAreIgnoredOnAnySide();
    void columnsAreTakenAsSaid();
    void whatWasSaidOfColumnsIsRecorded();
    void refusesWhatColumnsDoNotHold_data();
    void refusesWhatColumnsDoNotHold();
    void tablesAreStandardisedAndSaySo();
    void rowNumbersAreNoFeatures_data();
    void rowNumbersAreNoFeatures();
    void rowNumbersOfOneFileCountForAll();
    void featuresAreNotTakenForRowNumbers_data();
    void featuresAreNotTakenForRowNumbers();
};

void TableValuesTest::readsDates_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("order");
    QTest::addColumn<double>("days");
    const auto row = [](const char* text, DateOrder order, double days) {
        QTest::newRow(text) << QByteArray(text) << static_cast<int>(order) << days;
    };
    constexpr double kDay = 18901.0; // 2021-10-01
    row("2021-10-01", DateOrder::YearFirst, kDay);
    row("2021/10/1", DateOrder::YearFirst, kDay);
    row("2021.10.01", DateOrder::YearFirst, kDay);
    row("2021-10", DateOrder::YearFirst, kDay);
    row("01.10.2021", DateOrder::DayFirst, kDay);
    row("1/10/2021", DateOrder::DayFirst, kDay);
    row("10/1/2021", DateOrder::MonthFirst, kDay);
    row("1 Oct 2021", DateOrder::DayFirst, kDay);
    row("01-Oct-2021", DateOrder::YearFirst, kDay);
    row("October 1, 2021", DateOrder::MonthFirst, kDay);
    row("1970-01-01", DateOrder::YearFirst, 0.0);
    row("1969-12-31", DateOrder::YearFirst, -1.0);
    row("2020-02-29", DateOrder::YearFirst, 18321.0);
    row("2021-10-01 12:00", DateOrder::YearFirst, kDay + 0.5);
    row("2021-10-01T06:00:00Z", DateOrder::YearFirst, kDay + 0.25);
    row("2021-10-01T02:00:00+02:00", DateOrder::YearFirst, kDay);
    row("2021-10-01 00:00:00.000 -0600", DateOrder::YearFirst, kDay + 0.25);
    row("10/1/2021 6:00 PM", DateOrder::MonthFirst, kDay + 0.75);
    row("06:00", DateOrder::YearFirst, 0.25);
    row("12:00:00 AM", DateOrder::YearFirst, 0.0);
}

void TableValuesTest::readsDates() {
    QFETCH(const QByteArray, text);
    QFETCH(const int, order);
    QFETCH(const double, days);
    const std::string field = text.toStdString();
    QVERIFY((dateOrdersOf(field) & only(static_cast<DateOrder>(order))) != 0);
    const auto found = daysOf(field, static_cast<DateOrder>(order));
    QVERIFY(found.has_value());
    QCOMPARE(*found, days);
}

void TableValuesTest::refusesWhatIsNoDate_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "2021", "20211001", "2021-13-01", "2021-02-29", "2021-10-01x", "31/31/2021", "1-2",
                             "192.168.0.1", "25:00", "12:60", "May", "3 cats 2021", "2021-10-01 at noon", "2021--01-01",
                             "1.10.21", "12345-67-89", "10:00:00 XX"})
        QTest::newRow(text) << QByteArray(text);
}

void TableValuesTest::refusesWhatIsNoDate() {
    QFETCH(const QByteArray, text);
    QCOMPARE(static_cast<int>(dateOrdersOf(text.toStdString())), 0);
}

void TableValuesTest::datesAreDaysSinceTheEarliestOfTheRealSet_data() {
    QTest::addColumn<QByteArray>("real");
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QString>("earliest");
    QTest::newRow("dates") << QByteArray("x,day\n1,2021-03-05\n2,2021-03-01\n3,2021-04-01\n")
                           << QByteArray("day,x\n2021-02-28,4\n2021-03-02,5\n") << QStringLiteral("2021-03-01");
    QTest::newRow("German dates") << QByteArray("x;day\n1;05.03.2021\n2;01.03.2021\n3;01.04.2021\n")
                                  << QByteArray("day;x\n28.02.2021;4\n02.03.2021;5\n") << QStringLiteral("2021-03-01");
    QTest::newRow("without names") << QByteArray("1,2021-03-05\n2,2021-03-01\n3,2021-04-01\n")
                                   << QByteArray("4,2021-02-28\n5,2021-03-02\n") << QStringLiteral("2021-03-01");
}

void TableValuesTest::datesAreDaysSinceTheEarliestOfTheRealSet() {
    QFETCH(const QByteArray, real);
    QFETCH(const QByteArray, model);
    QFETCH(const QString, earliest);
    const Sets sets = readBoth(real, model);
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 4, 2, 0, 3, 31}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{4, -1, 5, 1}));
    QVERIFY(saysAll(notesOf(*sets.real), "taken as days since the earliest, " + earliest));
    QVERIFY(saysAll(QString::fromStdString(sets.real->preparation()->text()), "Dates (1 column) became days"));
}

void TableValuesTest::aModelsDatesAreReadInItsOwnOrder() {
    const Sets sets = readBoth("x,day\n1,01/13/2021\n2,01/02/2021\n", "x,day\n1,14/01/2021\n2,03/02/2021\n");
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 11, 2, 0}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{1, 12, 2, 32}));
    // One that may be either is read as the real set's.
    const Sets either = readBoth("x,day\n1,01/13/2021\n2,01/02/2021\n", "x,day\n1,01/03/2021\n");
    QCOMPARE(valuesIn(*either.model), (std::vector<float>{1, 1}));
}

void TableValuesTest::datesThatMayBeReadTwoWaysAreRefused() {
    QVERIFY(saysAll(refusalOf([] { readBoth("x,day\n1,01/02/2021\n2,03/04/2021\n", "x,day\n1,01/02/2021\n"); }),
                    "real.csv, column 2 ('day')|which number is the month|write them as 2021-10-31"));
    QVERIFY(saysAll(refusalOf([] { readBoth("x,day\n1,13/02/2021\n2,03/14/2021\n", "x,day\n1,01/02/2021\n"); }),
                    "real.csv, column 2 ('day')|dates of one form"));
    QVERIFY(saysAll(refusalOf([] { readBoth("x,day\n1,2021-02-03\n2,2021-02-04\n", "x,day\n1,soon\n"); }),
                    "model.csv, line 2, column 2 ('day')|expected a date|'soon'"));
}

void TableValuesTest::truthsAreOneAndZero() {
    const Sets sets = readBoth("a,b\nTrue,1\nfalse,2\nTRUE,3\n", "a,b\n0,1\ntrue,2\n", {.oneHot = true});
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 1, 0, 2, 1, 3}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{0, 1, 1, 2}));
}

void TableValuesTest::missingValuesAreFilledByDefault_data() {
    QTest::addColumn<QByteArray>("field");
    for (const char* field : {"", "NA", "NaN", "nan", "null", "None", "N/A", "NaT", "<NA>"})
        QTest::newRow(field) << QByteArray(field);
}

void TableValuesTest::missingValuesAreFilledByDefault() {
    QFETCH(const QByteArray, field);
    const QByteArray real = "a,b\n1,2\n3," + field + "\n5,6\n";
    const QByteArray model = "a,b\n1,2\n";
    QVERIFY(saysAll(refusalOf([&] { readBoth(real, model, {.fillsGaps = false}); }),
                    "real.csv, line 3, column 2 ('b')|--missing drop|--missing indicate"));
    const std::vector<float> filled{1, 2, 0, 3, 4, 1, 5, 6, 0};
    QCOMPARE(valuesIn(*readBoth(real, model).real), filled);
    QCOMPARE(valuesIn(*readBoth(model, real).real), (std::vector<float>{1, 2, 0})); // a gap of the model alone
    // Of an embedding there is nothing to fill in.
    QVERIFY(!refusalOf([&] { readBoth("0,1\n0.5,2\n3," + field + "\n5,6\n", "0,1\n0.5,2\n"); }).isEmpty());
    QCOMPARE(valuesIn(*readBoth(real, model, {.missing = Missing::Drop}).real), (std::vector<float>{1, 2, 5, 6}));
    QCOMPARE(valuesIn(*readBoth(real, model, {.missing = Missing::Indicate}).real), filled);
}

void TableValuesTest::textIsTakenUnasked() {
    QByteArray real = "name,kind,mixed,x\n";
    for (int row = 0; row < 60; ++row) {
        const QByteArray number = QByteArray::number(row % 7 + 0.5);
        const QByteArray mixed = row % 3 == 0 ? "many" : QByteArray::number(row % 4);
        real += "Ms " + QByteArray::number(row) + "," + (row % 2 == 0 ? "a" : "b") + "," + mixed + "," + number + "\n";
    }
    const Sets sets = readBoth(real, real);
    QCOMPARE(sets.real->source().columnNames,
             (std::vector<std::string>{"x", "kind=a", "kind=b", "kind=(other)", "mixed=0", "mixed=1", "mixed=2",
                                       "mixed=3", "mixed=many", "mixed=(other)"}));
    QVERIFY(saysAll(notesOf(*sets.real), "column 1 ('name') left out: it is text with more than 50 different values|"
                                         "text taken as categories: 'kind' (2), 'mixed' (5)"));
    QVERIFY(saysAll(notesOf(*sets.model), "column 1 ('name') left out"));
    QCOMPARE(valuesIn(*sets.model), valuesIn(*sets.real));
    // A few other fields among numbers are no categories.
    QByteArray numbers = "x,y\n";
    for (int row = 0; row < 60; ++row)
        numbers += QByteArray::number(row % 7 + 0.5) + "," + (row == 3 ? "?" : QByteArray::number(row % 9)) + "\n";
    QVERIFY(saysAll(refusalOf([&] { readBoth(numbers, numbers); }), "real.csv, line 5, column 2 ('y')|'?'"));
}

void TableValuesTest::missingValuesAreIndicated() {
    const Sets sets =
        readBoth("a,b,c\n1,10,7\n,20,7\n3,,7\n8,40,7\n", "c,a,b\n7,,1\n9,2,\n", {.missing = Missing::Indicate});
    // Medians of the real set: 3 and 20; the 0-1 columns of a and b come last.
    QCOMPARE(valuesIn(*sets.real),
             (std::vector<float>{1, 10, 7, 0, 0, 3, 20, 7, 1, 0, 3, 20, 7, 0, 1, 8, 40, 7, 0, 0}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{3, 1, 7, 1, 0, 2, 20, 9, 0, 1}));
    QCOMPARE(sets.real->source().columnNames, (std::vector<std::string>{"a", "b", "c", "a=(missing)", "b=(missing)"}));
    QCOMPARE(sets.model->source().columnNames, sets.real->source().columnNames);
    QVERIFY(saysAll(notesOf(*sets.real), "real.csv: 2 missing values filled|'a', 'b'"));
    QVERIFY(saysAll(notesOf(*sets.model), "model.csv: 2 missing values filled"));
    // 0-1 columns keep their unit when the others are standardised.
    const Sets scaled =
        readBoth("a,b\n1,1\n,2\n3,4\n", "a,b\n,1\n", {.scaling = Scaling::ZScore, .missing = Missing::Indicate});
    QCOMPARE(valuesIn(*scaled.model)[2], 1.0F);
    QCOMPARE(valuesIn(*scaled.real)[2], 0.0F);
}

void TableValuesTest::whatOnlyAModelLacksIsIndicatedToo() {
    const Sets sets = readBoth("a,b\n1,2\n3,4\n5,9\n", "b,a\n,7\n8,9\n", {.missing = Missing::Indicate});
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 2, 0, 3, 4, 0, 5, 9, 0}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{7, 4, 1, 9, 8, 0}));
    const Sets unnamed = readBoth("1.5,2.5\n3.5,4.5\n5.5,9.5\n", "1.5,\n2.5,3.5\n", {.missing = Missing::Indicate});
    QCOMPARE(valuesIn(*unnamed.model), (std::vector<float>{1.5F, 4.5F, 1, 2.5F, 3.5F, 0}));
    // A model that is added later finds the columns as they are.
    const InputFolder folder;
    folder.writeBytes("late.csv", "a,b\n,1\n");
    ReadOptions options;
    options.preparation = sets.real->preparation();
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(folder.path("late.csv").toStdString(), {}, options); }),
                    "late.csv|column 1 of the features ('a')|no missing values|found 1"));
}

void TableValuesTest::missingTextIsOneCategory() {
    const Sets sets =
        readBoth("a,b\n1,x\n2,\n3,NA\n", "a,b\n1,null\n2,x\n", {.missing = Missing::Indicate, .oneHot = true});
    QCOMPARE(sets.real->source().columnNames, (std::vector<std::string>{"a", "b=(missing)", "b=x", "b=(other)"}));
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 0, 1, 0, 2, 1, 0, 0, 3, 1, 0, 0}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{1, 1, 0, 0, 2, 0, 1, 0}));
}

void TableValuesTest::missingValuesFarFromZeroKeepTheirOffset() {
    // float32 has steps of 1/16 here, so an offset is taken before values are rounded.
    QByteArray real = "x,y\n";
    for (int i = 0; i < 20; ++i)
        real += (i == 3 ? QByteArray() : QByteArray::number(1e6 + 0.01 * i, 'f', 2)) + "," + QByteArray::number(i % 3) +
                "\n";
    const Sets sets = readBoth(real, "x,y\n1000000.05,1\n,2\n", {.missing = Missing::Indicate});
    const std::vector<float> values = valuesIn(*sets.real);
    QCOMPARE(sets.real->dim(), std::size_t{3});
    const float step = values[3 * 6] - values[3 * 5];
    QVERIFY(std::abs(step - 0.01F) < 1e-4F);
    // The median of the others is that of row 10.
    QVERIFY(std::abs(values[3 * 3] - values[3 * 10]) < 1e-3F);
    QVERIFY(std::abs(valuesIn(*sets.model)[0] - values[3 * 5]) < 1e-4F);
    QCOMPARE(valuesIn(*sets.model)[3], values[3 * 3]);
}

void TableValuesTest::missingValuesAreRecorded() {
    const InputFolder folder;
    const auto some = [](int row, int column) { return (row + column) % 9 == 0 ? QByteArray() : QByteArray("?"); };
    const auto days = [&](int row, int column) {
        return column == 3 ? "2021-0" + QByteArray::number(1 + row % 9) + "-11" : some(row, column);
    };
    folder.writeBytes("real.csv", table("a,b,c,day", 80, 1, days));
    folder.writeBytes("model.csv", table("a,b,c,day", 70, 2, days));
    folder.writeBytes("held.csv", table("a,b,c,day", 60, 3, days));
    const QString file = folder.path("a.assay");
    const Run run = score({"--real", folder.path("real.csv"), "--synthetic", folder.path("model.csv"), "--held-out",
                           folder.path("held.csv"), "--missing", "indicate", "--out", file, "--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject preparation = outputOf(run)["preparation"].toObject();
    QCOMPARE(preparation["missing"].toString(), QStringLiteral("indicate"));
    QCOMPARE(preparation["filled"].toArray().size(), 3);
    QCOMPARE(preparation["dates"].toArray().size(), 1);
    QCOMPARE(preparation["columns"].toInt(), 7);
    const Run replayed = score({"--replay", file});
    QVERIFY2(replayed.exitCode == 0, replayed.out + replayed.err);
    const Run opened = score({"--open", file, "--synthetic", "again=" + folder.path("model.csv"), "--json", "-"});
    QVERIFY2(opened.exitCode == 0, opened.err);
    QCOMPARE(outputOf(opened)["preparation"], outputOf(run)["preparation"]);
    QCOMPARE(score({"--open", file, "--missing", "drop"}).exitCode, 2);
    QCOMPARE(score({"--real", folder.path("real.csv"), "--synthetic", folder.path("model.csv"), "--missing", "guess"})
                 .exitCode,
             2);
}

void TableValuesTest::aColumnWithoutValuesIsRefused() {
    QVERIFY(saysAll(refusalOf([] { readBoth("a,b\n1,\n2,\n", "a,b\n1,2\n", {.missing = Missing::Indicate}); }),
                    "real.csv, column 2 of the features ('b')|at least one value in the real set|--ignore-columns"));
}

void TableValuesTest::otherColumnsAreRefusedByName_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QString>("says");
    QTest::newRow("too many") << QByteArray("a,b,c,d\n1,2,3,4\n") << "a column too many: 'd'|--ignore-columns";
    QTest::newRow("missing") << QByteArray("a,c\n1,2\n") << "no column 'b'";
    QTest::newRow("both") << QByteArray("a,c,d,e\n1,2,3,4\n") << "no column 'b', and columns too many: 'd', 'e'";
    QTest::newRow("another name") << QByteArray("a,B,c\n1,2,3\n") << "no column 'b', and a column too many: 'B'";
}

void TableValuesTest::otherColumnsAreRefusedByName() {
    QFETCH(const QByteArray, model);
    QFETCH(const QString, says);
    QVERIFY(saysAll(refusalOf([&] { readBoth("a,b,c\n1,2,3\n4,5,6\n", model); }),
                    "model.csv, line 1|expected the columns of the real set|" + says));
}

void TableValuesTest::columnsAreIgnoredOnAnySide() {
    const Sets sets = readBoth("a,city,b\n1,x,2\n3,y,4\n", "a,b,note\n5,6,z\n", {.ignoredColumns = {"city", "note"}});
    QCOMPARE(valuesIn(*sets.real), (std::vector<float>{1, 2, 3, 4}));
    QCOMPARE(valuesIn(*sets.model), (std::vector<float>{5, 6}));
    QVERIFY(saysAll(notesOf(*sets.model), "column 3 ('note') left out"));
    const Sets unnamed = readBoth("1.5,2.5,3.5\n4.5,5.5,6.5\n", "7.5,8.5,9.5\n", {.ignoredColumns = {"2"}});
    QCOMPARE(valuesIn(*unnamed.model), (std::vector<float>{7.5F, 9.5F}));
    QVERIFY(saysAll(refusalOf([] { readBoth("a,b\n1,2\n", "a,b\n1,2\n", {.ignoredColumns = {"c"}}); }),
                    "--ignore-columns|'c'|there are 'a', 'b'"));
}

namespace {

/// Columns whose names and values mislead.
const QByteArray kMisleading = "label,zip,code,target,born\n1.5,10115,7,2,2021-10-31\n2.5,20095,9,2,2021-11-01\n"
                               "3.5,10115,8,4,2021-11-03\n4.5,10115,6,4,2021-11-03\n";

} // namespace

void TableValuesTest::columnsAreTakenAsSaid() {
    const Sets sets = readBoth(kMisleading, kMisleading + "5.5,80331,5,4,2021-11-02\n",
                               {.columnKinds = {{"born", ColumnKind::Category},
                                                {"code", ColumnKind::Id},
                                                {"label", ColumnKind::Number},
                                                {"target", ColumnKind::Number},
                                                {"zip", ColumnKind::Category}}});
    QVERIFY(!sets.real->hasLabels());
    QCOMPARE(sets.real->idText(2), std::string("8"));
    // Numbers, two codes and others, three days and others.
    QCOMPARE(sets.real->dim(), std::size_t{2 + 3 + 4});
    const std::vector<float> values = valuesIn(*sets.model);
    QCOMPARE(std::vector<float>(values.end() - 9, values.end()),
             (std::vector<float>{5.5F, 4.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F}));
    // By numbers where there are no names.
    const Sets unnamed = readBoth("1.5,2.5,1\n4.5,5.5,2\n7.5,8.5,1\n", "1.5,2.5,1\n4.5,5.5,2\n",
                                  {.columnKinds = {{"3", ColumnKind::Label}}});
    QCOMPARE(unnamed.real->dim(), std::size_t{2});
    QCOMPARE(unnamed.model->labelText(1), std::string("2"));
}

void TableValuesTest::whatWasSaidOfColumnsIsRecorded() {
    const InputFolder folder;
    folder.writeBytes("real.csv", table("zip,a=b,c", 60, 1, [](int row, int column) {
                          return column == 0 ? QByteArray(row % 2 == 0 ? "10115" : "20095") : QByteArray("?");
                      }));
    const QString file = folder.path("audit.assay");
    const Run run =
        score({"--real", folder.path("real.csv"), "--synthetic", "m=" + folder.path("real.csv"), "--columns",
               "zip=category", "a=b=left-out", "--out", file, "--json", "-", "--report", folder.path("report.md")});
    QVERIFY2(run.exitCode == 0, run.err);
    QCOMPARE(outputOf(run)["preparation"].toObject()["column_kinds"].toObject(), (QJsonObject{{"zip", "category"}}));
    QFile report(folder.path("report.md"));
    QVERIFY(report.open(QIODevice::ReadOnly) && report.readAll().contains("--columns zip=category"));
    const Run replayed = score({"--replay", file});
    QVERIFY2(replayed.exitCode == 0, replayed.out + replayed.err);
}

void TableValuesTest::refusesWhatColumnsDoNotHold_data() {
    QTest::addColumn<QString>("column");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* column, ColumnKind kind, const char* words) {
        QTest::newRow(name) << QString(column) << static_cast<int>(kind) << QString(words);
    };
    row("numbers are no dates", "zip", ColumnKind::Date, "real.csv, column 2 ('zip')|dates|numbers");
    row("text is no number", "born", ColumnKind::Number, "real.csv, line 2, column 5 ('born')|number|2021-10-31");
    row("no such column", "size", ColumnKind::Number, "--columns|'size'|there are 'label', 'zip'");
}

void TableValuesTest::refusesWhatColumnsDoNotHold() {
    QFETCH(const QString, column);
    QFETCH(const int, kind);
    QFETCH(const QString, words);
    const PreparationChoice choice{.columnKinds = {{column.toStdString(), static_cast<ColumnKind>(kind)}}};
    QVERIFY(saysAll(refusalOf([&] { readBoth(kMisleading, kMisleading, choice); }), words));
    const PreparationChoice two{.columnKinds = {{"code", ColumnKind::Id}, {"zip", ColumnKind::Id}}};
    QVERIFY(
        saysAll(refusalOf([&] { readBoth(kMisleading, kMisleading, two); }), "one column of ids|column 3 ('code')"));
}

void TableValuesTest::tablesAreStandardisedAndSaySo() {
    const InputFolder folder;
    const auto plain = [](int, int) { return QByteArray("?"); };
    folder.writeBytes("real.csv", table("a,b,c,d", 60, 1, plain));
    folder.writeBytes("model.csv", table("a,b,c,d", 60, 2, plain));
    folder.writeBytes("embedded.csv", table("embedding_0,embedding_1,embedding_2,embedding_3", 60, 1, plain));
    const auto scaleOf = [&](const QString& real, const QStringList& more) {
        const Run run = score(QStringList{"--real", folder.path(real), "--synthetic", "m=" + folder.path(real),
                                          "--quick", "--json", "-"} +
                              more);
        return outputOf(run)["preparation"].toObject()["scale"].toString();
    };
    QCOMPARE(scaleOf("real.csv", {}), QStringLiteral("zscore"));
    QCOMPARE(scaleOf("real.csv", {"--scale", "none"}), QString()); // nothing was done
    QCOMPARE(scaleOf("real.csv", {"--scale", "l2"}), QStringLiteral("l2"));
    QCOMPARE(scaleOf("embedded.csv", {}), QString());
    const Run run = score({"--real", folder.path("real.csv"), "--synthetic", folder.path("model.csv"), "--quick"});
    QVERIFY2(run.exitCode == 0, run.err);
    QVERIFY(saysAll(run.out + run.err, "divided by its standard deviation in the real set|the scaling 'none'"));
}

void TableValuesTest::rowNumbersAreNoFeatures_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("step");
    const auto row = [](const char* name, int first, int step) {
        QTest::addRow("%s from %d by %d", name, first, step) << QString::fromLatin1(name) << first << step;
    };
    for (const char* name :
         {"index", "Unnamed: 0", "S.No", "PassengerId", "student_id", "Row", "CustomerID", "user id"})
        row(name, 17, 3);     // by name, if all are different
    row("counter", 17264, 1); // by value
    row("position", 0, 1);
}

void TableValuesTest::rowNumbersAreNoFeatures() {
    QFETCH(const QString, name);
    QFETCH(const int, first);
    QFETCH(const int, step);
    QByteArray real = name.toUtf8() + ",x\n";
    QByteArray model = real;
    for (int i = 0; i < 20; ++i) {
        real += QByteArray::number(first + step * i) + "," + QByteArray::number(i % 7) + "\n";
        model += QByteArray::number(i / 2) + "," + QByteArray::number(i % 5) + "\n"; // as generators copy a column
    }
    const Sets sets = readBoth(real, model);
    QCOMPARE(sets.real->dim(), std::size_t{1});
    QCOMPARE(sets.model->dim(), std::size_t{1});
    const bool ids = step != 1; // "counter" and "position" only count
    QCOMPARE(sets.real->hasIds(), ids);
    QCOMPARE(sets.real->idText(1), std::to_string(ids ? first + step : 1));
    QVERIFY(saysAll(notesOf(*sets.real), "'" + name +
                                             (ids ? "') taken as ids: it names the rows and is no feature"
                                                  : "') left out: it numbers the rows and is no feature")));
    QVERIFY(saysAll(notesOf(*sets.model), "'" + name + "') left out: it numbers the rows and is no feature"));
}

void TableValuesTest::rowNumbersOfOneFileCountForAll() {
    QByteArray real = "key,x\n";
    QByteArray model = "key,x\n";
    QByteArray more = "x,S.No\n";
    for (int i = 0; i < 20; ++i) {
        real += QByteArray::number(i * i % 23) + "," + QByteArray::number(i % 7) + "\n";
        model += QByteArray::number(i) + "," + QByteArray::number(i % 5) + "\n";
        more += QByteArray::number(i % 5) + "," + QByteArray::number(i + 1) + "\n";
    }
    const Sets sets = readBoth(real, model);
    QCOMPARE(sets.real->dim(), std::size_t{1});
    QVERIFY(saysAll(notesOf(*sets.real), "('key') left out: it numbers the rows"));
    const Sets extra = readBoth("x,y\n1,2\n3,5\n", "x,y,S.No\n1,2,1\n2,3,2\n5,1,3\n");
    QCOMPARE(extra.model->dim(), std::size_t{2});
    QVERIFY(saysAll(notesOf(*extra.model), "column 3 ('S.No') left out: it numbers the rows"));
    // A model that is added later may have a column of numbers, too.
    const InputFolder folder;
    folder.writeBytes("late.csv", more);
    ReadOptions options;
    options.preparation = sets.real->preparation();
    QCOMPARE(readEmbeddings(folder.path("late.csv").toStdString(), {}, options)->dim(), std::size_t{1});
}

void TableValuesTest::featuresAreNotTakenForRowNumbers_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("step");
    QTest::newRow("a name like an id, values repeat") << "store_id" << 0;
    QTest::newRow("a name that ends in id") << "covid" << 3;
    QTest::newRow("paid") << "paid" << 3;
    QTest::newRow("steps of two") << "year" << 2;
}

void TableValuesTest::featuresAreNotTakenForRowNumbers() {
    QFETCH(const QString, name);
    QFETCH(const int, step);
    QByteArray real = name.toUtf8() + ",x\n";
    for (int i = 0; i < 20; ++i)
        real += QByteArray::number(step == 0 ? i % 4 : step * i) + "," + QByteArray::number(i % 7) + "\n";
    QCOMPARE(readBoth(real, real).real->dim(), std::size_t{2});
}

ASSAY_TEST(table_values_test, TableValuesTest)
#include "table_values_test.moc"
