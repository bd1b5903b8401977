#pragma once

#include <QObject>

#include <cstdint>
#include <optional>

namespace assay {

/// Numbers the presses of a mouse button in this application, so that everything edited during one press (dragging a
/// slider, brushing a chart) can become one undo step.
class GestureTracker : public QObject {
    Q_OBJECT

public:
    explicit GestureTracker(QObject* parent = nullptr);

    /// The press going on, its release included; none between presses.
    std::optional<std::uint64_t> current() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::uint64_t gesture_ = 0;
    std::uint64_t pressTime_ = 0;
    bool active_ = false; ///< from the press until its release has been dealt with
    bool held_ = false;   ///< a button is down
};

} // namespace assay
