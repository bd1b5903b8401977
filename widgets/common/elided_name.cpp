#include "widgets/common/elided_name.h"

#include <QFontMetricsF>

#include <algorithm>

namespace assay {
namespace {

constexpr QChar kEllipsis(0x2026);

/// Part of a name: never half a character.
struct Part {
    qsizetype begin, end;
};

bool splits(const QString& name, qsizetype at) {
    return at > 0 && at < name.size() && name[at].isLowSurrogate() && name[at - 1].isHighSurrogate();
}

QString written(const QString& name, const Part& part) {
    QString text = name.mid(part.begin, part.end - part.begin);
    if (part.begin > 0)
        text.prepend(kEllipsis);
    if (part.end < name.size())
        text.append(kEllipsis);
    return text;
}

/// Where two names begin and cease to differ, in the first of them.
Part difference(const QString& name, const QString& other) {
    const qsizetype shorter = std::min(name.size(), other.size());
    qsizetype begin = 0;
    while (begin < shorter && name[begin] == other[begin])
        ++begin;
    qsizetype same = 0;
    while (same < shorter - begin && name[name.size() - 1 - same] == other[other.size() - 1 - same])
        ++same;
    return {begin, name.size() - same};
}

Part withLeft(const QString& name, Part part) {
    part.begin -= splits(name, part.begin - 1) ? 2 : 1;
    return part;
}

Part withRight(const QString& name, Part part) {
    part.end += splits(name, part.end + 1) ? 2 : 1;
    return part;
}

} // namespace

QString elidedName(const QString& name, const QStringList& others, const QFontMetricsF& metrics, qreal width,
                   Qt::TextElideMode mode) {
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    const QString plain = metrics.elidedText(name, mode, width);
    Part part{name.size(), 0};
    for (const QString& other : others) {
        if (other == name || metrics.elidedText(other, mode, width) != plain)
            continue;
        const Part own = difference(name, other);
        part = {std::min(part.begin, own.begin), std::max(part.end, own.end)};
    }
    if (part.begin == name.size() && part.end == 0)
        return plain;
    part.end = std::max(part.begin, part.end); // a name that is another one with something left out
    part.begin -= splits(name, part.begin) ? 1 : 0;
    part.end += splits(name, part.end) ? 1 : 0;
    const auto fits = [&](const Part& some) { return metrics.horizontalAdvance(written(name, some)) <= width; };
    if (!fits(part))
        return metrics.elidedText(written(name, part), Qt::ElideRight, width);
    // As much of what is around it as there is room for, on both sides in turn.
    for (bool grown = true; grown;) {
        grown = false;
        if (part.begin > 0 && fits(withLeft(name, part))) {
            part = withLeft(name, part);
            grown = true;
        }
        if (part.end < name.size() && fits(withRight(name, part))) {
            part = withRight(name, part);
            grown = true;
        }
    }
    return written(name, part);
}

} // namespace assay
