#pragma once

#include "engine/io/numpy/npy_writer.h"
#include "tests/engine/support/sample_sets.h"

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <stdexcept>

/// Programs as people and scripts use them: as processes, on files of a folder.
namespace assay::test {

/// What a program left when it ended.
struct Run {
    int exitCode;
    QByteArray out, err;
};

/// Waits for a program that was started, unless it has ended.
inline Run outcomeOf(QProcess& process) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int kMost = 1'200'000; // milliseconds
#else
    constexpr int kMost = 120'000;
#endif
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(kMost))
        return {-1, {}, "did not finish"};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline QString scoreProgram() {
    return QStringLiteral(ASSAY_BIN_DIR "/assay-score");
}

inline Run score(const QStringList& arguments) {
    QProcess process;
    process.start(scoreProgram(), arguments);
    return outcomeOf(process);
}

/// A folder of input files that goes with the test.
class InputFolder {
public:
    QString path(const QString& name) const { return folder_.filePath(name); }

    QString write(const QString& name, const Matrix& matrix) const {
        writeNpy(path(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return path(name);
    }

    void writeBytes(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            throw std::runtime_error("no room for an input file");
    }

private:
    QTemporaryDir folder_;
};

} // namespace assay::test
