//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import Money
public import Redaction
public import StrictJSON

/// Speaks PAYONE's Server API: forms in, lines out (docs/dialects/payone.md).
public struct PAYONEClient: WireClient {
    public struct Credentials: Sendable {
        public var mid: String
        public var aid: String
        public var portalID: String
        public var key: Redacted<String>
        public var digest = KeyDigest.sha384
        /// "test" or "live".
        public var mode = "test"

        public init(mid: String, aid: String, portalID: String, key: Redacted<String>) {
            self.mid = mid
            self.aid = aid
            self.portalID = portalID
            self.key = key
        }

        /// A demo merchant's.
        public init(_ account: AnnouncedAccount) throws {
            self.init(
                mid: try account.value("mid"), aid: try account.value("aid"),
                portalID: try account.value("portalid"), key: Redacted(try account.value("key")))
        }
    }

    /// What of the portal's key a request carries. TransactionStatus always carries its MD5.
    public enum KeyDigest: String, Hashable, Sendable, CaseIterable {
        case md5
        case sha384

        fileprivate func hex(_ key: Redacted<String>) -> String {
            let bytes = Data(key.reveal().utf8)
            return switch self {
            case .md5: Hex.encode(Insecure.MD5.hash(data: bytes))
            case .sha384: Hex.encode(SHA384.hash(data: bytes))
            }
        }
    }

    /// Of the payment process: what ``Reading/handle`` has after it was opened.
    public static let txid = "txid"

    public let name = "payone"
    private let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] { [self.credentials.key] }

    /// A request: the account's parameters and these.
    public func call(_ request: String, _ parameters: [(String, String)]) -> ClientRequest {
        let account = [
            ("request", request), ("mid", self.credentials.mid), ("aid", self.credentials.aid),
            ("portalid", self.credentials.portalID), ("key", self.credentials.digest.hex(self.credentials.key)),
            ("mode", self.credentials.mode),
            ("encoding", "UTF-8"), ("api_version", "3.11"),
        ]
        return ClientRequest(
            .post, "/post-gateway/", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: FormText.written(account + parameters))
    }
}

// MARK: - A payment

extension PAYONEClient {
    private static let wallet = [("clearingtype", "wlt"), ("wallettype", "APL")]

    /// - Throws: `instrumentNotTaken` for anything but a token, `fieldMissing` without a last name or a country, and
    ///   without a state where the country has some.
    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        guard case .sealed(let token) = charge.instrument else {
            throw ClientError(.instrumentNotTaken, "PAYONE takes an Apple Pay token as the wallet made it, alone.")
        }
        let parameters =
            [
                ("amount", String(charge.amount.minorUnits)), ("currency", charge.amount.currency.code),
                ("reference", charge.order),
            ] + Self.wallet + [("cardtype", Self.cardType(token))] + (try PayerFields(charge).parameters)
            + Self.parameters(of: token) + charge.extra.map { ($0.name, $0.text) }
        return self.call(charge.capturesAtOnce ? "authorization" : "preauthorization", parameters)
    }

    public func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        let narrative = capture.statementDescriptor.map { [("narrative_text", String($0.prefix(81)))] } ?? []
        return try self.follow(
            "capture", capture.amount.minorUnits,
            [("capturemode", capture.isFinal ? "completed" : "notcompleted")] + narrative, capture)
    }

    public func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("debit", -refund.amount.minorUnits, [], refund)
    }

    /// A capture of nothing that is the last one gives the reservation back.
    public func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("capture", 0, [("capturemode", "completed")], void)
    }

    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        throw ClientError(.operationNotOffered, "PAYONE has no query: a TransactionStatus says what became of it.")
    }

    private func follow(
        _ request: String, _ minorUnits: Int64, _ parameters: [(String, String)], _ fields: FollowUpFields
    ) throws(ClientError) -> ClientRequest {
        let process = [
            ("txid", try fields.known(Self.txid)), ("sequencenumber", String(fields.ordinal)),
            ("amount", String(minorUnits)), ("currency", fields.amount.currency.code),
        ]
        return self.call(
            request, process + Self.wallet + parameters + fields.extra.map { ($0.name, $0.text) })
    }

    public func merchantSession(domain: String, validationURL: String) throws(ClientError) -> ClientRequest? {
        self.call(
            "genericpayment",
            [("add_paydata[action]", "init_applepay_session"), ("add_paydata[domain_name]", domain)] + Self.wallet
                + [("currency", "EUR")])
    }

    public func merchantSession(in reading: Reading) -> JSON? {
        guard reading.code == "OK",
            let session = reading["add_paydata[applepay_payment_session]"].flatMap({ Base64.decode($0) })
        else { return nil }
        return try? JSON.parse(session)
    }

    /// What the wallet says the card's network is; "?" where it says nothing.
    private static func cardType(_ token: SealedToken) -> String {
        switch token.paymentMethod?["network"]?.string?.lowercased() {
        case "visa": "V"
        case "mastercard": "M"
        case "amex": "A"
        case "discover": "D"
        case "jcb": "J"
        case "girocard": "G"
        case "chinaunionpay": "P"
        default: "?"
        }
    }

    private static func parameters(of token: SealedToken) -> [(String, String)] {
        [
            ("version", "version"), ("data", "data"), ("signature", "signature"),
            ("ephemeral_publickey", "header.ephemeralPublicKey"), ("publickey_hash", "header.publicKeyHash"),
            ("transaction_id", "header.transactionId"),
        ].map { ("add_paydata[paymentdata_token_\($0)]", token.part($1)) }
    }
}

// MARK: - Answers

extension PAYONEClient {
    /// Refusals for the moment: another request is under way, or the gateway cannot.
    private static let temporaryCodes: Set = ["904", "909", "900004", "900009"]
    /// "It may have been carried out: send the same request again to learn of it."
    private static let timedOut = "900005"

    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let values = Self.values(of: reply) else {
            return .unreadable(reply, "PAYONE's answer names a parameter twice (HTTP \(reply.status)).")
        }
        guard let status = values["status"] else {
            return .unreadable(reply, "PAYONE's answer names no status (HTTP \(reply.status)).")
        }
        let code = values["errorcode"] ?? status
        var text = status
        if status == "ERROR" { text += " \(values["errorcode"] ?? ""): \(values["errormessage"] ?? "")" }
        var reading = Reading(Self.outcome(status, code), code: code, text: text, reply, .fields(values))
        reading.isTemporary = reading.outcome == .refused && Self.temporaryCodes.contains(code)
        reading.reference = values["txid"]
        reading.handle = values["txid"].map { [Self.txid: $0] } ?? [:]
        return reading
    }

    /// `nil` where a name stands there twice: which of them is meant nobody knows.
    private static func values(of reply: ClientReply) -> [String: String]? {
        var values: [String: String] = [:]
        for line in reply.body.split(separator: UInt8(ascii: "\n")) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let pair = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard pair.count == 2 else { continue }
            guard values.updateValue(pair[1], forKey: pair[0]) == nil else { return nil }
        }
        return values
    }

    private static func outcome(_ status: String, _ code: String) -> Reading.Outcome {
        switch status {
        case "APPROVED", "OK": .approved
        case "PENDING", "REDIRECT": .pending
        case "ERROR" where code == self.timedOut: .pending
        // Below 900 are the bank's own words; the others are said of tokens and parameters.
        case "ERROR": (Int(code) ?? 9999) < 900 ? .declined : .refused
        default: .unknown
        }
    }

    /// TransactionStatus: a form in ISO-8859-1, with the portal's key as MD5.
    public func read(_ notification: ClientNotification) -> Notice {
        let fields = FormText.readLatin1(notification.body) ?? [:]
        let key = KeyDigest.md5.hex(self.credentials.key)
        let outcome: Reading.Outcome =
            switch (fields["txaction"], fields["transaction_status"]) {
            case (nil, _): .unknown
            case ("failed", _): .declined
            case (_, "pending"): .pending
            default: .approved
            }
        return Notice(
            title: [fields["txaction"] ?? ""], Self.subject(fields), order: fields["reference"],
            key: fields["sequencenumber"], outcome: outcome, isGenuine: Redacted(key).matches(fields["key"] ?? ""),
            acknowledgement: ClientReply(
                status: 200, headers: [.contentType: "text/plain; charset=utf-8"], body: Array("TSOK".utf8)),
            body: .fields(fields))
    }

    private static func subject(_ fields: [String: String]) -> Notice.Subject {
        switch fields["txaction"] {
        case "appointed": .payment
        case "failed" where fields["sequencenumber"] == "0": .payment
        case "capture": .capture
        case "debit", "refund": .refund
        default: .other
        }
    }
}
