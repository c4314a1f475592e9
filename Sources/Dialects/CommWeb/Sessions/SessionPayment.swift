//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway

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
        guard !session.isUsed || call.payload.hasPaymentDetails else {
            throw CommWebError(.sessionUsed, field: "session.id")
        }
        return session
    }

    /// After a payment nothing of a session can be charged again, not even from the store. If this fails, the session
    /// still ends within the hour, sealed.
    func spend(_ session: Session, of caller: Caller) async {
        _ = try? await self.sessions.change(session.id, of: caller.merchant) { current throws(CommWebError) in
            // The payer's device may have brought new details in between; those stay.
            guard current.revision == session.revision, !current.isUsed else { return }
            current.fields = current.fields.spent
            current.isUsed = true
        }
    }
}
