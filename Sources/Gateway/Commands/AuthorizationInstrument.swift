//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
public import Payments
public import StrictJSON

/// What is paid with.
public enum AuthorizationInstrument: Sendable {
    /// An Apple Pay token, sealed. It is verified before it is opened.
    case applePay(UnverifiedToken)
    /// What the merchant has opened himself, or a card number that the customer typed. A cryptogram pays once.
    case opened(NetworkToken)
    /// A token that ``Gateway/keepToken(_:)`` has verified, opened and kept for the merchant under this name. Paying with
    /// it destroys what is kept.
    case kept(kind: String, id: String)
}

extension AuthorizationInstrument {
    /// The token as it stands on the wire: paymentData, a PKPaymentToken, or a whole Apple Pay JS payment.
    ///
    /// - Throws: ``GatewayRefusal/token(_:)`` of the stage `parse`.
    public static func applePay(json: JSON) throws(GatewayRefusal) -> Self {
        do throws(TokenError) {
            let token = try UnverifiedToken(json: json)
            CallNotes.change { $0.publicKeyHash = token.header.publicKeyHash }
            return .applePay(token)
        } catch {
            throw .token(error)
        }
    }

    /// The token's parts, for dialects that have a field for each: base64, and hexadecimal for the transaction id. They have
    /// none for a wrapped key, and so EC_v1 is the only version that they can take.
    ///
    /// - Throws: ``GatewayRefusal/token(_:)`` of the stage `parse`.
    public static func applePay(
        version: String, data: String, signature: String, ephemeralPublicKey: String, publicKeyHash: String,
        transactionID: String
    ) throws(GatewayRefusal) -> Self {
        guard version.isEmpty || version == TokenVersion.ecV1.rawValue else {
            throw .token(
                TokenError(.versionUnsupported, .parse, "The version is not supported; known is \(TokenVersion.ecV1)."))
        }
        return try self.applePay(json: [
            "version": .string(version), "data": .string(data), "signature": .string(signature),
            "header": [
                "ephemeralPublicKey": .string(ephemeralPublicKey), "publicKeyHash": .string(publicKeyHash),
                "transactionId": .string(transactionID),
            ],
        ])
    }
}

/// Which order a payment is for.
public enum OrderBinding: Hashable, Sendable {
    /// One that was made before; it is paid with its own amount.
    case placed(OrderID)
    /// The merchant's own name for it. The first payment opens the order; a further one is taken only while all earlier
    /// ones have failed.
    case named(String)
}
