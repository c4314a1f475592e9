//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments

/// The calls of one account.
struct PAYONECalls: Sendable {
    let account: PAYONEAccount
    let calls: ClientCalls

    /// Of an operation for which an issuer is asked.
    var chargeBudget: UpstreamBudget { self.calls.chargeBudget }

    var budget: UpstreamBudget { self.calls.budget }

    /// What one key is refused for is sent with the other: "Key incorrect" says that nothing was done.
    func send(
        within budget: UpstreamBudget, _ make: (PAYONEClient) throws(ClientError) -> ClientRequest
    ) async -> PAYONEReply {
        var reply = PAYONEReply.notProcessed(NotProcessed(.notSent, "no_time_left"))
        for (index, entry) in self.account.keys.inOrder {
            guard budget.remainingMilliseconds > 0 else { return reply }
            reply = await self.send(as: entry, within: budget, make)
            if reply.refusesTheKey { continue }
            if reply.isTheServices { self.account.keys.noteTaken(index) }
            return reply
        }
        return reply
    }

    /// With one of the keys and no other.
    func send(
        as entry: PortalKeys.Entry, within budget: UpstreamBudget,
        _ make: (PAYONEClient) throws(ClientError) -> ClientRequest
    ) async -> PAYONEReply {
        switch await self.calls.send(as: entry.client, within: budget, make) {
        case .answered(let reading, _): PAYONEReply(reading)
        case .notProcessed(let not): .notProcessed(not)
        case .unknown(let unknown): .unknown(unknown)
        }
    }
}
