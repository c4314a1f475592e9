//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// A call that a shop makes, and may make again: the same key, the same contents.
struct ShopRequest: Sendable {
    enum Contents: Sendable {
        /// The context is filled in when it is sent.
        case authorize(@Sendable (CallContext) -> AuthorizeCommand)
        case followUp(@Sendable (CallContext) -> FollowUpCommand)
    }

    /// Counts the requests of a history.
    let number: Int
    /// What it is, for the trace.
    let name: String
    /// Whether it has a key. Without one it can't be repeated.
    let isRepeatable: Bool
    let contents: Contents

    /// - Parameter changed: whether it claims to ask for something else under the same key.
    func send(to gateway: Gateway, changed: Bool = false) async throws(GatewayRefusal) -> OperationOutcome {
        let account = try await gateway.account(dialect: World.dialect, key: World.accountKey)
        guard let account else { throw .storeUnavailable }
        let digest = requestDigest(Array("\(self.number)\(changed ? " changed" : "")".utf8))
        let idempotency = CallContext.Idempotency(operation: "call", key: "key-\(self.number)", digest: digest)
        let context = CallContext(merchant: account, idempotency: self.isRepeatable ? idempotency : nil)
        switch self.contents {
        case .authorize(let command): return try await gateway.authorize(command(context))
        case .followUp(let command): return try await gateway.followUp(command(context))
        }
    }
}
