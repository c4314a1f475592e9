//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Payments
import Redaction

/// A card number that the customer typed, or that the merchant has taken out of a token himself.
struct CardAccount: Sendable {
    let networkToken: NetworkToken

    /// - Throws: the faults of card numbers: not of the path's tender type, or failing Luhn's check.
    init(_ message: XMLElement, _ account: PaymentAccount, tender: TenderType) throws(RadialFault) {
        guard case .number(let pan) = account.identifier else { throw RadialFault(.accountTokenNotSupported) }
        guard message.child("EncryptedCardSecurityCode") == nil else {
            throw RadialFault(.encryptedAccountNotSupported)
        }
        try CardNumber.check(pan)
        guard TenderType(CardNetwork(pan: pan)) == tender else { throw RadialFault(.panRangeUnknown) }
        let eci = message.descendant("SecureVerificationData/ECI")?.text ?? ""
        self.networkToken = NetworkToken(
            pan: pan, expiryYearMonth: Self.expiry(message.child("ExpirationDate")?.text ?? ""),
            proof: try Self.proof(message), eci: eci.isEmpty ? nil : eci)
    }

    /// "2030-03" as "3003".
    private static func expiry(_ text: String) -> String {
        String(text.dropFirst(2).prefix(2) + text.suffix(2))
    }

    private static func proof(_ message: XMLElement) throws(RadialFault) -> NetworkToken.Proof {
        let cryptogram = XMLText.unwrapped(message.descendant("SecureVerificationData/CavvUcaf")?.text ?? "")
        guard cryptogram.isEmpty else {
            guard let bytes = Base64.decode(cryptogram), !bytes.isEmpty else {
                throw RadialFault(
                    .requestInvalid, "CreditCardAuthRequest/SecureVerificationData/CavvUcaf must be base64.")
            }
            return .cryptogram(Redacted(bytes))
        }
        let code = message.child("CardSecurityCode")?.text ?? ""
        return .securityCode(code.isEmpty ? nil : Redacted(code))
    }
}

/// What a card number must look like.
enum CardNumber {
    static func check(_ pan: Redacted<String>) throws(RadialFault) {
        let text = pan.reveal()
        guard ASCII.isDigits(text, 12...19) else {
            throw RadialFault(
                .requestInvalid, "PaymentAccountUniqueId with isToken=\"false\" must have 12 to 19 digits.")
        }
        guard Luhn.passes(text.utf8) else { throw RadialFault(.panFailsLuhn) }
    }
}
