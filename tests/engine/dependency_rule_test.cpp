#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// What some files must not include, and why.
struct Rule {
    std::string folder;     ///< below the source directory
    std::string extensions; ///< of the files the rule is about: ".h" or ".h.cpp"
    std::regex forbidden;   ///< matched against the included name, without < > or quotes
    std::string reason;
    std::string except = {}; ///< a folder below `folder` that the rule is not about
};

/// Names of headers that belong to Qt or VTK: <QString>, <QtWidgets>, <qglobal.h>, <QtCore/QObject>, <vtkActor.h>.
const char* const kQtOrVtk = R"((Qt?[A-Z].*|q[a-z0-9_]+\.h|vtk.*|.*moc_.*|.*\.moc|ui_.*))";

/// The name that a line includes, or nothing.
std::string includedName(const std::string& line) {
    // \x22 is the quote, which moc cannot read in a raw string.
    static const std::regex include(R"(\s*#\s*include\s*[<\x22]([^>\x22]+)[>\x22].*)");
    std::smatch match;
    return std::regex_match(line, match, include) ? match[1].str() : std::string();
}

/// Every violation in one file as "file:line: includes <name>: reason".
std::vector<std::string> violationsIn(const fs::path& file, const Rule& rule) {
    std::vector<std::string> found;
    std::ifstream in(file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::string name = includedName(line);
        if (!name.empty() && std::regex_match(name, rule.forbidden))
            found.push_back(file.string() + ":" + std::to_string(number) + ": includes " + name + ": " + rule.reason);
    }
    return found;
}

/// Every violation below root, in order of the paths; `examined` counts the files looked at.
std::vector<std::string> violations(const fs::path& root, const Rule& rule, int& examined) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(root / rule.folder)) {
        const std::string extension = entry.path().extension().string();
        const std::string relative = entry.path().lexically_relative(root / rule.folder).string();
        if (!rule.except.empty() && relative.starts_with(rule.except + "/"))
            continue;
        if (entry.is_regular_file() && !extension.empty() && rule.extensions.find(extension) != std::string::npos)
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    examined = static_cast<int>(files.size());
    std::vector<std::string> found;
    for (const fs::path& file : files) {
        const std::vector<std::string> here = violationsIn(file, rule);
        found.insert(found.end(), here.begin(), here.end());
    }
    return found;
}

std::vector<Rule> rules() {
    return {
        {"engine", ".h.cpp", std::regex(kQtOrVtk), "engine/ knows neither Qt nor VTK"},
        {"engine", ".h.cpp", std::regex(R"((.*/)?(widgets|gui)/.*)"), "engine/ does not know the libraries above it"},
        {"widgets", ".h.cpp", std::regex(R"((.*/)?gui/.*)"), "widgets/ does not know the program"},
        {"widgets", ".h.cpp",
         std::regex(R"((Qt\w+/)?(QFile|QSaveFile|QTemporary(File|Dir)|QDir|QDirIterator|QFileDialog|QSettings|QProcess)"
                    R"(|QThread|QThreadPool|QRunnable|QFuture\w*|QtConcurrent.*))"
                    R"(|fstream|cstdio|stdio\.h|filesystem|thread|future|engine/io/.*)"),
         "widgets/ does no input or output and starts no threads"},
        {"engine", ".h",
         std::regex(R"(nlohmann/.*|zip\.h|dnnl.*|oneapi/.*|Eigen/.*|openssl/.*|CLI/.*|omp\.h|mpi\.h|sqlite3\.h|png\.h)"
                    R"(|hdf5\.h|arrow/.*|parquet/.*)"),
         "a header of engine/ shows no third-party type"},
        {"engine", ".h.cpp", std::regex("mpi\\.h"), "only engine/cluster/ knows MPI", "cluster"},
        {"engine/report", ".h.cpp", std::regex(R"((.*/)?(cli|store|cluster)/.*)"),
         "engine/report/ knows an audit, and not where it comes from"},
    };
}

} // namespace

class DependencyRuleTest : public QObject {
    Q_OBJECT

private slots:
    void sourcesKeepTheRule_data();
    void sourcesKeepTheRule();
    void plantedIncludeIsFound_data();
    void plantedIncludeIsFound();
    void harmlessIncludeIsNotFound_data();
    void harmlessIncludeIsNotFound();
};

void DependencyRuleTest::sourcesKeepTheRule_data() {
    QTest::addColumn<int>("index");
    const std::vector<Rule> all = rules();
    for (int i = 0; i < static_cast<int>(all.size()); ++i)
        QTest::addRow("%s", all[static_cast<std::size_t>(i)].reason.c_str()) << i;
}

void DependencyRuleTest::sourcesKeepTheRule() {
    QFETCH(int, index);
    int examined = 0;
    const std::vector<std::string> found =
        violations(ASSAY_SOURCE_DIR, rules()[static_cast<std::size_t>(index)], examined);
    QVERIFY2(examined > 0, "no file examined: has the folder moved?");
    std::string all;
    for (const std::string& violation : found)
        all += "\n" + violation;
    QVERIFY2(found.empty(), all.c_str());
}

void DependencyRuleTest::plantedIncludeIsFound_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("line");
    QTest::newRow("Qt class") << 0 << "#include <QString>";
    QTest::newRow("Qt module") << 0 << "#include <QtCore/QObject>";
    QTest::newRow("Qt in lower case") << 0 << "#include <qglobal.h>";
    QTest::newRow("VTK") << 0 << "  #  include \"vtkActor.h\" // only here";
    QTest::newRow("widgets from engine") << 1 << "#include \"widgets/common/colors.h\"";
    QTest::newRow("gui from engine") << 1 << "#include \"../../gui/audit_session.h\"";
    QTest::newRow("gui from widgets") << 2 << "#include \"gui/session/audit_session.h\"";
    QTest::newRow("files in widgets") << 3 << "#include <QFile>";
    QTest::newRow("threads in widgets") << 3 << "#include <QtCore/QThread>";
    QTest::newRow("readers in widgets") << 3 << "#include \"engine/io/read_embeddings.h\"";
    QTest::newRow("Eigen in a header") << 4 << "#include <Eigen/Dense>";
    QTest::newRow("MPI in a header") << 4 << "#include <mpi.h>";
    QTest::newRow("MPI beyond the cluster") << 5 << "#include <mpi.h>";
    QTest::newRow("audit files in reports") << 6 << "#include \"engine/store/decisions.h\"";
    QTest::newRow("libzip in a header") << 4 << "#include <zip.h>";
    QTest::newRow("libpng in a header") << 4 << "#include <png.h>";
}

void DependencyRuleTest::plantedIncludeIsFound() {
    QFETCH(int, index);
    QFETCH(QString, line);
    Rule rule = rules()[static_cast<std::size_t>(index)];
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    fs::create_directories(root / rule.folder / "deeper");
    std::ofstream(root / rule.folder / "deeper" / "planted.h") << "#pragma once\n" << line.toStdString() << "\n";
    int examined = 0;
    const std::vector<std::string> found = violations(root, rule, examined);
    QCOMPARE(examined, 1);
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found.front().find("planted.h:2: includes ") != std::string::npos, found.front().c_str());
}

void DependencyRuleTest::harmlessIncludeIsNotFound_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("line");
    QTest::newRow("standard header") << 0 << "#include <queue>";
    QTest::newRow("own header") << 0 << "#include \"engine/stats/quantile.h\"";
    QTest::newRow("comment") << 0 << "// #include <QString>";
    QTest::newRow("widget in widgets") << 3 << "#include <QFileIconProvider>";
    QTest::newRow("own header in a header") << 4 << "#include \"engine/io/zip_archive.h\"";
}

void DependencyRuleTest::harmlessIncludeIsNotFound() {
    QFETCH(int, index);
    QFETCH(QString, line);
    const std::string name = includedName(line.toStdString());
    QVERIFY(!std::regex_match(name, rules()[static_cast<std::size_t>(index)].forbidden));
}

ASSAY_TEST(dependency_rule_test, DependencyRuleTest)
#include "dependency_rule_test.moc"
