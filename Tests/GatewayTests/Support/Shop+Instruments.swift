//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import Testing
import WalletSimulator

extension Shop {
    static let devicePAN = "4895370012345671"
    static let cardPAN = "4111111111111111"

    /// What a merchant has opened himself. Each number makes another cryptogram.
    static func deviceToken(_ number: UInt8 = 1, pan: String = Shop.devicePAN) -> NetworkToken {
        NetworkToken(
            pan: Redacted(pan), expiryYearMonth: "2812",
            proof: .cryptogram(Redacted([UInt8](repeating: 0xC0, count: 19) + [number])), eci: "05")
    }

    /// What a customer has typed.
    static func cardNumber(code: String? = "123", pan: String = Shop.cardPAN) -> NetworkToken {
        NetworkToken(
            pan: Redacted(pan), expiryYearMonth: "2812", proof: .securityCode(code.map { Redacted($0) }), eci: nil)
    }

    func command(
        _ instrument: AuthorizationInstrument, _ amount: Money?, _ purpose: AuthorizeCommand.Purpose = .authorization,
        order: OrderBinding? = nil, billing: PostalAddress? = nil, key: String? = nil,
        as merchant: MerchantContext? = nil
    ) -> AuthorizeCommand {
        AuthorizeCommand(
            context: self.context("authorize", key: key, as: merchant), instrument: instrument, amount: amount,
            order: order, purpose: purpose, details: ChargeDetails(billing: billing),
            labels: OperationLabels(notifyURL: Shop.notifyURL))
    }

    func pay(
        with token: NetworkToken, _ amount: Money?, _ purpose: AuthorizeCommand.Purpose = .authorization,
        order: OrderBinding? = nil, as merchant: MerchantContext? = nil
    ) async throws -> OperationOutcome {
        try await self.gateway.authorize(self.command(.opened(token), amount, purpose, order: order, as: merchant))
    }

    func verify(_ token: NetworkToken = Shop.cardNumber(), order: OrderBinding? = nil) async throws
        -> OperationOutcome
    {
        try await self.pay(with: token, .zero(cad), .verification, order: order)
    }

    func adjust(_ total: Money, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.gateway.followUp(self.followUp(.adjust(total), of: payment))
    }

    func void(_ target: PaymentSelector, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.gateway.followUp(self.followUp(.void(target), of: payment))
    }

    /// A shop whose acquirer is looked at, and what looks.
    static func intercepted(
        _ configure: (inout Options) -> Void = { _ in }, adjusts: Bool = true, verifies: Bool = true,
        answersQueries: Bool = true, forms: Set<AcquirerCapabilities.Form> = [.networkToken],
        outcomes: @escaping InterceptingAcquirer.Outcomes = { await $1() }
    ) async throws -> (Shop, InterceptingAcquirer) {
        let shop = try await Shop.open { options in
            configure(&options)
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    base.capabilities.changed { capabilities in
                        capabilities.forms = forms
                        if !answersQueries { capabilities.recovery = .reversal }
                        if !adjusts { capabilities.adjustments = [] }
                        if !verifies { capabilities.verifiesCards = false }
                    }, outcomes: outcomes)
            }
        }
        return (shop, try #require(shop.acquirer as? InterceptingAcquirer))
    }
}
