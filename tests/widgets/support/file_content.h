#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace assay::test {

/// What is in a file; "(not there)" for one that cannot be read.
inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

} // namespace assay::test
