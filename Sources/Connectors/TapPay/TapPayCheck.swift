//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import StrictJSON

/// Whether TapPay can be reached and takes the keys. No money moves, and nothing is left behind.
struct TapPayCheck {
    let calls: TapPayCalls

    func findings() async -> [ConnectorFinding] {
        var findings: [ConnectorFinding] = []
        for entry in self.calls.account.partnerKeys.entries {
            let reply = await self.askForNothing(entry)
            if findings.isEmpty {
                findings.append(self.reachable(reply))
                guard findings[0].isGood else { return findings }
            }
            findings.append(self.partnerKey(entry.name, reply))
        }
        for entry in self.calls.account.appKeys.entries {
            findings.append(self.appKey(entry.name, await self.makeNoPrime(entry)))
        }
        return findings
    }

    // MARK: - Calls

    /// A trade that can't exist is asked for, among those of the account's merchant.
    private func askForNothing(_ entry: TapPayKeys.Entry) async -> TapPayReply {
        let merchantID = self.calls.account.merchantID
        return await self.calls.send(entry, within: self.calls.budget) { client throws(ClientError) in
            client.query(named: "pomona-check", of: merchantID)
        }
    }

    /// A prime is asked for with a token that is none.
    private func makeNoPrime(_ entry: TapPayKeys.Entry) async -> TapPayReply {
        let nothing: JSON = [
            "version": "EC_v1", "data": "AA==", "signature": "AA==",
            "header": ["ephemeralPublicKey": "AA==", "publicKeyHash": "AA==", "transactionId": "00"],
        ]
        return await self.calls.send(entry, within: self.calls.budget) { client throws(ClientError) in
            client.getPrime(SealedToken(paymentData: nothing))
        }
    }

    // MARK: - Findings

    private var host: String { self.calls.account.address.host }

    private func reachable(_ reply: TapPayReply) -> ConnectorFinding {
        let subject = "reachable"
        switch reply {
        case .notProcessed(let not) where not.reason == .notSent:
            return ConnectorFinding(
                subject, isGood: false, "no connection to \(self.host): \(ConnectionAdvice.text(not.word))")
        case .notProcessed(let not) where not.reason == .requestRefused:
            return ConnectorFinding(
                subject, isGood: false,
                "\(self.host) does not answer as TapPay does (\(not.word)): check the setting host")
        case .unknown(let unknown):
            return ConnectorFinding(
                subject, isGood: false,
                "\(self.host) gave no answer that could be read (\(unknown.word)): try again, and check the setting host"
            )
        case .answered, .notProcessed:
            return ConnectorFinding(subject, isGood: true, "TapPay answers at \(self.host)")
        }
    }

    private func partnerKey(_ name: String, _ reply: TapPayReply) -> ConnectorFinding {
        if reply.isAboutTheKey {
            return ConnectorFinding(name, isGood: false, "TapPay does not take it: copy it from the Portal again")
        }
        guard case .answered(let answer) = reply else { return self.notChecked(name, reply) }
        switch answer.status {
        case 0, 2:
            return ConnectorFinding(
                name, isGood: true, "TapPay takes it for merchant \(self.calls.account.merchantID)")
        case 4:
            return ConnectorFinding(
                name, isGood: false,
                "TapPay does not take calls from this address: enter it in the Portal (Developer, System Settings)")
        case 61, 84, 548:
            return ConnectorFinding(
                name, isGood: false,
                "the partner has no merchant \(self.calls.account.merchantID): check the setting merchantId")
        default: return self.notChecked(name, reply)
        }
    }

    private func appKey(_ name: String, _ reply: TapPayReply) -> ConnectorFinding {
        if reply.isAboutTheKey {
            return ConnectorFinding(name, isGood: false, "TapPay does not take it: copy it from the Portal again")
        }
        guard case .answered(let answer) = reply else { return self.notChecked(name, reply) }
        switch answer.status {
        case 11, 13:
            return ConnectorFinding(name, isGood: false, "TapPay has no such app: check the setting appId")
        case 12:
            return ConnectorFinding(name, isGood: false, "the app has another name: check the setting appName")
        case 13_002:
            return ConnectorFinding(
                name, isGood: false,
                "TapPay does not take the Apple Pay merchant identifier: check the setting appleMerchantId")
        // It has looked at the token, and found that it is none.
        case 122, 501...669, 916, 917: return ConnectorFinding(name, isGood: true, "TapPay takes it")
        default: return self.notChecked(name, reply)
        }
    }

    private func notChecked(_ name: String, _ reply: TapPayReply) -> ConnectorFinding {
        let word =
            switch reply {
            case .answered(let answer): answer.word
            case .notProcessed(let not): not.word
            case .unknown(let unknown): unknown.word
            }
        return ConnectorFinding(name, isGood: false, "not checked (\(word)): try again")
    }
}
