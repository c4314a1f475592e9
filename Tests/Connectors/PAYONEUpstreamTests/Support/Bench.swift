//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import Redaction
import TestUpstream
import Testing
import Time

@testable import PAYONEUpstream

/// Accounts, tokens and requests of tests. Nothing here is anybody's.
enum Bench: ConnectorBench {
    /// A payment's first request opens it.
    static let usualOrdinal = 2
    static let mid = "10001"
    static let aid = "20002"
    static let portalID = "2030405"
    static let key = "p0rtal-key-0f-a-test"
    static let keyMD5 = "07953001a8e406a50bf9df59bc52f93e"
    static let keySHA384 =
        "2396cc0bd3f305aee654f0793b0282ac187a19f039c7c17a2eb0a41e82a3d37f58d07e89adbec3d07096a3d55f19550a"
    static let secondKey = "an0ther-key-0f-a-test"
    static let secondKeyMD5 = "f4cd279888419c44421a4789a4ebb305"
    static let secondKeySHA384 =
        "fa2129fec9e79e84c4813b4366330579c2ba9e9cbdd9fa994cc17fa1ad4abe0d6a339edf4fd88eca16d4d915d487eeb5"
    static let txid = "123456789"

    static func money(_ minorUnits: Int64, _ code: String = "EUR") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    // MARK: - Tokens

    /// A token's parts, none of which opens.
    static let tokenData = "c2VhbGVkLXRva2VuLWRhdGE+"
    static let tokenSignature = "c2VhbGVkLXRva2VuLXNpZ25hdHVyZQ=="
    static let tokenKey = "ZXBoZW1lcmFsLXB1YmxpYy1rZXk="
    static let tokenKeyHash = "cHVibGljLWtleS1oYXNoLW9mLXRoaXJ0eS10d28tYnk="
    static let paymentData = """
        {"version":"EC_v1","data":"\(Bench.tokenData)","signature":"\(Bench.tokenSignature)",\
        "header":{"ephemeralPublicKey":"\(Bench.tokenKey)","publicKeyHash":"\(Bench.tokenKeyHash)",\
        "transactionId":"12d7a0"}}
        """

    static func instrument(_ paymentData: String = Bench.paymentData) -> PaymentInstrument {
        .sealedApplePayToken(
            SealedApplePayToken(
                paymentData: Redacted(Array(paymentData.utf8)), transactionIdentifier: "12d7a0", network: "Visa"))
    }

    // MARK: - Accounts

    /// What every account of a test has; `nil` takes a setting away.
    static func settings(_ changes: [String: String?] = [:]) -> [String: String] {
        var all = [
            "mid": self.mid, "aid": self.aid, "portalid": self.portalID, "voids": "true", "defaultLastName": "Kunde",
            "defaultCountry": "DE", "networks": "visa, mastercard, girocard, amex, discover, jcb, unionPay",
        ]
        for (name, value) in changes { all[name] = value }
        return all
    }

    static func account(
        host: String? = nil, mode: Mode = .sandbox, acceptor: CardAcceptor = CardAcceptor(),
        settings: [String: String?] = [:], secrets: [String: String] = ["key": Bench.key]
    ) -> OpenedAcquirerAccount {
        var all = self.settings(settings)
        if let host { all["host"] = host }
        let account = AcquirerAccount(
            id: self.id(9), merchantID: self.id(8), name: "payone", connector: PAYONEConnector.connectorName,
            mode: mode, acceptor: acceptor, settings: all, createdAt: self.at)
        return OpenedAcquirerAccount(account, secrets: secrets.mapValues { Redacted($0) })
    }

    // MARK: - Requests

    static func authorize(_ amount: Money, _ charge: Charge = Bench.charge()) -> AcquirerRequest {
        self.request(.authorize(charge), amount, operation: self.authorizationID, ordinal: 1)
    }

    static func charge(
        _ network: CardNetwork = .visa, captures: Bool = false, details: ChargeDetails = ChargeDetails(),
        instrument: PaymentInstrument = Bench.instrument()
    ) -> Charge {
        Charge(instrument: instrument, network: network, captures: captures, details: details)
    }

    static func original(
        _ amount: Money, isSale: Bool = false, kind: PaymentOperation.Kind = .authorization,
        id: OperationID = Bench.authorizationID, captured: Money? = nil, txid: String? = Bench.txid
    ) -> OriginalOperation {
        OriginalOperation(
            id: id, kind: kind, isSale: isSale, amount: amount, begunAt: self.at, authorizedTotal: amount,
            capturedTotal: captured ?? .zero(amount.currency),
            memo: txid.map { PAYONEMemo.memo(txid: $0) } ?? AcquirerMemo())
    }

    /// Every operation that there is, by name.
    static func operations(_ amount: Money) -> [(name: String, request: AcquirerRequest)] {
        let original = self.original(amount)
        let sale = self.original(amount, isSale: true)
        return [
            ("authorize", self.authorize(amount)), ("sale", self.authorize(amount, self.charge(captures: true))),
            ("capture", self.request(.capture(of: original, isFinal: false), amount)),
            ("capture-final", self.request(.capture(of: original, isFinal: true), amount)),
            ("refund", self.request(.refund(of: sale, capture: nil), amount)),
            ("void", self.request(.void(original), amount)), ("reverse", self.request(.reverse(original), amount)),
            ("reverse-sale", self.request(.reverse(sale), amount)),
        ]
    }

    // MARK: - Calls

    static func lines(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\($0.1)\n" }.joined()
    }

    static let approved = Bench.lines([("status", "APPROVED"), ("txid", Bench.txid), ("userid", "987654321")])

    static func error(_ code: String, _ message: String = "No") -> String {
        Bench.lines([
            ("status", "ERROR"), ("errorcode", code), ("errormessage", message), ("customermessage", message),
        ])
    }

    static func answer(_ body: String, status: Int = 200) -> StubAnswer {
        StubAnswer(status: status, body: body, headers: [("Content-Type", "text/plain; charset=UTF-8")])
    }

    /// Runs a body with an acquirer that talks to a stub.
    static func with<Value: Sendable>(
        settings: [String: String?] = [:], secrets: [String: String] = ["key": Bench.key],
        acceptor: CardAcceptor = CardAcceptor(), script: @escaping StubUpstream.Script,
        _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        try await StubUpstream.with(script) { stub, client in
            let account = self.account(host: stub.url, acceptor: acceptor, settings: settings, secrets: secrets)
            return try await body(try PAYONEConnector(client: client).open(account), stub)
        }
    }

    /// Runs a body with an acquirer that is always answered so.
    static func with<Value: Sendable>(
        settings: [String: String?] = [:], secrets: [String: String] = ["key": Bench.key],
        acceptor: CardAcceptor = CardAcceptor(), answer: String, status: Int = 200,
        _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        let script: StubUpstream.Script = { _, _ in self.answer(answer, status: status) }
        return try await self.with(settings: settings, secrets: secrets, acceptor: acceptor, script: script, body)
    }

    /// What becomes of an operation that is answered so.
    static func outcome(
        _ request: AcquirerRequest, _ body: String, status: Int = 200
    ) async throws -> AcquirerOutcome {
        try await self.with(answer: body, status: status) { acquirer, _ in
            await acquirer.perform(request)
        }
    }

    static func notProcessed(_ reason: NotProcessedReason, _ word: String) -> AcquirerOutcome {
        .notProcessed(NotProcessed(reason, word))
    }
}
