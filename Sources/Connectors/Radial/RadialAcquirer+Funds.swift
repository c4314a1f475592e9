//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction

/// What the service says of the funds of an authorization.
enum FundsReply: Hashable {
    case available
    /// - Parameter wasReauthorized: whether the issuer has been asked again, and did not want it.
    case unavailable(wasReauthorized: Bool)
    case notProcessed(NotProcessed)
    /// Nobody knows; nothing has been settled by asking.
    case open(String)
}

extension RadialAcquirer {
    /// Whether an authorization still holds, asked with its own amount; where it does not, the issuer is asked again if
    /// the account says so.
    ///
    /// Moves no money, and holds nothing twice: the issuer is asked only where nothing is held.
    func confirmFunds(_ fields: FollowUpFields) async -> FundsReply {
        let reauthorizes = self.account.reauthorizes
        let reply = await self.calls.send(within: self.calls.budget) { client throws(ClientError) in
            try client.confirmFunds(fields, reauthorizes: reauthorizes)
        }
        switch reply {
        case .read(let reading): return Self.funds(reading, of: fields.order)
        case .received: return .open("funds_not_confirmed")
        case .fault(let fault):
            switch fault.outcomeOfFollowUp {
            case .notProcessed(let not): return .notProcessed(not)
            case .declined: return .unavailable(wasReauthorized: false)
            case .approved, .accepted, .unknown: return .open("funds_not_confirmed")
            }
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .open(unknown.word)
        }
    }

    private static func funds(_ reading: Reading, of orderID: String) -> FundsReply {
        guard case .xml(let xml) = reading.body, xml.root == "ConfirmFundsReply",
            xml.count(of: RadialNote.funds) == 1, xml["OrderId"].map({ $0 == orderID }) ?? true
        else { return .open("funds_not_confirmed") }
        switch xml[RadialNote.funds] {
        case "Success": return .available
        // The vendor's clients write a boolean as 1 or 0 (XML Schema, part 2, section 3.2.2 has both forms).
        case "Fail":
            return .unavailable(wasReauthorized: ["true", "1"].contains(xml[RadialNote.reauthorization]))
        default: return .open("funds_not_confirmed")
        }
    }

    // MARK: - Of a capture

    /// "Confirm funds before a settlement debit": what the answer says is noted before the debit is sent, so that a debit
    /// that is sent again is not taken for one that finds its own funds gone.
    func confirmFunds(of request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerPreparation {
        var fields = self.fields(request, original, amount: original.amount)
        fields.key += "-funds"
        var memo = AcquirerMemo()
        switch await self.confirmFunds(fields) {
        case .available: (memo[RadialNote.funds], memo[RadialNote.reauthorization]) = ("Success", "false")
        case .unavailable(let wasReauthorized):
            memo[RadialNote.funds] = "Fail"
            memo[RadialNote.reauthorization] = wasReauthorized ? "true" : "false"
        case .notProcessed(let not): return .notProcessed(not)
        // Nothing has been settled, and nothing will be.
        case .open: return .notProcessed(NotProcessed(.busy, "funds_not_confirmed"))
        }
        return .ready(memo)
    }
}
