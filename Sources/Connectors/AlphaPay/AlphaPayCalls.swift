//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments

/// The calls of one account. No answer counts that AlphaPay has not signed.
struct AlphaPayCalls: Sendable {
    let account: AlphaPayAccount
    let calls: ClientCalls

    var chargeBudget: UpstreamBudget { self.calls.chargeBudget }
    var budget: UpstreamBudget { self.calls.budget }

    /// Sends a request; signed with the other key too where AlphaPay does not take the first one's signature, which it
    /// says under its own: then nothing was done.
    func send(
        within budget: UpstreamBudget, _ make: (AlphaPayClient) throws(ClientError) -> ClientRequest
    ) async -> AlphaPayEnding {
        var ending = AlphaPayEnding.notProcessed(NotProcessed(.notSent, "no_time_left"))
        for (index, entry) in self.account.keys.inOrder {
            ending = await self.send(as: entry, within: budget, make)
            guard case .answered(let answer) = ending else { return ending }
            guard answer.status == .failed, ResultMeaning.isAboutTheKey(answer.code) else {
                self.account.keys.noteTaken(index)
                return ending
            }
        }
        return ending
    }

    /// With one of the keys and no other.
    func send(
        as entry: AlphaPayKeys.Entry, within budget: UpstreamBudget,
        _ make: (AlphaPayClient) throws(ClientError) -> ClientRequest
    ) async -> AlphaPayEnding {
        switch await self.calls.send(as: entry.client, within: budget, make) {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let reading, _):
            guard reading.body.json != nil else { return .unknown(.unclear("answer_unreadable")) }
            guard reading.isGenuine == true else { return .notGenuine }
            return AlphaPayAnswer(reading.body).map { .answered($0) } ?? .unknown(.unclear("answer_without_result"))
        }
    }
}

/// How a call ended.
enum AlphaPayEnding: Sendable {
    /// AlphaPay has signed this very answer.
    case answered(AlphaPayAnswer)
    /// Nothing was done, and nothing will be.
    case notProcessed(NotProcessed)
    case unknown(UnknownOutcome)
    /// An answer that is not signed by AlphaPay, and says nothing of what was done: AlphaPay does not know the
    /// Merchant-Code, its key is another than the account's, or somebody stands in between.
    case notGenuine

    static let notGenuineWord = "answer_not_signed_by_alphapay"
}
