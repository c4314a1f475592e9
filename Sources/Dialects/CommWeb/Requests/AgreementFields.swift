//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// `agreement.*`: what the customer has agreed to with this payment, or with the first of a series ("Credential on File
/// Transactions", the vendor's integration guide).
struct AgreementFields: Hashable, Sendable {
    let id: String?
    let type: AgreementType?

    init(reading fields: RequestFields) throws(CommWebError) {
        self.id = try fields.text("agreement.id", max: 100)
        self.type = try fields.choice("agreement.type", of: AgreementType.self)
    }

    /// "You can use the transaction.source field to identify whether a transaction is cardholder or merchant initiated."
    func initiator(_ source: TransactionSource?) -> PaymentInitiator {
        let agreement = PaymentAgreement(kind: self.type?.kind, id: self.id)
        if source == .merchant { return .merchant(agreement) }
        return .customer(agreement: self.id == nil && self.type == nil ? nil : agreement)
    }
}

extension AgreementType {
    fileprivate var kind: PaymentAgreement.Kind {
        switch self {
        case .installment: .installment
        case .other: .other
        case .recurring: .recurring
        case .unscheduled: .unscheduled
        }
    }
}

extension TransactionSource {
    /// By what way the payment came to the merchant; `nil` for one that he asks for by himself, and for those at a terminal.
    var way: PaymentSource? {
        switch self {
        case .callCentre: .callCentre
        case .internet: .internet
        case .mailOrder: .mailOrder
        case .moto: .mailOrTelephoneOrder
        case .telephoneOrder: .telephoneOrder
        case .voiceResponse: .voiceResponse
        case .cardPresent, .merchant, .payerPresent: nil
        }
    }
}
