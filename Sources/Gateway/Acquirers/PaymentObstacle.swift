//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments

/// Why an account with an acquirer cannot begin a payment, though a route leads the payment there.
@_spi(Administration)
public enum PaymentObstacle: Hashable, Sendable {
    /// It takes no cards of the network.
    case network
    /// It does not sell, or only sells, or verifies no cards.
    case purpose
    /// It is not paid in the currency.
    case currency
    /// It takes less at the most, or more at the least, or no part of its unit.
    case amount
    /// It has no field for who asks for a payment, and this one is asked for by the merchant alone.
    case initiator
}

extension AcquirerCapabilities {
    /// What keeps an acquirer from beginning a payment; `nil` where nothing does. Payments and the operator's question
    /// which account a payment would take ask the same.
    ///
    /// - Parameter amount: of a verification, which is for none, only the currency counts; `nil` where it is not known.
    @_spi(Administration)
    public func obstacle(
        _ purpose: AuthorizeCommand.Purpose, network: CardNetwork, amount: Money?,
        initiator: PaymentInitiator = .customer()
    ) -> PaymentObstacle? {
        guard self.networks.contains(network) else { return .network }
        let isOffered =
            switch purpose {
            case .authorization: self.authorizes
            case .sale: self.sells
            case .verification: self.verifiesCards
            }
        guard isOffered else { return .purpose }
        if case .merchant = initiator, !self.takesMerchantInitiated { return .initiator }
        guard let amount else { return nil }
        if purpose == .verification { return self.takes(amount.currency) ? nil : .currency }
        return switch self.obstacle(to: amount) {
        case nil: nil
        case .currency: .currency
        case .amount: .amount
        }
    }
}

extension GatewayRefusal {
    init(_ obstacle: PaymentObstacle) {
        switch obstacle {
        case .network: self = .networkNotSupported
        case .purpose, .initiator: self = .operationNotSupported
        case .currency: self = .currencyNotSupported
        case .amount: self = .amountNotSupported
        }
    }
}
