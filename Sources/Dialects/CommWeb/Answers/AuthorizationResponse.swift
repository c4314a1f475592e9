//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

// `authorizationResponse`: the acquirer's message, as far as it is known. What an issuer would say of the card's kind
// has the values that mean "nothing is known".

extension TransactionWriter {
    /// 888 and 3: the issuer said nothing of a commercial card.
    private static let commercialCard = ("888", "3")
    /// ISO 8583, field 3: goods and services from a credit account.
    private static let processingCode = "003000"
    /// ISO 8583, field 22: electronic commerce, not read from a card.
    private static let posEntryMode = "812"
    /// Mastercard, field 61: attended by the cardholder, at a terminal of his own off the premises, electronic commerce.
    private static let posData = "1025104006600"

    func authorizationResponse(_ operation: Operation, of payment: Payment) -> AnswerFields {
        var fields = AnswerFields()
        let answer = operation.answer
        // Nothing was answered, so nothing is returned.
        guard let responseCode = answer.responseCode, let time = operation.resolvedAt else { return fields }
        let civil = CivilTime(time)
        let isMastercard = payment.instrument.network == .mastercard
        fields.set("commercialCard", Self.commercialCard.0)
        fields.set("commercialCardIndicator", Self.commercialCard.1)
        fields.set("date", String(time.compactDate.suffix(4)))
        fields.set("financialNetworkCode", isMastercard ? "MCC" : "777")
        fields.set("merchantAdviceCode", answer.merchantAdviceCode)
        // Of a terminal elsewhere it would say what is not so, and what else the acquirer has sent is not known.
        let location = payment.opening?.labels.fields[TransactionLabel.location]
        if location == nil || location == TerminalLocation.payerOffPremises.rawValue {
            fields.set("posData", Self.posData)
        }
        fields.set("posEntryMode", Self.posEntryMode)
        fields.set("processingCode", Self.processingCode)
        fields.set("responseCode", responseCode)
        fields.set("stan", answer.stan)
        fields.set("time", [civil.hour, civil.minute, civil.second].map(Self.twoDigits).joined())
        fields.set("transactionIdentifier", answer.networkReference ?? answer.reference)
        // Mastercard's own: a card that is not present, authenticated by the device.
        if isMastercard { fields.set("transactionIntegrityClass", "A1") }
        return fields
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
