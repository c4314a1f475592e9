//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import StrictJSON

extension CommWeb {
    /// The session that a payment names, if it can pay.
    func sessionForPayment(
        _ id: String, _ call: Call, _ caller: Caller
    ) async throws(CommWebError) -> Session {
        let session = try await self.sessions.session(id, of: caller.merchant)
        if let expected = try call.fields.text("session.version", max: 10), expected != session.version {
            throw CommWebError(.sessionVersionDiffers, field: "session.version")
        }
        guard session.updateStatus == .success else {
            throw CommWebError(.sessionNotUpdated, field: "session.id")
        }
        guard !session.isUsed || call.payload.hasInstrument else {
            throw CommWebError(.sessionUsed, field: "session.id")
        }
        return session
    }

    /// Reserves the session's details for one transaction before they are sent to the acquirer: two payments at the
    /// same time would otherwise both find them unused.
    func claim(_ session: Session, for name: TransactionName, of caller: Caller) async throws(CommWebError) {
        guard !session.claim.isExactly(name.key) else { return }
        _ = try await self.sessions.change(session.id, of: caller.merchant) { current throws(CommWebError) in
            guard !current.isUsed else { throw CommWebError(.sessionUsed, field: "session.id") }
            guard current.revision == session.revision, current.claim?.isExactly(name.key) ?? true else {
                throw CommWebError(.sessionConflict, field: "session.id")
            }
            current.claim = name.key
        }
    }

    /// After a refusal, when nothing was sent. If this fails, the session needs new details.
    func release(_ session: Session, from name: TransactionName, of caller: Caller) async {
        _ = try? await self.sessions.change(session.id, of: caller.merchant) { current throws(CommWebError) in
            if current.claim.isExactly(name.key) { current.claim = nil }
        }
    }

    /// After a payment nothing of a session can be charged again, not even from the store. If this fails, the session
    /// still ends within the hour, sealed, and its details remain claimed.
    func spend(_ session: Session, by name: TransactionName, of caller: Caller) async {
        _ = try? await self.sessions.change(session.id, of: caller.merchant) { current throws(CommWebError) in
            // The payer's device may have brought new details in between, which ends the claim; those stay.
            guard current.claim.isExactly(name.key) else { return }
            current.claim = nil
            current.fields = current.fields.spent
            current.isUsed = true
        }
    }
}
