//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments

extension CommWebClient.Initiation {
    /// - Parameter hasAgreements: whether the version of the API knows them.
    init(_ charge: Charge, hasAgreements: Bool) {
        self.init()
        let initiator = charge.details.initiator
        switch initiator {
        case .customer: self.source = charge.details.source.map(Source.init) ?? .internet
        case .merchant: self.source = .merchant
        }
        guard hasAgreements, let agreement = initiator.agreement else { return }
        self.agreementID = FieldText.plain(agreement.id, max: 100)
        self.agreementType = agreement.kind.map(AgreementType.init)
        // What a wallet gives is on no file of the merchant's; of a number that a customer types the gateway wants to know.
        guard case .networkToken(let token) = charge.instrument, case .securityCode = token.proof else { return }
        if case .merchant = initiator { self.storedOnFile = .stored } else { self.storedOnFile = .toBeStored }
    }
}

extension CommWebClient.Initiation.Source {
    fileprivate init(_ source: PaymentSource) {
        switch source {
        case .internet: self = .internet
        case .callCentre: self = .callCentre
        case .mailOrder: self = .mailOrder
        case .telephoneOrder: self = .telephoneOrder
        case .mailOrTelephoneOrder: self = .moto
        case .voiceResponse: self = .voiceResponse
        }
    }
}

extension CommWebClient.Initiation.AgreementType {
    fileprivate init(_ kind: PaymentAgreement.Kind) {
        switch kind {
        case .recurring: self = .recurring
        case .installment: self = .installment
        case .unscheduled: self = .unscheduled
        case .other: self = .other
        }
    }
}
