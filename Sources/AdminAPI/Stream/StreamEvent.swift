//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Time

/// Something that has happened, for whoever may see it.
struct StreamEvent: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case payment
        case refusal
        case alarm
        case approval
        case heartbeat
        case end
    }

    /// Whose it is.
    enum Owner: Hashable, Sendable {
        case merchant(MerchantID)
        /// Of nobody in particular: for those who see all merchants.
        case house
    }

    let kind: Kind
    let owner: Owner
    /// Ids and words; nothing that a page would have to be sent twice.
    let data: JSONObject

    static func == (first: StreamEvent, second: StreamEvent) -> Bool {
        first.kind == second.kind && first.owner == second.owner && first.text == second.text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(self.text) }

    /// What a caller must have to be notified.
    private var scope: Scope {
        switch self.kind {
        case .payment, .refusal, .approval, .heartbeat, .end: .paymentsRead
        case .alarm: .systemRead
        }
    }

    /// - Parameter merchant: the only one that is asked for; `nil` for all that the caller sees.
    func isFor(_ access: Access, _ merchant: MerchantID?) -> Bool {
        guard access.allows(self.scope) else { return false }
        switch self.owner {
        case .house: return access.merchants == nil && merchant == nil
        case .merchant(let id):
            return (access.merchants?.contains(id) ?? true) && (merchant.map { $0 == id } ?? true)
        }
    }

    /// As it is sent (HTML, section 9.2.6): JSON has no line break that would end it.
    var text: String { "event: \(self.kind.rawValue)\ndata: \(JSON.object(self.data).text())\n\n" }

    static func heartbeat(at now: Timestamp) -> StreamEvent {
        StreamEvent(kind: .heartbeat, owner: .house, data: JSONObject([(name: "at", value: .string(now.description))]))
    }

    /// Why no more comes.
    enum End: String, Sendable {
        /// Whoever listens may not any more.
        case sessionEnded = "session_ended"
        /// The server is about to stop.
        case drain
        /// More has happened than is remembered: what was missed must be read.
        case behind
    }

    static func end(_ reason: End) -> StreamEvent {
        StreamEvent(
            kind: .end, owner: .house, data: JSONObject([(name: "reason", value: .string(reason.rawValue))]))
    }
}
