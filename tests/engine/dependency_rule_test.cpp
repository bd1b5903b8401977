#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
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
    std::string except = {}; ///< a folder or file below `folder` that the rule is not about
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
        if (!rule.except.empty() && (relative == rule.except || relative.starts_with(rule.except + "/")))
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
         std::regex(
             R"(nlohmann/.*|zip\.h|dnnl.*|oneapi/.*|Eigen/.*|openssl/.*|CLI/.*|omp\.h|mpi\.h|sqlite3\.h|png\.h)"
             R"(|hdf5\.h|turbojpeg\.h|webp/.*|tiffio\.h|gif_lib\.h|tbb/.*|nanoflann\.hpp|fmt/.*|hwy/.*|cblas\.h|lapack\.h)"),
         "a header of engine/ shows no third-party type"},
        {"engine", ".h.cpp", std::regex("mpi\\.h"), "only engine/cluster/ knows MPI", "cluster"},
        {"engine/report", ".h.cpp", std::regex(R"((.*/)?(cli|store|cluster)/.*)"),
         "reports know an audit, and not where it comes from", "samples"},
        {"engine", ".h.cpp", std::regex(R"((?!engine/)(.*/)?(f77blas|cblas\w*|lapacke?\w*|openblas\w*)\.h)"),
         "only engine/math/linear/lapack.cpp calls BLAS and LAPACK, which may not be called by two threads at once",
         "math/linear/lapack.cpp"},
    };
}

constexpr int kPanels = 27; // the floor of panels

/// The floors of the house, from the ground up. A file includes its own folder and lower floors, and declares no type
/// of a higher one. Those of the engine are a target each in engine/CMakeLists.txt. Every other folder of widgets/ is a
/// panel; panels do not know each other.
struct Floor {
    int level;
    std::string folder;
    std::string sentence; ///< its contents
};

const std::vector<Floor>& floors() {
    static const std::vector<Floor> all = {
        {1, "engine/base", "what everything uses: errors, jobs, parallel loops, random numbers, hashing, whole files"},
        {2, "engine/data", "what is audited: embeddings, pictures, labels, ids; they never change"},
        {3, "engine/math", "linear algebra and statistics that know no samples"},
        {4, "engine/io", "files in and out, one reader or writer per format"},
        {5, "engine/neighbors", "exact neighbours and ball counts behind one interface"},
        {5, "engine/demo", "the built-in demo's samples"},
        {6, "engine/metrics", "every score, and the catalogue that lists them"},
        {7, "engine/audit", "from sets to a finished audit and its findings"},
        {7, "engine/layout", "where samples lie beside each other in the 3D view"},
        {8, "engine/cluster", "an audit shared by several processes"},
        {8, "engine/subsets",
         "parts of the samples: rules, what if some were gone, curves over subsets, coverage holes"},
        {8, "engine/compat", "published programs' conventions"},
        {8, "engine/external", "figures of models and of samples from elsewhere, and which metrics follow them"},
        {9, "engine/gpu", "the same searches on graphics cards, and who searches"},
        {9, "engine/store", "the audit file"},
        {10, "engine/report", "what leaves: tables, lists, explanations, reports"},
        {11, "engine/cli", "assay-score"},
        {21, "widgets/common", "numbers, colours and small controls that know no audit"},
        {22, "widgets/text", "how scores, models and classes are written"},
        {23, "widgets/charts", "the one plot of every chart: axes, series, zoom, keys, figures for papers"},
        {24, "widgets/link", "the state that panels show, the selection, pictures, and the base class"},
        {25, "widgets/grid", "samples as pictures in a grid, and what is shown at a hover"},
        {26, "widgets/tables", "the one table: content, model, view, delegate, header"},
        {31, "gui/report", "reports as PDF"},
        {32, "gui/jobs", "work beside the window's thread, and the files that it is given"},
        {33, "gui/desktop", "what belongs to the desktop: theme, icons, settings, file dialogs, menus"},
        {34, "gui/session", "the audit that is open, what is decided about it, and undo"},
        {35, "gui/status", "the status bar's parts"},
        {35, "gui/pages", "the start page and the dialogs"},
        {36, "gui/commands", "the questions and dialogs of the window"},
        {37, "gui/window", "panels, actions and tool bars in one window"},
        {38, "gui/app", "the program: command line and start"},
    };
    return all;
}

int levelOf(const std::string& folder) {
    for (const Floor& floor : floors())
        if (floor.folder == folder)
            return floor.level;
    return folder.starts_with("widgets/") ? kPanels : 0;
}

/// "engine/math" of "engine/math/linear/pca.h"; empty for what is not of the house.
std::string floorOf(const std::string& path) {
    static const std::regex pattern("((?:engine|widgets|gui)/[^/]+)/.*");
    std::smatch match;
    return std::regex_match(path, match, pattern) ? match[1].str() : std::string();
}

struct Source {
    std::string path; ///< from the source directory on, as others include it
    std::vector<std::string> lines;

    std::string folder() const { return path.substr(0, path.rfind('/')); }
    bool isHeader() const { return path.ends_with(".h") || path.ends_with(".cuh"); }
};

std::vector<Source> allSources(const fs::path& root) {
    static const std::set<std::string> kinds{".h", ".cpp", ".cu", ".cuh"};
    std::vector<Source> sources;
    for (const char* const part : {"engine", "widgets", "gui"})
        for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
            if (!entry.is_regular_file() || !kinds.contains(entry.path().extension().string()))
                continue;
            Source source{entry.path().lexically_relative(root).generic_string(), {}};
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                source.lines.push_back(line);
            sources.push_back(std::move(source));
        }
    std::ranges::sort(sources, {}, &Source::path);
    return sources;
}

/// Why a file of one floor must not use another; empty where it may.
std::string climb(const std::string& from, const std::string& to) {
    if (from == to || to.empty() || levelOf(to) < levelOf(from))
        return {};
    return levelOf(from) == 0 ? from + "/ is on no floor" : from + "/ must not know " + to + "/";
}

std::vector<std::string> climbingIncludes(const std::vector<Source>& sources) {
    std::vector<std::string> found;
    for (const Source& source : sources)
        for (const std::string& line : source.lines) {
            const std::string name = includedName(line);
            if (const std::string why = climb(floorOf(source.path), floorOf(name)); !why.empty())
                found.push_back(source.path + ": includes " + name + ": " + why);
        }
    return found;
}

/// Declarations of types that a higher floor defines: a climbing include in disguise.
std::vector<std::string> climbingDeclarations(const std::vector<Source>& sources) {
    static const std::regex defined(
        R"((?:struct|class|enum class)\s+(?:alignas\(\d+\)\s+)?(\w+)\s*(?:final\s*)?(?::.*)?\{.*)");
    static const std::regex declared(R"((?:struct|class|enum class)\s+(\w+);.*)");
    std::map<std::string, std::set<std::string>> floorsOfType;
    std::smatch match;
    for (const Source& source : sources)
        for (const std::string& line : source.lines)
            if (std::regex_match(line, match, defined))
                floorsOfType[match[1]].insert(floorOf(source.path));
    std::vector<std::string> found;
    for (const Source& source : sources)
        for (const std::string& line : source.lines) {
            if (!std::regex_match(line, match, declared))
                continue;
            const std::set<std::string>& places = floorsOfType[match[1]];
            if (places.contains(floorOf(source.path)))
                continue;
            for (const std::string& place : places)
                if (const std::string why = climb(floorOf(source.path), place); !why.empty())
                    found.push_back(source.path + ": declares " + match[1].str() + ": " + why);
        }
    return found;
}

/// Lines that name a function of BLAS or LAPACK, or make Eigen call them, outside the one place that takes care that
/// one call runs at a time.
std::vector<std::string> callsOfLapack(const std::vector<Source>& sources) {
    static const std::regex call(
        R"(\b(cblas_\w+|LAPACKE?_\w+|openblas_\w+|EIGEN_USE_(BLAS|LAPACKE\w*)|d(gemm|syevd|gesdd|pstrf)_)\b)");
    std::vector<std::string> found;
    for (const Source& source : sources)
        for (const std::string& line : source.lines)
            if (source.path != "engine/math/linear/lapack.cpp" && std::regex_search(line, call))
                found.push_back(source.path + ": " + line);
    return found;
}

/// Folders that include each other, directly or through others; each as one of its members. None where there is no
/// circle.
std::vector<std::string> circles(const std::vector<Source>& sources) {
    std::map<std::string, std::set<std::string>> uses;
    for (const Source& source : sources)
        for (const std::string& line : source.lines) {
            const std::string name = includedName(line);
            const std::string folder = name.substr(0, name.rfind('/'));
            if (!floorOf(name).empty() && folder != source.folder())
                uses[source.folder()].insert(folder);
        }
    std::vector<std::string> found;
    for (const auto& [start, first] : uses) {
        std::set<std::string> reached;
        std::vector<std::string> next(first.begin(), first.end());
        while (!next.empty()) {
            const std::string at = next.back();
            next.pop_back();
            if (reached.insert(at).second)
                next.insert(next.end(), uses[at].begin(), uses[at].end());
        }
        if (reached.contains(start))
            found.push_back(start);
    }
    return found;
}

/// Folders of too many files, and of files beside folders.
std::vector<std::string> untidyFolders(const std::vector<Source>& sources) {
    constexpr std::size_t kMaxFiles = 30;
    std::map<std::string, std::size_t> files;
    for (const Source& source : sources)
        ++files[source.folder()];
    std::vector<std::string> found;
    for (const auto& [folder, count] : files) {
        if (count > kMaxFiles)
            found.push_back(folder + ": " + std::to_string(count) + " files");
        const auto below = files.lower_bound(folder + "/");
        if (count > 1 && below != files.end() && below->first.starts_with(folder + "/"))
            found.push_back(folder + ": files beside " + below->first);
    }
    return found;
}

using Rooms = std::map<std::string, std::set<std::string>>; ///< of "engine/io" what it holds: "files", "tables"

Rooms roomsOfTree(const fs::path& root) {
    Rooms rooms;
    for (const char* const part : {"engine", "widgets", "gui"})
        for (const auto& room : fs::directory_iterator(root / part))
            if (room.is_directory()) {
                std::set<std::string>& folders = rooms[room.path().lexically_relative(root).generic_string()];
                for (const auto& inner : fs::directory_iterator(room.path()))
                    if (inner.is_directory())
                        folders.insert(inner.path().filename().string());
            }
    return rooms;
}

/// The rooms in the tables of CONTRIBUTING.md. A row names a folder, and in its sentence the folders in it; before it,
/// in the engine's, the floor.
Rooms roomsOfTables(const std::vector<std::string>& lines, std::map<std::string, int>& levels) {
    static const std::regex top(R"(\|(?: floor \|)? `(engine|widgets|gui)/` \|.*)");
    static const std::regex row(R"(\| (?:(\d+) \| )?`(\w+)/` \|(.*))");
    static const std::regex folder(R"(`(\w+)/`)");
    Rooms rooms;
    std::string part;
    std::smatch match;
    for (const std::string& line : lines) {
        if (std::regex_match(line, match, top)) {
            part = match[1];
        } else if (!part.empty() && std::regex_match(line, match, row)) {
            const std::string room = part + "/" + match[2].str();
            const std::string sentence = match[3];
            if (match[1].matched)
                levels[room] = std::stoi(match[1]);
            for (std::sregex_iterator at(sentence.begin(), sentence.end(), folder), end; at != end; ++at)
                rooms[room].insert((*at)[1]);
            rooms.try_emplace(room);
        } else if (line.empty()) {
            part.clear();
        }
    }
    return rooms;
}

/// The floors in the drawing of docs/architecture.md: `base["1 base: errors, jobs"]`.
std::map<std::string, int> levelsOfDrawing(const std::vector<std::string>& lines) {
    static const std::regex node(R"(\s*(\w+)\[\x22(\d+) (\w+): .*)");
    std::map<std::string, int> levels;
    std::smatch match;
    for (const std::string& line : lines)
        if (std::regex_match(line, match, node) && match[1] == match[3])
            levels["engine/" + match[1].str()] = std::stoi(match[2]);
    return levels;
}

/// What one of the two lacks.
std::vector<std::string> differences(const Rooms& tree, const Rooms& tables) {
    std::vector<std::string> found;
    const auto compare = [&](const Rooms& all, const Rooms& others, const std::string& lack) {
        for (const auto& [room, folders] : all) {
            const auto other = others.find(room);
            if (other == others.end())
                found.push_back(lack + " " + room + "/");
            for (const std::string& folder : folders)
                if (other != others.end() && !other->second.contains(folder))
                    found.push_back(lack + " " + room + "/" + folder + "/");
        }
    };
    compare(tree, tables, "CONTRIBUTING.md lacks");
    compare(tables, tree, "there is no");
    return found;
}

std::vector<std::string> linesOf(const std::string& document) {
    std::ifstream in(fs::path(ASSAY_SOURCE_DIR) / document);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

QByteArray listed(const std::vector<std::string>& findings) {
    std::string all;
    for (const std::string& finding : findings)
        all += "\n" + finding;
    return QByteArray::fromStdString(all);
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
    void houseStandsOnItsFloors();
    void whatBreaksAFloorIsFound();
    void documentsNameEveryRoom();
    void unnamedRoomsAreFound();
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
    QTest::newRow("readers in widgets") << 3 << "#include \"engine/io/sets/read_embeddings.h\"";
    QTest::newRow("Eigen in a header") << 4 << "#include <Eigen/Dense>";
    QTest::newRow("MPI in a header") << 4 << "#include <mpi.h>";
    QTest::newRow("MPI beyond the cluster") << 5 << "#include <mpi.h>";
    QTest::newRow("audit files in reports") << 6 << "#include \"engine/store/decisions.h\"";
    QTest::newRow("LAPACK in a header") << 4 << "#include <lapack.h>";
    QTest::newRow("LAPACK in another file") << 7 << "#include <lapack.h>";
    QTest::newRow("BLAS in another file") << 7 << "#include <openblas/cblas.h>";
    QTest::newRow("LAPACKE in another file") << 7 << "#include <lapacke.h>";
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
    QTest::newRow("the place for LAPACK") << 7 << "#include \"engine/math/linear/lapack.h\"";
    QTest::newRow("widget in widgets") << 3 << "#include <QFileIconProvider>";
    QTest::newRow("own header in a header") << 4 << "#include \"engine/io/archives/zip_archive.h\"";
}

void DependencyRuleTest::harmlessIncludeIsNotFound() {
    QFETCH(int, index);
    QFETCH(QString, line);
    const std::string name = includedName(line.toStdString());
    QVERIFY(!std::regex_match(name, rules()[static_cast<std::size_t>(index)].forbidden));
}

void DependencyRuleTest::houseStandsOnItsFloors() {
    const std::vector<Source> sources = allSources(ASSAY_SOURCE_DIR);
    QVERIFY2(sources.size() > 100, "no sources: has the folder moved?");
    QVERIFY2(climbingIncludes(sources).empty(), listed(climbingIncludes(sources)));
    QVERIFY2(climbingDeclarations(sources).empty(), listed(climbingDeclarations(sources)));
    QVERIFY2(circles(sources).empty(), listed(circles(sources)));
    QVERIFY2(untidyFolders(sources).empty(), listed(untidyFolders(sources)));
    QVERIFY2(callsOfLapack(sources).empty(), listed(callsOfLapack(sources)));
}

void DependencyRuleTest::whatBreaksAFloorIsFound() {
    const std::vector<Source> climbing{{"engine/math/linear/pca.h", {"#include \"engine/metrics/tables/metric.h\""}}};
    QCOMPARE(climbingIncludes(climbing).size(), std::size_t{1});
    const std::vector<Source> beside{{"engine/audit/run/audit.h", {"#include \"engine/layout/neighbor_layout.h\""}}};
    QCOMPARE(climbingIncludes(beside).size(), std::size_t{1});
    const std::vector<Source> panels{{"widgets/ranking/a.h", {"#include \"widgets/sample/b.h\""}},
                                     {"gui/jobs/a.h", {"#include \"gui/session/b.h\""}}};
    QCOMPARE(climbingIncludes(panels).size(), std::size_t{2});
    const std::vector<Source> unknown{{"engine/extras/more.h", {"#include \"engine/base/error.h\""}}};
    QCOMPARE(climbingIncludes(unknown).size(), std::size_t{1});
    const std::vector<Source> declaring{{"engine/math/linear/pca.h", {"struct AuditResult;"}},
                                        {"engine/audit/result/audit_result.h", {"struct AuditResult {"}}};
    QCOMPARE(climbingDeclarations(declaring).size(), std::size_t{1});
    const std::vector<Source> circle{{"engine/io/numpy/a.h", {"#include \"engine/io/tables/b.h\""}},
                                     {"engine/io/tables/b.h", {"#include \"engine/io/files/c.h\""}},
                                     {"engine/io/files/c.h", {"#include \"engine/io/numpy/a.h\""}}};
    QCOMPARE(circles(circle).size(), std::size_t{3});
    QVERIFY(climbingIncludes(circle).empty());
    const std::vector<Source> calling{{"engine/math/products/dense_product.cpp", {"    cblas_dgemm(CblasRowMajor,"}},
                                      {"engine/metrics/embedding/vendi.cpp", {"#define EIGEN_USE_LAPACKE_STRICT"}},
                                      {"engine/math/linear/lapack.cpp", {"    LAPACK_dsyevd(&vectors,"}}};
    QCOMPARE(callsOfLapack(calling).size(), std::size_t{2});
    std::vector<Source> many{{"engine/io/numpy/deeper/a.h", {}}};
    for (int i = 0; i < 31; ++i)
        many.push_back({"engine/io/numpy/" + std::to_string(i) + ".h", {}});
    QCOMPARE(untidyFolders(many).size(), std::size_t{2});
}

void DependencyRuleTest::documentsNameEveryRoom() {
    std::map<std::string, int> levels;
    const std::vector<std::string> found =
        differences(roomsOfTree(ASSAY_SOURCE_DIR), roomsOfTables(linesOf("CONTRIBUTING.md"), levels));
    QVERIFY2(found.empty(), listed(found));
    std::map<std::string, int> expected;
    for (const Floor& floor : floors())
        if (floor.folder.starts_with("engine/"))
            expected[floor.folder] = floor.level;
    QVERIFY(levels == expected);
    QVERIFY(levelsOfDrawing(linesOf("docs/architecture.md")) == expected);
}

void DependencyRuleTest::unnamedRoomsAreFound() {
    std::map<std::string, int> levels;
    const Rooms tables = roomsOfTables({"| floor | `engine/` | |", "|---|---|---|", "| 1 | `base/` | `a/`, `b/` |", "",
                                        "| `widgets/` | |", "| `link/` | `Plot` |"},
                                       levels);
    QCOMPARE(levels.at("engine/base"), 1);
    QVERIFY(differences({{"engine/base", {"a", "b"}}, {"widgets/link", {}}}, tables).empty());
    const Rooms tree{{"engine/base", {"a", "c"}}, {"gui/app", {}}};
    const std::vector<std::string> expected{"CONTRIBUTING.md lacks engine/base/c/", "CONTRIBUTING.md lacks gui/app/",
                                            "there is no engine/base/b/", "there is no widgets/link/"};
    QCOMPARE(differences(tree, tables), expected);
}

ASSAY_TEST(dependency_rule_test, DependencyRuleTest)
#include "dependency_rule_test.moc"
