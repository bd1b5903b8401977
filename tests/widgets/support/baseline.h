#pragma once

#include <QImage>
#include <QString>

namespace assay::test {

/// Largest difference of the means of a colour over a block of 8 x 8 pixels, of 255: edges differ between machines,
/// means of blocks hardly do. 255 for pictures of different sizes.
double largestDifference(const QImage& a, const QImage& b);

/// Compares a picture with tests/widgets/baselines/NAME.png. ASSAY_WRITE_BASELINES=1 stores it first; what differs is
/// left in the folder for temporary files as NAME-now.png.
/// @return what is wrong: that the baseline is missing, or the difference; empty where it is at most `tolerance`
QString differenceFromBaseline(const QImage& picture, const QString& name, double tolerance);

} // namespace assay::test
