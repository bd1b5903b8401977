#include "tests/widgets/support/baseline.h"

#include <QDir>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::test {
namespace {

constexpr int kBlock = 8; // pixels

/// Over what of the block lies in the picture.
std::array<double, 3> meanOf(const QImage& picture, QPoint corner) {
    std::array<double, 3> sum{};
    int count = 0;
    for (int y = corner.y(); y < std::min(corner.y() + kBlock, picture.height()); ++y)
        for (int x = corner.x(); x < std::min(corner.x() + kBlock, picture.width()); ++x, ++count) {
            const QColor color = picture.pixelColor(x, y);
            sum[0] += color.red();
            sum[1] += color.green();
            sum[2] += color.blue();
        }
    for (double& value : sum)
        value /= count;
    return sum;
}

} // namespace

double largestDifference(const QImage& a, const QImage& b) {
    if (a.size() != b.size() || a.isNull())
        return 255.0;
    double largest = 0.0;
    for (int y = 0; y < a.height(); y += kBlock)
        for (int x = 0; x < a.width(); x += kBlock) {
            const auto left = meanOf(a, {x, y});
            const auto right = meanOf(b, {x, y});
            for (std::size_t c = 0; c < left.size(); ++c)
                largest = std::max(largest, std::abs(left[c] - right[c]));
        }
    return largest;
}

QString differenceFromBaseline(const QImage& picture, const QString& name, double tolerance) {
    const QString file = QStringLiteral(ASSAY_SOURCE_DIR "/tests/widgets/baselines/%1.png").arg(name);
    if (qEnvironmentVariableIsSet("ASSAY_WRITE_BASELINES") && !picture.save(file, nullptr, 0))
        return QStringLiteral("cannot write %1").arg(file);
    const QImage stored(file);
    if (stored.isNull())
        return QStringLiteral("no baseline %1").arg(file);
    const double difference = largestDifference(picture, stored);
    if (difference <= tolerance)
        return {};
    const QString now = QDir::temp().filePath(name + QStringLiteral("-now.png"));
    picture.save(now);
    return QStringLiteral("%1 x %2 differs by %3 from %4, %5 x %6; see %7")
        .arg(picture.width())
        .arg(picture.height())
        .arg(difference)
        .arg(file)
        .arg(stored.width())
        .arg(stored.height())
        .arg(now);
}

} // namespace assay::test
