#pragma once

namespace assay {

class AuditSession;

/// Selections that follow from what is known of the samples: of the current model's, and of those that are shown.
class SelectionCommands {
public:
    explicit SelectionCommands(AuditSession* session) : session_(session) {}

    void rejected() const;
    void rejectedByHand() const;
    void acceptedByHand() const;
    void unsure() const;
    /// What has no verdict by hand.
    void undecided() const;
    /// Those of the real set, too.
    void tagged(int tag) const;
    /// What its verdict accuses of something.
    void accused() const;
    /// Real samples whose ball holds none of the model's.
    void uncovered() const;
    /// Those that are not selected.
    void others() const;

private:
    AuditSession* session_;
};

} // namespace assay
