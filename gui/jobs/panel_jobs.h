#pragma once

#include "gui/jobs/job_runner.h"

#include "widgets/link/panel_request.h"

#include <QObject>

#include <map>
#include <string>
#include <utility>

namespace assay {

class Panel;

/// Computes what panels request, in the background. Each question of a panel has its own runner, on which the newest
/// request wins. A panel shows failed and stopped requests, and offers to retry. Requests of hidden panels wait.
class PanelJobs : public QObject {
    Q_OBJECT

public:
    explicit PanelJobs(QObject* parent = nullptr) : QObject(parent) {}

    /// The runners end with the panel.
    void request(Panel* panel, const PanelRequest& request);

    bool isRunning() const;
    void cancel();

signals:
    void runnerAdded(assay::JobRunner* runner);

private:
    /// A question of a panel.
    struct Asked {
        JobRunner* runner = nullptr;
        PanelRequest request{}; ///< the newest one, until it has been answered: it holds the audit
        bool isPaused = false;  ///< stopped because nobody watches
    };
    using Key = std::pair<Panel*, std::string>;

    Asked& askedOf(Panel* panel, const std::string& question);
    void start(const Key& key);
    void pause(Panel* panel, bool isWatched);
    /// Drops what the panel has asked for.
    void forget(Panel* panel);

    std::map<Key, Asked> asked_;
};

} // namespace assay
