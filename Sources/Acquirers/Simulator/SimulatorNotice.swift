//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Money
import Payments
public import Redaction
import StrictJSON

/// What the simulator reports by itself: for whoever wants to see a capture fail, or a chargeback come, on a laptop.
///
/// The body is JSON, the header `pomona-signature` is HMAC-SHA256 over it in hexadecimal, under the account's secret:
///
/// | member | |
/// |---|---|
/// | `operation`, `handle` | the operation, by our id or by the simulator's name of it |
/// | `event` | `changed`, `approved`, `declined`, `failed`, `chargeback`, `chargebackReversed` |
/// | `amount` | `{"minorUnits": 1000, "currency": "AUD"}`; of `approved` and `chargeback` |
/// | `reason` | of `declined` and `failed`, by the names of ``DeclineReason``; without it, unspecified |
/// | `fee` | like `amount`; of a chargeback |
/// | `reference` | the report's own name; a chargeback is given up by it |
/// | `chargeback` | of `chargebackReversed`: the reference of the chargeback |
public struct SimulatorNotice: Sendable {
    public static let secretName = "noticeSecret"
    public static let signatureHeader = "pomona-signature"

    /// The value of ``signatureHeader`` for a body.
    public static func signature(of body: [UInt8], secret: Redacted<String>) -> String {
        let key = SymmetricKey(data: Array(secret.reveal().utf8))
        return Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: body, using: key)))
    }

    static func read(_ call: NoticeCall, secret: Redacted<String>) -> NoticeReading {
        guard let signature = call.headers[self.signatureHeader].flatMap({ Hex.decode($0) }),
            HMAC<SHA256>.isValidAuthenticationCode(
                signature, authenticating: call.body, using: SymmetricKey(data: Array(secret.reveal().utf8)))
        else { return .refused(NoticeAnswer(status: 401), word: "signature_wrong") }
        guard let json = try? JSON.parse(call.body), let notice = AcquirerNotice(simulated: json) else {
            return .refused(NoticeAnswer(status: 400), word: "notice_not_readable")
        }
        return .notices([notice], answer: NoticeAnswer())
    }
}

extension AcquirerNotice {
    fileprivate init?(simulated json: JSON) {
        let subject: Subject
        if let id = json["operation"]?.string.flatMap(OperationID.init) {
            subject = .operation(id)
        } else if let handle = json["handle"]?.string {
            subject = .handle(handle)
        } else {
            return nil
        }
        let reason = json["reason"]?.string.map(DeclineReason.init(rawValue:)) ?? .unspecified
        let answer = AcquirerAnswer()
        let event: Event
        switch (json["event"]?.string, Money(simulated: json["amount"]), reason) {
        case ("approved", let amount?, _):
            event = .resolved(.approved(AcquirerApproval(amount: amount, answer: answer)))
        case ("declined", _, let reason?):
            event = .resolved(.declined(AcquirerDecline(reason: reason, answer: answer)))
        case ("changed", _, _): event = .changed
        case ("failed", _, let reason?): event = .failedLate(reason, answer)
        case ("chargeback", let amount?, _): event = .chargedBack(amount, fee: Money(simulated: json["fee"]))
        case ("chargebackReversed", _, _):
            guard let chargeback = json["chargeback"]?.string else { return nil }
            event = .chargebackReversed(of: chargeback)
        default: return nil
        }
        self.init(subject, event, reference: json["reference"]?.string)
    }
}

extension Money {
    fileprivate init?(simulated json: JSON?) {
        guard let minorUnits = json?["minorUnits"]?.integer, (1...Money.minorUnitsMax).contains(minorUnits),
            let currency = json?["currency"]?.string.flatMap(Currency.alphabetic)
        else { return nil }
        self.init(minorUnits: minorUnits, currency: currency)
    }
}
