//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

/// Whether the service can be reached and takes the keys. No money moves, and nothing is left behind.
struct RadialCheck {
    let account: RadialAccount
    let calls: RadialCalls
    /// Whether the account can take the events by which everything but an authorization ends.
    let takesNotices: Bool

    /// An account that cannot exist: its letters are no digits.
    static let nobodysAccount = "000000pomona0000"

    func findings() async -> [ConnectorFinding] {
        var findings: [ConnectorFinding] = []
        for entry in self.calls.keys.entries {
            let reply = await self.calls.send(with: entry, within: self.calls.budget) { client throws(ClientError) in
                guard let currency = Currency.alphabetic("USD") else {
                    throw ClientError(.fieldMissing, "There is no US dollar.")
                }
                return client.lookUpTender(account: Self.nobodysAccount, currency: currency)
            }
            if findings.isEmpty {
                let reachable = self.reachable(reply)
                findings.append(reachable)
                guard reachable.isGood else { break }
            }
            findings.append(self.finding(of: entry.name, reply))
        }
        findings.append(self.notices)
        return findings
    }

    private func reachable(_ reply: RadialReply) -> ConnectorFinding {
        let subject = "reachable"
        let host = self.account.address.host
        switch reply {
        case .read, .fault: return ConnectorFinding(subject, isGood: true, "the service at \(host) answers")
        case .notProcessed(let not) where not.reason == .notSent:
            return ConnectorFinding(subject, isGood: false, "\(host): \(ConnectionAdvice.text(not.word))")
        case .notProcessed: return ConnectorFinding(subject, isGood: true, "\(host) answers")
        case .received: return self.notTheService(RadialReply.unreadable)
        case .unknown(let unknown): return self.notTheService(unknown)
        }
    }

    private func notTheService(_ unknown: UnknownOutcome) -> ConnectorFinding {
        ConnectorFinding(
            "reachable", isGood: false,
            "\(self.account.address.host) gave no answer of this service's (\(unknown.word)): check the settings host and "
                + "version, and try again")
    }

    /// The tender type of an account that cannot exist is asked for. Whoever is known gets an answer about the account.
    private func finding(of name: String, _ reply: RadialReply) -> ConnectorFinding {
        switch reply {
        case .read: return ConnectorFinding(name, isGood: true, "the service takes it")
        case .fault(let fault):
            switch fault.meaning {
            case .caller: return self.wrongKey(name)
            case .refused("operation_unknown"):
                return ConnectorFinding(
                    name, isGood: false, "not checked: the service knows no such path; check the setting version")
            case .refused, .token, .card, .state: return ConnectorFinding(name, isGood: true, "the service takes it")
            case .busy, .open:
                return ConnectorFinding(name, isGood: false, "not checked: the service is busy; try again")
            }
        case .notProcessed(let not) where not.reason == .notAuthorized: return self.wrongKey(name)
        case .notProcessed(let not):
            return ConnectorFinding(name, isGood: false, "not checked (\(not.word)): check host and version")
        case .received:
            return ConnectorFinding(name, isGood: false, "not checked (\(RadialReply.unreadable.word)): try again")
        case .unknown(let unknown):
            return ConnectorFinding(name, isGood: false, "not checked (\(unknown.word)): try again")
        }
    }

    private func wrongKey(_ name: String) -> ConnectorFinding {
        ConnectorFinding(
            name, isGood: false,
            "the service does not take it for store \(self.account.storeID): check storeId and version, for each of which "
                + "keys are made, and whether the key has been replaced")
    }

    private var notices: ConnectorFinding {
        let setting = RadialAccount.Setting.noticeUser
        let secret = RadialAccount.Secret.noticePassword
        return self.takesNotices
            ? ConnectorFinding("notices", isGood: true, "Radial's webhooks are taken")
            : ConnectorFinding(
                "notices", isGood: false,
                "captures, refunds and voids end by Radial's webhooks alone, and none are taken: set \(setting) and "
                    + secret)
    }
}
