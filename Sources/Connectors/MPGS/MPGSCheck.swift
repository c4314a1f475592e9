//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import StrictJSON

/// Whether the gateway can be reached and takes the credentials. No money moves, and nothing is left behind.
struct MPGSCheck {
    let calls: MPGSCalls

    func findings() async -> [ConnectorFinding] {
        let reachable = await self.reachable()
        guard reachable.isGood else { return [reachable] }
        var findings = [reachable]
        for entry in self.calls.account.credentials.entries { findings.append(await self.credentials(entry)) }
        return findings
    }

    private func reachable() async -> ConnectorFinding {
        let subject = "reachable"
        let host = self.calls.account.address.host
        switch await self.calls.getInformation() {
        case .answered(let answer):
            guard answer.status == 200, let status = MPGSReply.json(answer)?["status"]?.string else {
                return ConnectorFinding(
                    subject, isGood: false,
                    "\(host) answered HTTP \(answer.status), and not as this gateway does: check the settings host and "
                        + "version")
            }
            return status == "OPERATING"
                ? ConnectorFinding(subject, isGood: true, "the gateway at \(host) is operating")
                : ConnectorFinding(
                    subject, isGood: false, "the gateway at \(host) is not operating now: try again later")
        case .notSent(let word):
            return ConnectorFinding(subject, isGood: false, "no connection to \(host): \(Self.advice(word))")
        case .unknown(let unknown):
            return ConnectorFinding(
                subject, isGood: false, "\(host) gave no whole answer (\(unknown.word)): try again, or ask the bank")
        }
    }

    /// A transaction that can't exist is asked for. Whoever is known gets an error about the transaction, whoever is
    /// not one about himself.
    private func credentials(_ entry: MPGSCredentials.Entry) async -> ConnectorFinding {
        let name = entry.name
        switch await self.calls.getTransaction("pomona-check", "none", as: entry) {
        case .answered(let answer) where [401, 403].contains(answer.status):
            return ConnectorFinding(
                name, isGood: false,
                "the gateway does not take it for merchant \(self.calls.account.merchantID) (HTTP \(answer.status)): "
                    + "check merchantId, and generate a new password in Merchant Administration if need be")
        case .answered(let answer):
            guard case .error(let error) = MPGSReply(answer), error.cause == .invalidRequest else {
                return ConnectorFinding(
                    name, isGood: false,
                    "the gateway answered HTTP \(answer.status), which says nothing about it: try again")
            }
            return error.isAboutTheCaller
                ? ConnectorFinding(
                    name, isGood: false, "the gateway does not take the settings merchantId or version: check both")
                : ConnectorFinding(name, isGood: true, "the gateway takes it")
        case .notSent(let word):
            return ConnectorFinding(name, isGood: false, "not checked: \(Self.advice(word))")
        case .unknown(let unknown):
            return ConnectorFinding(name, isGood: false, "not checked (\(unknown.word)): try again")
        }
    }

    private static func advice(_ word: String) -> String {
        switch word {
        case "tls_refused", "tls_failed":
            "TLS failed (\(word)); check the secrets clientCertificate and clientKey"
        default: ConnectionAdvice.text(word)
        }
    }
}
