//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Time

/// Whether AlphaPay can be reached, takes the keys, and signs as the account says. A list of the day is asked for, which
/// moves no money and leaves nothing behind.
struct AlphaPayCheck {
    let calls: AlphaPayCalls
    let today: Timestamp

    func findings() async -> [ConnectorFinding] {
        var findings: [ConnectorFinding] = []
        for entry in self.calls.account.keys.entries {
            let ending = await self.calls.send(as: entry, within: self.calls.budget) { client throws(ClientError) in
                try client.transactions(day: self.day)
            }
            if findings.isEmpty {
                let reachable = self.reachable(ending)
                findings.append(reachable)
                guard reachable.isGood else { return findings }
            }
            findings.append(self.key(entry.name, ending))
        }
        return findings
    }

    /// "20260131".
    private var day: String { String(self.today.rfc3339Seconds.prefix(10).filter { $0 != "-" }) }

    private func reachable(_ ending: AlphaPayEnding) -> ConnectorFinding {
        let subject = "reachable"
        let host = self.calls.account.address.host
        switch ending {
        case .answered, .notGenuine: return ConnectorFinding(subject, isGood: true, "\(host) answers")
        case .notProcessed(let not) where not.reason == .notSent:
            return ConnectorFinding(
                subject, isGood: false, "no connection to \(host): \(ConnectionAdvice.text(not.word))")
        case .notProcessed(let not):
            return ConnectorFinding(
                subject, isGood: false,
                "\(host) does not answer as AlphaPay does (\(not.word)): check the setting host, or try again later")
        case .unknown(let unknown):
            return ConnectorFinding(
                subject, isGood: false, "\(host) gave no answer that can be read (\(unknown.word)): try again later")
        }
    }

    private func key(_ name: String, _ ending: AlphaPayEnding) -> ConnectorFinding {
        switch ending {
        case .answered(let answer) where answer.status == .done:
            return ConnectorFinding(name, isGood: true, "AlphaPay takes it, and signs with the key that is known")
        case .answered(let answer) where ResultMeaning.isAboutTheKey(answer.code):
            return ConnectorFinding(
                name, isGood: false,
                "AlphaPay does not take its signature (\(answer.word)): enter its public half there, and check keyVersion"
            )
        case .answered(let answer) where answer.code == "SIGN_TIMEOUT":
            return ConnectorFinding(name, isGood: false, "AlphaPay's clock is another: set this machine's clock")
        case .answered(let answer):
            return ConnectorFinding(
                name, isGood: false, "AlphaPay did not answer the question (\(answer.word)): ask AlphaPay")
        case .notGenuine:
            return ConnectorFinding(
                name, isGood: false,
                "the answer is not signed by the key that is known: check merchantCode and gatewayPublicKey")
        case .notProcessed(let not):
            return ConnectorFinding(name, isGood: false, "not checked (\(not.word)): try again")
        case .unknown(let unknown):
            return ConnectorFinding(name, isGood: false, "not checked (\(unknown.word)): try again")
        }
    }
}
