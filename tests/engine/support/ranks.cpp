#include "tests/engine/support/ranks.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryFile>

#include <unistd.h>

namespace assay::test {
namespace {

/// What the launcher and the sanitizers need to run in a container, without ssh and with fewer cores than processes.
QProcessEnvironment environment() {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("OMPI_MCA_plm", "isolated");
    all.insert("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
    // The launcher looks for graphics cards at ten X displays of "localhost", each after a lookup of that name: where
    // no server answers, every start takes minutes.
    all.insert("HWLOC_COMPONENTS", "-gl");
    all.insert("ASAN_OPTIONS", "detect_leaks=0"); // the MPI library keeps what it has until the end
    return all;
}

} // namespace

QString whyNoRanks() {
#ifndef ASSAY_HAVE_MPI
    return "this build knows no MPI";
#elif defined(__SANITIZE_THREAD__)
    return "the MPI library is not built for ThreadSanitizer";
#else
    return QStandardPaths::findExecutable("mpirun").isEmpty() ? "mpirun is not installed" : QString();
#endif
}

void startRanks(QProcess& launcher, int ranks, const QStringList& command) {
    QStringList all{"--oversubscribe", "--bind-to", "none", "-n", QString::number(ranks)};
    if (geteuid() == 0)
        all << "--allow-run-as-root";
    launcher.setProcessEnvironment(environment());
    launcher.start("mpirun", all + command);
}

Run scoreTogether(int ranks, const QStringList& arguments) {
    QProcess process;
    startRanks(process, ranks, QStringList{scoreProgram()} + arguments);
    return outcomeOf(process);
}

QList<Run> scoreTogether(int ranks, const QList<QStringList>& cases) {
    QTemporaryFile list;
    if (!list.open())
        return {};
    for (const QStringList& arguments : cases)
        list.write(arguments.join('\t').toLocal8Bit() + '\n');
    list.close();
    QProcess process;
    startRanks(process, ranks, {QStringLiteral(ASSAY_BIN_DIR "/cluster_cases"), list.fileName()});
    const Run all = outcomeOf(process);
    QList<Run> runs;
    for (qsizetype i = 0; i < cases.size(); ++i) {
        const auto between = [i](const QByteArray& text, const char* begin, const char* end) {
            const QByteArray first = begin + QByteArray::number(i) + end;
            const qsizetype from = text.indexOf(first);
            if (from < 0)
                return QByteArray();
            const qsizetype to = text.indexOf(begin + QByteArray::number(i + 1) + end, from);
            return text.mid(from + first.size(), to < 0 ? -1 : to - from - first.size());
        };
        const QByteArray exitCode = between(all.out, "case ", ": exit code ").split('\n').first();
        if (exitCode.isEmpty())
            runs << Run{-1, {}, "did not come to an end: " + all.err};
        else
            runs << Run{exitCode.toInt(), {}, between(all.err, "case ", "\n")};
    }
    return runs;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : "no such file: " + path.toUtf8();
}

QList<qint64> ranksOf(const QProcess& launcher) {
    const QString process = QStringLiteral("/proc/%1/").arg(launcher.processId());
    QList<qint64> ids;
    for (const QByteArray& id :
         contentOf(process + "task/" + QString::number(launcher.processId()) + "/children").split(' '))
        if (contentOf("/proc/" + id.trimmed() + "/comm").startsWith("assay-score"))
            ids << id.toLongLong();
    return ids;
}

} // namespace assay::test
