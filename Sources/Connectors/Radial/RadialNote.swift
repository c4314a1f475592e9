//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments

/// What the connector notes on an operation for its own later calls, beside what ``RadialClient`` names.
enum RadialNote {
    /// Of a capture and of a sale: what the confirmation of its funds said.
    static let funds = "FundsAvailable"
    static let reauthorization = "ReauthorizationAttempted"
    /// Of an authorization that goes on by queries: ``Standing``. Without it a person decides.
    static let standing = "Standing"
    /// Of a sale: that its debit has been acknowledged.
    static let debit = "Debit"
    static let acknowledged = "acknowledged"
    /// Of a sale: why it comes to nothing once its authorization is given back, a ``DeclineReason``.
    static let refusal = "Refusal"

    enum Standing: String {
        case approved
        /// The issuer did not answer in time, and the service has taken the order all the same.
        case unanswered
    }

    /// The name by which the event of a cancellation is found: it has neither the request's id nor anything else of ours
    /// but the order.
    static func handle(_ orderID: String) -> String { "order/" + orderID }
}

extension AcquirerMemo {
    /// By what an order is called in all that follows.
    init(radialAccount account: String, _ tenderType: String, of orderID: String) {
        self.init(handles: [RadialNote.handle(orderID)])
        self[RadialClient.account] = account
        self[RadialClient.tenderType] = tenderType
    }
}

extension OriginalOperation {
    /// Whether its reply has said by what it is to be called.
    var hasRadialAccount: Bool {
        self.memo[RadialClient.account] != nil && self.memo[RadialClient.tenderType] != nil
    }

    var isCancelable: Bool { self.kind == .authorization && self.hasRadialAccount }
}
