//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
public import DialectKit
import Foundation
import HTTPTypes
import Money
public import Redaction
public import StrictJSON

/// A shop that speaks PAYONE's Server API: forms in, lines out (docs/dialects/payone.md).
public struct PAYONEClient: PaymentClient {
    public struct Credentials: Sendable {
        public var mid: String
        public var aid: String
        public var portalID: String
        public var key: Redacted<String>

        public init(mid: String, aid: String, portalID: String, key: Redacted<String>) {
            self.mid = mid
            self.aid = aid
            self.portalID = portalID
            self.key = key
        }
    }

    public let name = "payone"
    public let capturesAtOnce = false
    private let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] { [self.credentials.key] }

    /// Sends a request: the account's parameters and these. Answers the pairs of its lines.
    public func call(
        _ request: String, _ parameters: [(String, String)], on wire: ShopWire
    ) async throws(ShopWireError) -> [String: String] {
        let key = self.credentials.key.reveal()
        let account = [
            ("request", request), ("mid", self.credentials.mid), ("aid", self.credentials.aid),
            ("portalid", self.credentials.portalID), ("key", Hex.encode(SHA384.hash(data: Data(key.utf8)))),
            ("mode", "test"), ("encoding", "UTF-8"), ("api_version", "3.11"),
        ]
        let body = (account + parameters)
            .map { "\(PercentCoding.encoded($0.0))=\(PercentCoding.encoded($0.1))" }.joined(separator: "&")
        let reply = try await wire.call(
            ShopRequest(
                .post, "/post-gateway/", headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(body.utf8)))
        var values: [String: String] = [:]
        for line in reply.text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
        }
        guard values["status"] != nil else {
            throw ShopWireError("PAYONE's answer names no status (HTTP \(reply.status)).")
        }
        return values
    }
}

// MARK: - A shop's payment

extension PAYONEClient {
    /// PAYONE wants `state` where the address has one.
    private static let countriesWithStates: Set = ["US", "CA", "CN", "JP", "MX", "BR", "AR", "ID", "TH", "IN"]
    private static let txid = "txid"
    private static let sequenceNumber = "sequencenumber"

    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        guard case .token(let token) = instrument else { return .needsToken }
        let country = purchase.contact.countryCode ?? purchase.countryCode
        let state = Self.countriesWithStates.contains(country) ? [("state", purchase.contact.region)] : []
        let answer = try await self.call(
            "preauthorization",
            [
                ("amount", String(purchase.amount.minorUnits)), ("currency", purchase.amount.currency.code),
                ("reference", purchase.reference), ("clearingtype", "wlt"), ("wallettype", "APL"), ("cardtype", "?"),
                ("narrative_text", String(purchase.summary.prefix(81))),
                ("firstname", purchase.contact.givenName), ("lastname", purchase.contact.familyName),
                ("country", country),
            ] + state + Self.parameters(of: token), on: wire)
        if let txid = answer["txid"] {
            purchase.memory[Self.txid] = txid
            purchase.memory[Self.sequenceNumber] = "0"
        }
        return Self.step(answer)
    }

    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.follow("capture", purchase.amount.minorUnits, [("capturemode", "completed")], &purchase, wire)
    }

    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.follow("debit", -purchase.amount.minorUnits, [], &purchase, wire)
    }

    /// A capture of nothing that is the last one gives the reservation back.
    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.follow("capture", 0, [("capturemode", "completed")], &purchase, wire)
    }

    private func follow(
        _ request: String, _ minorUnits: Int64, _ parameters: [(String, String)], _ purchase: inout Purchase,
        _ wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        let number = (purchase.memory[Self.sequenceNumber].flatMap { Int($0) } ?? 0) + 1
        let answer = try await self.call(
            request,
            [
                ("txid", purchase.memory[Self.txid] ?? ""), ("sequencenumber", String(number)),
                ("amount", String(minorUnits)), ("currency", purchase.amount.currency.code),
            ] + parameters, on: wire)
        // What was refused uses no number.
        if answer["status"] == "APPROVED" { purchase.memory[Self.sequenceNumber] = String(number) }
        return Self.step(answer)
    }

    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? {
        let answer = try await self.call(
            "genericpayment",
            [
                ("add_paydata[action]", "init_applepay_session"), ("add_paydata[domain_name]", domain),
                ("clearingtype", "wlt"), ("wallettype", "APL"), ("currency", "EUR"),
            ], on: wire)
        guard answer["status"] == "OK" else {
            throw ShopWireError(Self.step(answer).message)
        }
        guard let session = answer["add_paydata[applepay_payment_session]"].flatMap({ Base64.decode($0) }),
            let json = try? JSON.parse(session), json.object != nil
        else { throw ShopWireError("PAYONE's answer holds no merchant session.") }
        return json
    }

    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("reference", purchase.reference), OrderFact("txid", purchase.memory[Self.txid]),
            OrderFact("amount", String(purchase.amount.minorUnits)),
            OrderFact("currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func read(_ notification: WireRequest) -> NotificationReading {
        let contentType = notification.headers[.contentType]
        let fields = try? FormFields(body: notification.body, contentType: contentType)
        func text(_ name: String) -> String? { fields.flatMap { try? $0.text(name, as: .latin1) } ?? nil }
        let key = Hex.encode(Insecure.MD5.hash(data: Data(self.credentials.key.reveal().utf8)))
        return NotificationReading(
            title: text("txaction") ?? "", reference: text("reference"), isGenuine: text("key") == key,
            acknowledgement: WireResponse(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: Array("TSOK".utf8)),
            codes: PAYONECodes.notes(txaction: text("txaction"), transactionStatus: text("transaction_status")))
    }

    private static func parameters(of token: JSON) -> [(String, String)] {
        let data = token["paymentData"]
        let header = data?["header"]
        return [
            ("version", data?["version"]), ("data", data?["data"]), ("signature", data?["signature"]),
            ("ephemeral_publickey", header?["ephemeralPublicKey"]), ("publickey_hash", header?["publicKeyHash"]),
            ("transaction_id", header?["transactionId"]),
        ].map { ("add_paydata[paymentdata_token_\($0)]", $1?.string ?? "") }
    }

    private static func step(_ answer: [String: String]) -> PaymentStep {
        let codes = PAYONECodes.notes(answer)
        return switch answer["status"] {
        case "APPROVED": PaymentStep(.approved, "APPROVED", reference: answer["txid"], codes: codes)
        case "PENDING": PaymentStep(.unknown, "PENDING", reference: answer["txid"], codes: codes)
        default:
            PaymentStep(
                // Below 900 are the bank's own words; 2700 and more are said of tokens and parameters.
                (answer["errorcode"].flatMap { Int($0) } ?? 9999) < 900 ? .declined : .error,
                "ERROR \(answer["errorcode"] ?? ""): \(answer["errormessage"] ?? "")", codes: codes)
        }
    }
}
