//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import Payments

/// Everything that a request or a session may say about a payment, each field checked where it is given. What is
/// required depends on the operation.
struct PaymentFields: Sendable {
    let currency: Currency?
    let amount: Money?
    let wallet: WalletProvider?
    let certainty: OrderCertainty?
    /// Left out, it is what the seed's test amount 6161 needs in the sandbox, and what cannot surprise a live merchant.
    let acceptsPartialAmount: Bool
    let orderReference: String?
    let description: String?
    let statementDescriptor: String?
    let notifyURL: String?
    let source: TransactionSource?
    let agreement: AgreementFields
    let transactionReference: String?
    let location: TerminalLocation?
    let device: DeviceFields
    let customer: Customer
    let billing: PostalAddress?
    let shipping: PostalAddress?
    let card: CardFields

    /// Of order.reference and transaction.reference.
    static let referenceCharactersMax = 40

    init(reading fields: RequestFields, for merchant: MerchantContext) throws(CommWebError) {
        self.currency = try fields.currency("order.currency")
        // Without its currency an amount is only looked at; three decimals are the most that any has.
        let amountCurrency = self.currency ?? Currency.alphabetic("KWD")
        let amount = try amountCurrency.map { currency throws(CommWebError) in
            try fields.amount("order.amount", in: currency)
        }
        self.amount = self.currency == nil ? nil : amount ?? nil
        self.wallet = try fields.choice("order.walletProvider", of: WalletProvider.self)
        self.certainty = try fields.choice("order.certainty", of: OrderCertainty.self)
        self.acceptsPartialAmount =
            try fields.flag("order.acceptPartialAmount") ?? (merchant.merchant.mode == .sandbox)
        self.orderReference = try fields.text("order.reference", max: Self.referenceCharactersMax)
        self.description = try fields.text("order.description", max: 127, as: .text)
        self.statementDescriptor = try fields.text("order.statementDescriptor.name", max: 100, as: .text)
        self.notifyURL = try fields.notificationURL(for: merchant)
        self.source = try fields.choice("transaction.source", of: TransactionSource.self)
        self.agreement = try AgreementFields(reading: fields)
        self.transactionReference = try fields.text("transaction.reference", max: Self.referenceCharactersMax)
        self.location = try fields.choice("posTerminal.location", of: TerminalLocation.self)
        self.device = try DeviceFields(reading: fields)
        self.customer = try Customer(reading: fields, self.device)
        self.billing = try fields.billing()
        self.shipping = try fields.shipping()
        self.card = try CardFields(reading: fields)
    }
}

extension PaymentFields {
    /// What the acquirer is sent beside the amount.
    var details: ChargeDetails {
        ChargeDetails(
            orderReference: self.orderReference, description: self.description,
            statementDescriptor: self.statementDescriptor,
            certainty: self.certainty.map { $0 == .final ? .final : .estimated },
            initiator: self.agreement.initiator(self.source), source: self.source?.way, customer: self.customer,
            cardholderName: self.card.nameOnCard, billing: self.billing, shipping: self.shipping,
            terminal: self.location?.place, device: self.device.payers)
    }
}

extension TerminalLocation {
    fileprivate var place: TerminalPlace {
        switch self {
        case .merchantOffPremises: .merchantOffPremises
        case .merchantOnPremises: .merchantOnPremises
        case .noTerminal: .noTerminal
        case .payerOffPremises: .payerOffPremises
        case .payerOnPremises: .payerOnPremises
        }
    }
}

extension DeviceFields {
    /// What the customer pays with; its address and its browser are among what is known of the customer.
    fileprivate var payers: PayerDevice {
        PayerDevice(callerNumber: self.values["ani"], phoneModel: self.values["mobilePhoneModel"])
    }
}

extension RequestFields {
    /// `order.notificationUrl`: https; a test merchant may be allowed http, and then gets no secret.
    func notificationURL(for merchant: MerchantContext) throws(CommWebError) -> String? {
        let path = "order.notificationUrl"
        guard let text = try self.text(path, max: 1024) else { return nil }
        guard let target = NotificationTarget(text) else { throw .invalid(path, "must be an absolute https URL") }
        guard target.isSecure || AccountSettings(merchant).allowsInsecureNotify else {
            throw .invalid(path, "must be an https URL")
        }
        return text
    }
}
