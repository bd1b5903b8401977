#pragma once

#include <QString>
#include <QStringList>

QT_BEGIN_NAMESPACE
class QFontMetricsF;
QT_END_NAMESPACE

namespace assay {

/// A name of several, made to fit: elided in the given mode, or, if another name would then read the same, to the
/// distinguishing part: "…kimg025000…".
/// @param others names shown beside it; this one among them does no harm
/// @param width in pixels
QString elidedName(const QString& name, const QStringList& others, const QFontMetricsF& metrics, qreal width,
                   Qt::TextElideMode mode = Qt::ElideMiddle);

} // namespace assay
