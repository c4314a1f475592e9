//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments

/// A request of a merchant's server, ready to be sent again and again.
public struct ShopCall: Sendable {
    public let key: String
    public let kind: PaymentOperation.Kind
    public let minorUnits: Int64?
    public let client: any WireClient
    public let request: ClientRequest
    /// Whether its repeat is answered as it was, also when it failed.
    public let keepsItsFailure: Bool
    /// What is asked instead, every other time, once the request has been answered that its outcome has to be asked for.
    public var inquiry: ClientRequest?

    /// The same call, as it asks what has become of it; `nil` for one that is simply sent again.
    public var asInquiry: ShopCall? {
        self.inquiry.map { inquiry in
            ShopCall(
                key: self.key, kind: self.kind, minorUnits: self.minorUnits, client: self.client, request: inquiry,
                keepsItsFailure: self.keepsItsFailure)
        }
    }

    /// What an answer says; `nil` for one that says nothing definite.
    public func read(_ reply: ClientReply) -> ShopAnswer? {
        let reading = self.client.read(reply, to: self.request)
        guard reading.isDefinite else { return nil }
        return ShopAnswer(answer: reading.isDone ? .approved : .notDone(reading.text), reading: reading)
    }
}

public struct ShopAnswer: Sendable {
    /// What an answer says of an operation.
    public enum Outcome: Hashable, Sendable {
        case approved
        /// Declined or refused: nothing has been done.
        case notDone(String)
    }

    public let answer: Outcome
    public let reading: Reading
}
