//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// A token as the device hands it out, and everything that went into it.
public struct MintedToken: Sendable {
    /// The token's parts as bytes.
    public struct Parts: Hashable, Sendable {
        /// The ephemeral public key (SubjectPublicKeyInfo) of EC_v1, or the wrapped key of RSA_v1.
        public var key: [UInt8]
        /// The encrypted payload with its tag.
        public var data: [UInt8]
        /// The CMS signature.
        public var signature: [UInt8]
        public var transactionIdentifier: [UInt8]
        public var publicKeyHash: [UInt8]
        public var applicationDataHash: [UInt8]?
        /// What the signature covers.
        public var signedMessage: [UInt8]
        /// The payload before it was encrypted.
        public var plaintext: [UInt8]
    }

    /// `PKPaymentToken.paymentData`: version, data, signature, header.
    public let paymentData: JSON
    /// `paymentMethod`: displayName, network, type.
    public let paymentMethod: JSON
    /// `transactionId` of the header: lower-case hexadecimal.
    public let transactionIdentifier: String
    public let parts: Parts

    let billingContact: JSON?
    let shippingContact: JSON?
    let escapesSolidus: Bool

    /// The token as PassKit and Apple Pay JS hand it out: paymentData, paymentMethod, transactionIdentifier in
    /// upper-case hexadecimal.
    public var paymentToken: JSON {
        [
            "paymentData": self.paymentData,
            "paymentMethod": self.paymentMethod,
            "transactionIdentifier": .string(self.transactionIdentifier.uppercased()),
        ]
    }

    /// `ApplePayPayment` of Apple Pay JS: the token and the contacts that were asked for.
    public var javaScriptPayment: JSON {
        var payment = JSONObject()
        payment["token"] = self.paymentToken
        payment["billingContact"] = self.billingContact
        payment["shippingContact"] = self.shippingContact
        return .object(payment)
    }

    public var paymentDataText: String { self.text(of: self.paymentData) }

    public var paymentTokenText: String { self.text(of: self.paymentToken) }

    public var javaScriptPaymentText: String { self.text(of: self.javaScriptPayment) }

    /// JSON as the device writes it: compact, `/` escaped if the options say so.
    private func text(of json: JSON) -> String {
        String(decoding: MintedToken.written(json, escapesSolidus: self.escapesSolidus), as: UTF8.self)
    }

    /// A solidus occurs in JSON inside strings only, where it may be escaped (RFC 8259, section 7).
    static func written(_ json: JSON, escapesSolidus: Bool) -> [UInt8] {
        let bytes = json.serialized()
        guard escapesSolidus else { return bytes }
        return bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}

extension MintedToken: CustomStringConvertible, CustomReflectable {
    /// Names the token and shows nothing of its payload.
    public var description: String { "MintedToken(\(self.transactionIdentifier))" }

    public var customMirror: Mirror { Mirror(self, children: ["transactionIdentifier": self.transactionIdentifier]) }
}
