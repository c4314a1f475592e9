//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments

/// The calls of one account.
struct RadialCalls: Sendable {
    typealias Make = (RadialClient) throws(ClientError) -> ClientRequest

    let keys: RadialKeys
    let calls: ClientCalls

    var chargeBudget: UpstreamBudget { self.calls.chargeBudget }
    var budget: UpstreamBudget { self.calls.budget }

    /// What one key is refused for is sent with the other: nothing was done for the first.
    func send(within budget: UpstreamBudget, _ make: Make) async -> RadialReply {
        var reply = RadialReply.notProcessed(NotProcessed(.notSent, "no_time_left"))
        for (index, entry) in self.keys.inOrder {
            reply = await self.send(with: entry, within: budget, make)
            if reply.isAnswer { self.keys.noteTaken(index) }
            guard reply.isRefusalOfKey else { return reply }
        }
        return reply
    }

    /// With one of the keys and no other.
    func send(with entry: RadialKeys.Entry, within budget: UpstreamBudget, _ make: Make) async -> RadialReply {
        // The body says what a refusal is about, too.
        RadialReply(await self.calls.send(as: entry.client, within: budget, statuses: 200...499, make))
    }

    /// Sends what is done once however often it comes, because its `requestId` is the same ("used for duplicate request
    /// protection"): where the answer was lost, once more within the call's time.
    ///
    /// Of the repeat only a reply counts. That it is refused, or not processed, says nothing of the first.
    func submit(
        within budget: UpstreamBudget, _ make: Make, outcome: (RadialReply) -> AcquirerOutcome
    ) async -> AcquirerOutcome {
        let first = outcome(await self.send(within: budget, make))
        guard case .unknown = first, budget.remainingMilliseconds > 0 else { return first }
        let reply = await self.send(within: budget, make)
        switch reply {
        case .read, .received: break
        case .fault, .notProcessed, .unknown: return first
        }
        let second = outcome(reply)
        switch second {
        case .approved, .declined, .accepted: return second
        case .notProcessed, .unknown: return first
        }
    }
}
