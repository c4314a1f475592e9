//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Money
import Payments
import StrictJSON

/// What has become of an operator's act.
struct PaymentActReport: Sendable {
    let outcome: OperationOutcome
    let merchantName: String
    let key: String
    /// Whether no gateway runs on the store.
    let isAlone: Bool

    private static let declined = ExitCode.failure
    private static let unknown = ExitCode(2)

    /// `nil` for what is done, or taken by the acquirer.
    var exit: ExitCode? {
        switch self.outcome.operation.state {
        case .succeeded, .accepted: nil
        case .failed: Self.declined
        case .pending, .unknown: Self.unknown
        }
    }

    func write(to console: Console, json: Bool) {
        guard json else {
            for line in Text.wrapped(self.text, width: 100) { console.line(line) }
            return
        }
        var object = self.outcome.view(merchant: self.merchantName)
        object["key"] = .string(self.key)
        console.line(JSON.object(object).text(pretty: true))
    }

    /// For people.
    var text: String {
        let before = self.outcome.isRepeat ? "Nothing was done again; with this key: " : ""
        return "\(before)\(self.end) The key of this act is \(self.key)."
    }

    private var end: String {
        let (operation, payment) = (self.outcome.operation, self.outcome.payment)
        let act = "the \(operation.kind.rawValue) of \(operation.amount) (\(operation.id))"
        guard let end = operation.state.end(of: act) else {
            return "Done: \(act). \(payment.id) is \(payment.state.words) now."
        }
        guard self.exit == Self.unknown else { return end }
        let then =
            self.isAlone
            ? "No gateway runs on this directory: it is found out when one is started."
            : "A running gateway finds it out; see pomona payments show \(operation.id)."
        return "\(end) \(then)"
    }
}

extension PossibleActs {
    /// For people.
    var fields: Fields {
        var fields = Fields()
        fields.add(
            "capture",
            self.capture.words { capture in
                self.words(capture.upTo, isInParts: capture.isInParts)
                    + (capture.mayBeFinal ? "" : ", not as the last one yet")
            })
        fields.add("void", self.void.words { "\($0.isSale ? "the sale" : "the authorization") of \($0.amount)" })
        fields.add(
            "refund",
            self.refund.words { refund in
                let captures = refund.captures.map { "\($0.left) of \($0.capture)" }.joined(separator: ", ")
                return self.words(refund.upTo, isInParts: refund.isInParts) + (captures.isEmpty ? "" : ": \(captures)")
            })
        return fields
    }

    private func words(_ upTo: Money, isInParts: Bool) -> String {
        isInParts ? "up to \(upTo)" : "\(upTo), all at once"
    }
}

extension PossibleActs.Possibility {
    fileprivate func words(_ words: (Bounds) -> String) -> String {
        switch self {
        case .possible(let bounds): words(bounds)
        // It says both: what the cardholder's bank has taken back is not voided or refunded either.
        case .refused(.alreadyRefunded): "no: already refunded or charged back"
        case .refused(let refusal): "no: \(refusal.rawValue.spaced)"
        case .notOffered: "no: not offered"
        }
    }
}
