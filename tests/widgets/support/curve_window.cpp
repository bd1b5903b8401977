#include "tests/widgets/support/curve_window.h"

#include "tests/widgets/support/fake_audit.h"
#include "widgets/curves/curve_legend.h"

#include <cmath>
#include <utility>

namespace assay::test {

CurveValues calibration(double power) {
    CurveValues values{"coverage_calibration", {}, {{{}, {}}}};
    for (int i = 0; i <= 10; ++i) {
        values.x.push_back(i / 10.0);
        values.lines[0].y.push_back(std::pow(i / 10.0, power));
    }
    return values;
}

CurveValues sensitivity() {
    CurveValues values{
        "k_sensitivity", {}, {{"clipped_density", {}}, {"clipped_coverage", {}}, {"recall", {}}, {"pce", {}, {}, {}}}};
    for (int k = 1; k <= 20; ++k) {
        values.x.push_back(k);
        for (std::size_t line = 0; line < 3; ++line)
            values.lines[line].y.push_back(0.9 - 0.2 * static_cast<double>(line) - 0.5 / k);
        values.lines[3].y.push_back(40.0 + k);
        values.lines[3].low.push_back(38.0 + k);
        values.lines[3].high.push_back(42.0 + k);
    }
    return values;
}

std::shared_ptr<AuditResult> auditWith(std::size_t models, const std::string& name) {
    return withEveryModel(fakeAudit({.models = models}), [&](ModelAudit& model, std::size_t m) {
        if (!name.empty())
            model.name = name + std::to_string(m);
        model.curves = {calibration(0.4 + 0.3 * static_cast<double>(m)), sensitivity()};
    });
}

std::shared_ptr<AuditResult> withCurves(const std::shared_ptr<AuditResult>& audit, std::size_t model,
                                        std::vector<CurveValues> curves) {
    return withModel(audit, model, [&](ModelAudit& changed) { changed.curves = std::move(curves); });
}

void CurveWindow::settle() {
    QCoreApplication::processEvents();
    view.grab();
}

void CurveWindow::setModel(std::size_t model) {
    ViewState next = view.state();
    next.model = model;
    view.showState(next);
    settle();
}

void CurveWindow::pick(int at) {
    picker->setFocus();
    while (picker->currentIndex() != at)
        QTest::keyClick(picker, picker->currentIndex() < at ? Qt::Key_Down : Qt::Key_Up);
    settle();
}

void CurveWindow::hover(QPoint point) {
    QMouseEvent move(QEvent::MouseMove, point, chart->mapToGlobal(point), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(chart, &move);
}

void CurveWindow::click(QPoint point) {
    QTest::mouseClick(chart, Qt::LeftButton, {}, point);
}

void CurveWindow::clickTick(int row) {
    const QRect rect = legend->visualItemRect(legend->item(row));
    QTest::mouseClick(legend->viewport(), Qt::LeftButton, {}, QPoint(rect.left() + 10, rect.center().y()));
    settle();
}

QStringList CurveWindow::names() const {
    QStringList result;
    for (int row = 0; row < legend->count(); ++row)
        result << legend->item(row)->text();
    return result;
}

bool CurveWindow::isDrawnBetween(std::size_t line, std::size_t point) {
    const QPoint middle = (placeOf(line, point) + placeOf(line, point + 1)) / 2;
    const QImage image = chart->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const QColor wanted = lineStyle(ChartLine{}, chart->palette()).pen.color();
    for (int off = -2; off <= 2; ++off) {
        const QColor found = image.pixelColor(((middle + QPoint(off, 0)) * ratio));
        if (std::abs(found.red() - wanted.red()) + std::abs(found.green() - wanted.green()) +
                std::abs(found.blue() - wanted.blue()) <
            90)
            return true;
    }
    return false;
}

} // namespace assay::test
