//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Payments
import Redaction
import StrictJSON

/// What of an answer is kept: short words of plain characters, in none of which a secret stands that was sent.
struct AnswerFields {
    let json: JSON
    let secrets: [Redacted<String>]

    var answer: AcquirerAnswer {
        AcquirerAnswer(
            reference: self.reference,
            authorizationCode: self.word("transaction.authorizationCode", 1...6),
            responseCode: self.word("authorizationResponse.responseCode", 1...4)
                ?? self.word("response.acquirerCode", 1...4),
            stan: self.stan,
            networkReference: self.word("authorizationResponse.transactionIdentifier", 1...15),
            addressCheck: self.addressCheck, securityCodeCheck: self.securityCodeCheck,
            fundingPANSuffix: self.fundingSuffix, fundingExpiryYearMonth: self.fundingExpiry,
            paymentAccountReference: self.word("sourceOfFunds.provided.card.paymentAccountReference", 1...29),
            merchantAdviceCode: self.word("authorizationResponse.merchantAdviceCode", 1...4), eci: self.eci,
            reconciliationID: self.word("transaction.acquirer.batch", 1...40),
            processor: self.word("transaction.acquirer.id", 1...40))
    }

    /// With the gateway's own words beside the issuer's.
    var refusal: AcquirerAnswer {
        var answer = self.answer
        answer.vendorCode = self.word("response.gatewayCode", 1...64)
        answer.vendorText = FieldText.sentence(
            self.json[path: "response.acquirerMessage"]?.string, without: self.secrets)
        return answer
    }

    /// Two digits. Of a device's account it is the token's, of a typed card what the issuer's server has said.
    private var eci: String? {
        let paths = [
            "sourceOfFunds.provided.card.devicePayment.3DSecure.eciIndicator",
            "sourceOfFunds.provided.card.devicePayment.eciIndicator", "authentication.3ds.acsEci",
        ]
        return paths.lazy.compactMap { self.word($0, 1...2) }.first.flatMap { ASCII.isDigits($0) ? $0 : nil }
    }

    private var reference: String? {
        self.word("transaction.receipt", 1...40) ?? self.word("transaction.acquirer.transactionId", 1...40)
    }

    /// Six digits (ISO 8583, field 11); the gateway leaves zeros at the front out.
    private var stan: String? {
        let text = self.word("transaction.stan", 1...6) ?? self.word("authorizationResponse.stan", 1...6)
        guard let text, ASCII.isDigits(text) else { return nil }
        return String(repeating: "0", count: 6 - text.utf8.count) + text
    }

    /// A text or a number of letters, digits, hyphens and underscores. Anything else is not what was expected there,
    /// and nobody knows what it is.
    private func word(_ path: String, _ lengths: ClosedRange<Int>) -> String? {
        let value = self.json[path: path]
        let word = FieldText.whole(value?.string ?? value?.numberText, lengths, where: ASCII.isNameCharacter)
        guard let word else { return nil }
        let isSecret = self.secrets.contains { secret in
            let text = secret.reveal()
            return !text.isEmpty && word.contains(text)
        }
        return isSecret ? nil : word
    }

    // MARK: - The issuer's checks

    private var addressCheck: String? {
        if let letter = self.letter("response.cardholderVerification.avs.acquirerCode") { return letter }
        switch self.json[path: "response.cardholderVerification.avs.gatewayCode"]?.string {
        case "ADDRESS_ZIP_MATCH", "NAME_ADDRESS_ZIP_MATCH": return "Y"
        case "ADDRESS_MATCH", "NAME_ADDRESS_MATCH": return "A"
        case "ZIP_MATCH", "NAME_ZIP_MATCH": return "Z"
        case "NO_MATCH", "NAME_MATCH": return "N"
        case "SERVICE_NOT_AVAILABLE_RETRY": return "R"
        case "SERVICE_NOT_SUPPORTED": return "S"
        case "NOT_AVAILABLE", "NOT_REQUESTED", "NOT_VERIFIED": return "U"
        default: return nil
        }
    }

    private var securityCodeCheck: String? {
        if let letter = self.letter("response.cardSecurityCode.acquirerCode") { return letter }
        switch self.json[path: "response.cardSecurityCode.gatewayCode"]?.string {
        case "MATCH": return "M"
        case "NO_MATCH": return "N"
        case "NOT_PROCESSED": return "P"
        case "NOT_PRESENT": return "S"
        case "NOT_SUPPORTED": return "U"
        default: return nil
        }
    }

    private func letter(_ path: String) -> String? {
        FieldText.whole(self.json[path: path]?.string, 1...1, where: ASCII.isCapital)
    }

    // MARK: - The card behind the device's account

    /// Only where the answer has both accounts: else the card's number is the one that was sent.
    private var hasDeviceAccount: Bool {
        self.json[path: "sourceOfFunds.provided.card.deviceSpecificNumber"]?.string != nil
    }

    private var fundingSuffix: String? {
        guard self.hasDeviceAccount, let number = self.json[path: "sourceOfFunds.provided.card.number"]?.string else {
            return nil
        }
        return FieldText.whole(String(number.suffix(4)), 4...4, where: ASCII.isDigit)
    }

    private var fundingExpiry: String? {
        guard self.hasDeviceAccount, let month = self.twoDigits("month"), let year = self.twoDigits("year"),
            (1...12).contains(Int(month) ?? 0)
        else { return nil }
        return year + month
    }

    /// The month is two digits in a request and may be one in an answer.
    private func twoDigits(_ name: String) -> String? {
        let value = self.json[path: "sourceOfFunds.provided.card.expiry.\(name)"]
        guard
            let digits = FieldText.whole(
                value?.string ?? value?.numberText, 1...2, where: ASCII.isDigit)
        else { return nil }
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
