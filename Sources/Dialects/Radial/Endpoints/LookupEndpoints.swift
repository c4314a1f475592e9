//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Gateway
import Money
import Payments
import Redaction

extension Radial {
    /// Hands the contents of a token to a store that may see them.
    func decrypt(_ message: XMLElement, _ merchant: MerchantContext) async throws(RadialFault) -> XMLNode {
        guard AccountSettings(merchant).allowsDecryption else { throw RadialFault(.decryptBlobNotAllowed) }
        try MessageRules.decryption.check(message)
        let token = WalletToken(message, header: message.child("EncryptionHeader"), transactionID: "TransactionId")
        let instrument = try token.instrument()
        do throws(GatewayRefusal) {
            return .decryptionReply(try await self.gateway.openToken(instrument, merchant: merchant))
        } catch {
            throw RadialFault(refusal: error)
        }
    }

    func lookUpTender(_ message: XMLElement, _ merchant: MerchantContext) async throws(RadialFault) -> XMLNode {
        try MessageRules.tenderLookup.check(message)
        guard Currency.alphabetic(XMLText.collapsed(message.child("CurrencyCode")?.text ?? "")) != nil else {
            throw RadialFault(.requestInvalid, "TenderTypeLookupRequest/CurrencyCode must be a code of ISO 4217.")
        }
        let network: CardNetwork
        switch try PaymentAccount.Identifier(message, path: message.name) {
        case .token(let text):
            guard let payment = try await self.payment(withToken: text, merchant) else {
                return .tenderLookupReply(.notFound, nil)
            }
            network = payment.instrument.network
        case .number(let pan):
            guard pan.map({ Luhn.passes($0.utf8) }).reveal() else {
                return .tenderLookupReply(.panFailsLuhn, nil)
            }
            network = CardNetwork(pan: pan)
        }
        // Gift cards and their like are other classes.
        let isCreditCard = XMLText.collapsed(message.child("TenderClass")?.text ?? "") == "CreditCard"
        guard isCreditCard, network != .other else { return .tenderLookupReply(.notFound, nil) }
        let tender = TenderType(network)
        guard AccountSettings(merchant).allows(tender) else { return .tenderLookupReply(.notConfigured, nil) }
        return .tenderLookupReply(.found, tender)
    }
}
