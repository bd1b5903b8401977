#pragma once

#include "engine/base/error.h"

#include <QtTest>

#include <string>

namespace assay::test {

/// Runs `action`, which should throw an Error of that kind. @return its message, or what happened instead
template <typename Action>
QString refusalOf(Action action, ErrorKind kind = ErrorKind::BadInput) {
    try {
        action();
    } catch (const Error& error) {
        const QString message = QString::fromStdString(error.what());
        return error.kind() == kind ? message : "an error of another kind: " + message;
    } catch (const std::exception& other) {
        return QString("not an assay::Error: ") + other.what();
    }
    return "nothing was refused";
}

/// Whether every part, separated by `|`, stands in the message; says so when one does not.
inline bool saysAll(const QString& message, const QString& parts) {
    for (const QString& part : parts.split('|')) {
        if (!message.contains(part)) {
            qWarning().noquote() << "message:" << message << "\nlacks:" << part;
            return false;
        }
    }
    return true;
}

} // namespace assay::test
