//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction
import StrictJSON

/// The calls of one account. A key that TapPay refuses did nothing, so the same is sent with the other one.
struct TapPayCalls: Sendable {
    let account: TapPayAccount
    let calls: ClientCalls

    typealias Making = @Sendable (TapPayClient) throws(ClientError) -> ClientRequest

    var chargeBudget: UpstreamBudget { self.calls.chargeBudget }
    var budget: UpstreamBudget { self.calls.budget }

    /// What an app or a page does, with the app key.
    func asApp(within budget: UpstreamBudget, _ make: Making) async -> TapPayReply {
        await self.send(self.account.appKeys, within: budget, make)
    }

    /// What the merchant's server does, with the partner key.
    func asPartner(within budget: UpstreamBudget, _ make: Making) async -> TapPayReply {
        await self.send(self.account.partnerKeys, within: budget, make)
    }

    private func send(_ keys: TapPayKeys, within budget: UpstreamBudget, _ make: Making) async -> TapPayReply {
        var reply = TapPayReply.notProcessed(NotProcessed(.notSent, "no_key"))
        for (index, entry) in keys.inOrder {
            reply = await self.send(entry, within: budget, make)
            guard reply.isAboutTheKey else {
                keys.noteTaken(index)
                return reply
            }
        }
        return reply
    }

    /// With one of the keys and no other.
    func send(_ entry: TapPayKeys.Entry, within budget: UpstreamBudget, _ make: Making) async -> TapPayReply {
        TapPayReply(await self.calls.send(as: entry.client, within: budget, make))
    }
}

/// How a call ended.
enum TapPayReply: Sendable {
    case answered(TapPayAnswer)
    case notProcessed(NotProcessed)
    case unknown(UnknownOutcome)

    init(_ reply: UpstreamReply) {
        switch reply {
        case .notProcessed(let not): self = .notProcessed(not)
        case .unknown(let unknown): self = .unknown(unknown)
        case .answered(_, let reply):
            self = TapPayAnswer(reply.body).map { .answered($0) } ?? .unknown(.unclear("answer_unreadable"))
        }
    }

    /// Whether it says no more than that the key may not do this: HTTP 401, 403 or 407, or 16, 80 and 81 in `status`.
    var isAboutTheKey: Bool {
        switch self {
        case .notProcessed(let not): not.reason == .notAuthorized
        case .answered(let answer): [16, 80, 81].contains(answer.status)
        case .unknown: false
        }
    }

    /// Where a question was asked, all but an answer says nothing.
    var asQuestion: Result<TapPayAnswer, Unanswered> {
        switch self {
        case .answered(let answer): .success(answer)
        case .notProcessed(let not): .failure(Unanswered(.unclear(not.word)))
        case .unknown(let unknown): .failure(Unanswered(unknown))
        }
    }
}

/// Why a question has no answer.
struct Unanswered: Error, Sendable {
    let unknown: UnknownOutcome

    init(_ unknown: UnknownOutcome) {
        self.unknown = unknown
    }
}

/// An answer of TapPay's: JSON with a number in `status`, under HTTP 200 whatever the outcome.
struct TapPayAnswer: Sendable {
    let status: Int64
    let json: JSON

    init?(_ body: [UInt8]) {
        guard let json = try? JSON.parse(body), let status = json["status"]?.integer else { return nil }
        self.status = status
        self.json = json
    }

    var meaning: StatusMeaning { StatusMeaning(self.status) }

    /// For the log. A number that the vendor has not is not repeated: it could be anything.
    var word: String { self.meaning == .notUnderstood ? "status_not_understood" : "status_\(self.status)" }
}
