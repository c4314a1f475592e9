//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Countries
import DialectKit
import Gateway
import Money
import Payments
import Redaction

/// `preauthorization` or `authorization`.
struct AuthorizationRequest: Sendable {
    let capturesAtOnce: Bool
    let reference: String
    let amount: Money
    let narrativeText: String?
    /// What notifications repeat.
    let customerID: String?
    let parameter: String?
    /// What the acquirer is sent beside the amount.
    @Boxed private(set) var details: ChargeDetails
    /// What the shop says of the card: `cardtype`.
    let network: CardNetwork?
    private let token: Redacted<Token>

    /// The parts of the token as they came.
    private struct Token: Sendable {
        let version: String
        let data: String
        let signature: String
        let ephemeralPublicKey: String
        let publicKeyHash: String
        let transactionID: String
    }

    init(_ name: RequestName, reading form: ReceivedForm) throws(PAYONEError) {
        let parameters = try form.checked(by: ParameterTables.authorization)
        try Self.checkPerson(parameters)
        let hasState = parameters["country"].map(Country.withStates.contains) ?? false
        let state = hasState ? try form.checked(by: ParameterTables.state)["state"] : nil
        self.capturesAtOnce = name == .authorization
        self.reference = try parameters.required("reference")
        self.amount = try WireAmount(reading: parameters).charge()
        self.narrativeText = parameters["narrative_text"]
        self.customerID = parameters["customerid"]
        self.network = parameters["cardtype"].flatMap { PAYONE.CardType(rawValue: $0)?.networks.first }
        self.parameter = parameters["param"]
        self.details = ChargeDetails(
            orderReference: self.reference, description: self.narrativeText, statementDescriptor: self.narrativeText,
            customer: Customer(
                id: self.customerID, firstName: parameters["firstname"], lastName: parameters["lastname"],
                email: parameters["email"], phone: parameters["telephonenumber"], ipAddress: parameters["ip"]),
            billing: Self.address(parameters, "", state: state), shipping: Self.shipping(parameters))
        let token = Token(
            version: try parameters.required(TokenParameter.version),
            data: try Self.base64(parameters, TokenParameter.data),
            signature: try Self.base64(parameters, TokenParameter.signature),
            ephemeralPublicKey: try Self.base64(parameters, TokenParameter.ephemeralPublicKey),
            publicKeyHash: try Self.base64(parameters, TokenParameter.publicKeyHash),
            transactionID: try parameters.required(TokenParameter.transactionID))
        self.token = Redacted(token)
    }

    private static func shipping(_ parameters: CheckedParameters) -> PostalAddress? {
        let prefix = "shipping_"
        var address = Self.address(parameters, prefix, state: parameters[prefix + "state"])
        address.firstName = parameters[prefix + "firstname"]
        address.lastName = parameters[prefix + "lastname"]
        return address.filled
    }

    private static func address(
        _ parameters: CheckedParameters, _ prefix: String, state: String?
    ) -> PostalAddress {
        PostalAddress(
            company: parameters[prefix + "company"],
            lines: ["street", "addressaddition"].compactMap { parameters[prefix + $0] },
            city: parameters[prefix + "city"], mainDivision: state,
            postalCode: parameters[prefix + "zip"], countryCode: parameters[prefix + "country"])
    }

    /// "company" or "lastname" or "firstname" plus "lastname"; the company for business customers.
    private static func checkPerson(_ parameters: CheckedParameters) throws(PAYONEError) {
        guard parameters["company"] == nil else { return }
        guard parameters["add_paydata[b2b]"] != "yes" else {
            throw PAYONEError(faulty: "company", "is required if add_paydata[b2b] is yes")
        }
        guard parameters["lastname"] != nil else {
            throw PAYONEError(faulty: "lastname", "is required if there is no company")
        }
    }

    /// Base64 has no blank: where one stands, a "+" was not percent-encoded.
    private static func base64(_ parameters: CheckedParameters, _ name: String) throws(PAYONEError) -> String {
        let text = try parameters.required(name)
        guard !ASCII.isWholly(text, { $0 != UInt8(ascii: " ") }) else { return text }
        return String(decoding: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// The token, sealed as it came.
    func instrument() throws(PAYONEError) -> AuthorizationInstrument {
        let token = self.token.reveal()
        do throws(GatewayRefusal) {
            return try .applePay(
                version: token.version, data: token.data, signature: token.signature,
                ephemeralPublicKey: token.ephemeralPublicKey, publicKeyHash: token.publicKeyHash,
                transactionID: token.transactionID)
        } catch {
            throw PAYONEError(error)
        }
    }

    /// Once for each reference and token: sent again, the same request has the same answer; after a decline another token
    /// may be tried.
    var idempotency: CallContext.Idempotency {
        let token = self.token.reveal()
        let fields = [
            self.capturesAtOnce ? "authorization" : "preauthorization", self.reference,
            String(self.amount.minorUnits), self.amount.currency.code, self.narrativeText ?? "", self.customerID ?? "",
            self.parameter ?? "", token.version, token.data, token.signature, token.ephemeralPublicKey,
            token.publicKeyHash, token.transactionID,
        ]
        return CallContext.Idempotency(
            operation: "authorization", key: "\(self.reference)/\(token.transactionID.lowercased())",
            digest: RequestDigest.bytes(of: fields))
    }
}

/// SHA-256 over the fields of a request, each with its length, so that none can run into the next.
enum RequestDigest {
    static func bytes(of fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count + 8 })
        for field in fields {
            bytes += String(field.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += field.utf8
        }
        return requestDigest(bytes)
    }

    static func text(of fields: [String]) -> String {
        Hex.encode(self.bytes(of: fields))
    }
}
