//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments

/// A request of a merchant's server, ready to be sent again and again.
struct ShopCall: Sendable {
    let key: String
    let kind: Payments.Operation.Kind
    let minorUnits: Int64?
    let client: any WireClient
    let request: ClientRequest

    /// What an answer says; `nil` for one that says nothing definite.
    func read(_ reply: ClientReply) -> ShopAnswer? {
        let reading = self.client.read(reply, to: self.request)
        guard reading.isDefinite else { return nil }
        return ShopAnswer(answer: reading.isDone ? .approved : .notDone(reading.text), reading: reading)
    }
}

struct ShopAnswer: Sendable {
    let answer: Receipts.Answer
    let reading: Reading
}
