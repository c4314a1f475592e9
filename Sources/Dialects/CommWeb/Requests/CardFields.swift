//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import Payments
import Redaction
import StrictJSON

/// `sourceOfFunds`: what is paid with, each field checked where it is given.
struct CardFields: Sendable {
    static let prefix = "sourceOfFunds.provided.card."
    static let devicePrefix = prefix + "devicePayment."
    static let numberPath = prefix + "number"
    static let securityCodePath = prefix + "securityCode"
    static let tokenPath = devicePrefix + "paymentToken"
    static let cryptogramPath = devicePrefix + "onlinePaymentCryptogram"
    /// Where the vendor's reference puts the cryptogram; its Apple Pay page puts it one level higher.
    static let nestedPrefix = devicePrefix + "3DSecure."

    static let tokenCharactersMax = 16_384

    let token: Redacted<String>?
    let number: Redacted<String>?
    let expiryMonth: String?
    let expiryYear: String?
    let securityCode: Redacted<String>?
    let cryptogram: Redacted<[UInt8]>?
    let eci: String?
    let nameOnCard: String?

    init(reading fields: RequestFields) throws(CommWebError) {
        _ = try fields.choice("sourceOfFunds.type", of: SourceOfFundsType.self)
        self.token = try Self.tokenText(fields)
        self.number = try fields.digits(Self.numberPath, in: 9...19).map { Redacted($0) }
        self.expiryMonth = try Self.month(fields)
        self.expiryYear = try fields.digits(Self.prefix + "expiry.year", in: 2...2)
        self.securityCode = try fields.digits(Self.securityCodePath, in: 3...4).map { Redacted($0) }
        self.nameOnCard = try fields.text(Self.prefix + "nameOnCard", max: 256, as: .text)
        _ = try fields.choice(Self.devicePrefix + "cryptogramFormat", of: CryptogramFormat.self)
        self.cryptogram = try Self.cryptogram(fields)
        self.eci = try Self.eci(fields)
    }

    /// Whether this is a payment by a device: with a token or with a cryptogram.
    var isDevicePayment: Bool { self.token != nil || self.cryptogram != nil }

    var isEmpty: Bool { self.token == nil && self.number == nil && self.cryptogram == nil }

    /// A text that holds JSON; not JSON itself.
    private static func tokenText(_ fields: RequestFields) throws(CommWebError) -> Redacted<String>? {
        guard let value = fields[self.tokenPath] else {
            guard !fields.containsAny(under: self.tokenPath) else {
                throw .invalid(self.tokenPath, "must be a string that holds the token's JSON, not the JSON itself")
            }
            return nil
        }
        guard let text = value.string else { throw .invalid(self.tokenPath, "must be a string") }
        guard text.utf8.count <= self.tokenCharactersMax else {
            throw .invalid(self.tokenPath, "must have at most \(self.tokenCharactersMax) characters")
        }
        return Redacted(text)
    }

    private static func month(_ fields: RequestFields) throws(CommWebError) -> String? {
        let path = self.prefix + "expiry.month"
        guard let digits = try fields.digits(path, in: 1...2) else { return nil }
        guard let month = Int(digits), (1...12).contains(month) else { throw .invalid(path, "must be 1 to 12") }
        return month < 10 ? "0\(month)" : "\(month)"
    }

    private static func cryptogram(_ fields: RequestFields) throws(CommWebError) -> Redacted<[UInt8]>? {
        let nestedPath = self.nestedPrefix + "onlinePaymentCryptogram"
        let path = fields.contains(self.cryptogramPath) ? self.cryptogramPath : nestedPath
        guard let value = fields[path] else { return nil }
        guard let text = value.string, text.utf8.count <= 128, let bytes = Data(base64Encoded: text), !bytes.isEmpty
        else { throw .invalid(path, "must be the cryptogram in Base64") }
        return Redacted(Array(bytes))
    }

    private static func eci(_ fields: RequestFields) throws(CommWebError) -> String? {
        let path = self.devicePrefix + "eciIndicator"
        return try fields.digits(fields.contains(path) ? path : self.nestedPrefix + "eciIndicator", in: 1...2)
    }
}

// MARK: - What is charged

/// What a request pays with.
struct ProvidedInstrument: Sendable {
    enum Kind: String, Sendable {
        /// A device account number: deviceSpecificNumber and encryption are answered.
        case device
        case card
    }

    let kind: Kind
    let instrument: AuthorizationInstrument
    /// The number in the request itself; a token's is known only to who opens it.
    let number: Redacted<String>?
}

extension CardFields {
    /// - Throws: what is missing, or what does not go together.
    func instrument(wallet: WalletProvider?) throws(CommWebError) -> ProvidedInstrument {
        if self.isDevicePayment, wallet == nil { throw .missing("order.walletProvider") }
        if let token {
            guard self.number == nil, self.cryptogram == nil else {
                throw .invalid(Self.tokenPath, "must not be given together with what it holds")
            }
            return ProvidedInstrument(kind: .device, instrument: try Self.opening(token), number: nil)
        }
        guard let number else {
            throw .missing(self.cryptogram == nil && wallet != nil ? Self.tokenPath : Self.numberPath)
        }
        guard let expiryMonth else { throw .missing(Self.prefix + "expiry.month") }
        guard let expiryYear else { throw .missing(Self.prefix + "expiry.year") }
        if wallet != nil, self.cryptogram == nil { throw .missing(Self.cryptogramPath) }
        let proof = self.cryptogram.map(NetworkToken.Proof.cryptogram) ?? .securityCode(self.securityCode)
        return ProvidedInstrument(
            kind: self.cryptogram == nil ? .card : .device,
            instrument: .opened(
                NetworkToken(pan: number, expiryYearMonth: expiryYear + expiryMonth, proof: proof, eci: self.eci)),
            number: number)
    }

    /// The token's text as JSON. Some clients encode it twice.
    private static func opening(_ text: Redacted<String>) throws(CommWebError) -> AuthorizationInstrument {
        var json = try self.parse(text.reveal())
        if case .string(let inner) = json { json = try self.parse(inner) }
        do throws(GatewayRefusal) {
            return try AuthorizationInstrument.applePay(json: json)
        } catch {
            throw CommWebError(error, of: .authorize)
        }
    }

    private static func parse(_ text: String) throws(CommWebError) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(
                Array(text.utf8), limits: JSONLimits.ofRequest(bytesMax: 64 * 1024, depthMax: 8, valuesMax: 64))
        } catch {
            throw CommWebError(
                .tokenMalformed, "The payment token is not valid JSON: \(error.description).", field: self.tokenPath)
        }
    }
}
