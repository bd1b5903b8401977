#pragma once

#include "tests/engine/support/program_run.h"

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>

/// assay-score under mpirun.
namespace assay::test {

/// Why there are no ranks in this build or on this machine; empty where there are.
QString whyNoRanks();

/// Starts a command as several processes.
void startRanks(QProcess& launcher, int ranks, const QStringList& command);

/// assay-score as several processes, to its end.
Run scoreTogether(int ranks, const QStringList& arguments);

/// The same for several lists of arguments, by one start of the launcher: that takes longer than a small audit.
QList<Run> scoreTogether(int ranks, const QList<QStringList>& cases);

/// The process ids of the ranks that a launcher has started.
QList<qint64> ranksOf(const QProcess& launcher);

/// What a file holds, or that there is none.
QByteArray contentOf(const QString& path);

} // namespace assay::test
