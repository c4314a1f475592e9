//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

/// Whether PAYONE can be reached and takes the credentials. No money moves, and nothing is left behind.
struct PAYONECheck {
    let calls: PAYONECalls

    /// A payment process that can't exist.
    private static let noTxid = "000000000"

    func findings() async -> [ConnectorFinding] {
        var findings: [ConnectorFinding] = []
        for entry in self.calls.account.keys.entries {
            let reply = await self.ask(entry)
            if findings.isEmpty {
                let reachable = self.reachable(reply)
                guard reachable.isGood else { return [reachable] }
                findings.append(reachable)
            }
            findings.append(self.credentials(entry.name, reply))
        }
        return findings
    }

    /// The capture of a cent of a payment process that is not there. Whoever is known gets an error about that, whoever is
    /// not one about himself.
    private func ask(_ entry: PortalKeys.Entry) async -> PAYONEReply {
        guard let currency = self.calls.account.features.currencies.min(by: { $0.code < $1.code }) else {
            return .notProcessed(NotProcessed(.requestRefused, "currency_missing"))
        }
        let fields = FollowUpFields(
            order: "", key: "", ordinal: 1, amount: Money(minorUnits: 1, currency: currency),
            handle: [PAYONEClient.txid: Self.noTxid])
        return await self.calls.send(as: entry, within: self.calls.budget) { client throws(ClientError) in
            try client.capture(fields)
        }
    }

    private func reachable(_ reply: PAYONEReply) -> ConnectorFinding {
        let subject = "reachable"
        let host = self.calls.account.address.host
        switch reply {
        case .approved, .pending, .error:
            return ConnectorFinding(subject, isGood: true, "PAYONE answers at \(host)")
        case .notProcessed(let not) where not.reason == .notSent:
            return ConnectorFinding(
                subject, isGood: false, "no connection to \(host): \(ConnectionAdvice.text(not.word))")
        case .notProcessed(let not):
            return ConnectorFinding(
                subject, isGood: false, "\(host) does not answer as PAYONE does (\(not.word)): check the setting host")
        case .unknown(let unknown):
            return ConnectorFinding(
                subject, isGood: false, "\(host) gave no answer that could be read (\(unknown.word)): try again")
        }
    }

    private func credentials(_ name: String, _ reply: PAYONEReply) -> ConnectorFinding {
        let account = self.calls.account
        switch reply {
        // "Referenced payment process (txid) not found", or the parameter's number, is what comes after the credentials.
        case .error(ErrorVerdict.txidNotFound), .error(1008):
            return ConnectorFinding(name, isGood: true, "PAYONE takes it, with mode=\(account.mode)")
        case .error(let code):
            return ConnectorFinding(name, isGood: false, "PAYONE answers error \(code): \(self.advice(code))")
        case .notProcessed(let not):
            return ConnectorFinding(name, isGood: false, "not checked: \(ConnectionAdvice.text(not.word))")
        case .approved, .pending:
            return ConnectorFinding(
                name, isGood: false, "\(account.address.host) captures what is not there: this is not PAYONE")
        case .unknown(let unknown):
            return ConnectorFinding(name, isGood: false, "not checked (\(unknown.word)): try again")
        }
    }

    /// What to look at.
    private func advice(_ code: Int) -> String {
        switch code {
        case 1203, 2003: "check the setting mid"
        case 1204, 2004: "check the setting aid"
        case 1205, 2005: "check the setting portalid"
        case 1206, 2006, 2007:
            "it does not take this key; compare it with the portal's in the PAYONE Merchant Interface, and the setting "
                + "keyDigest with the portal's method"
        case 924: "the portal takes no test requests: its mode is live"
        case 925: "the portal takes no live requests: have PAYONE set it live"
        case 2001, 2002: "the channel Server API is not enabled for the portal: ask PAYONE"
        case 904, 990, 991: "it is not working now; try again later"
        default: "which says nothing about the key; docs/dialects/payone.md lists the numbers"
        }
    }
}
