//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension Radial {
    func authorize(
        _ message: XMLElement, tender text: String?, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        let tender = text == TenderType.digitalWallet ? nil : try Self.cardTender(text)
        try (tender == nil ? MessageRules.walletAuthorization : .cardAuthorization).check(message)
        let request = try AuthorizationRequest(message, tender: tender)
        let settings = AccountSettings(merchant)
        let instrument = try Self.instrument(of: request, tender, settings)
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.fresh(
                AccountToken.referenceKind, bytesCount: AccountToken.randomBytesCount
            ) { random throws(GatewayRefusal) in
                let name = AccountToken.name(random: random)
                var command = AuthorizeCommand(
                    context: CallContext(merchant: merchant, idempotency: request.idempotency),
                    instrument: instrument, amount: request.amount, order: .named(request.orderID),
                    purpose: .authorization, details: request.details,
                    labels: OperationLabels(
                        reference: request.orderID,
                        fields: [AccountToken.field: name, AuthorizationRequest.requestIDField: request.requestID]),
                    references: [AccountToken.reference(name)], networks: settings.networks)
                command.reauthorization.followsVoids = true
                command.reauthorization.notifySettings = AccountSettings.cancellationAddresses
                if request.isCorrection { command.reauthorization.replaces = { $0.hasFailedCheck } }
                return try await self.gateway.authorize(command)
            }
        } catch {
            throw RadialFault(refusal: error)
        }
        // No reply: `TIMEOUT` would have the client accept the order, and authorize the same token later.
        if outcome.operation.state == .failed(.notProcessed(.tokenRefused)) { throw RadialFault(.tokenRefused) }
        return .authorizationReply(outcome, to: request)
    }

    /// - Throws: ``FaultCode/tenderNotConfigured`` for a card that the store does not take.
    private static func instrument(
        of request: AuthorizationRequest, _ tender: TenderType?, _ settings: AccountSettings
    ) throws(RadialFault) -> AuthorizationInstrument {
        switch request.instrument {
        case .card(let card):
            if let tender, !settings.allows(tender) { throw RadialFault(.tenderNotConfigured) }
            return .opened(card.networkToken)
        case .wallet(let token): return try token.instrument()
        }
    }
}

extension Payment {
    /// Whether it is authorized, and its reply has asked that the customer correct his address or his card's security
    /// code: shops that are answered so authorize the order again, and take no such order.
    var hasFailedCheck: Bool {
        guard let authorization = self.authorization, authorization.state == .succeeded else { return false }
        // Whose Apple Pay token was verified here: on the path for cards none comes.
        let isWallet = self.instrument.proof != nil
        let answer = AuthorizationAnswer(authorization, of: self.instrument.network, isWallet: isWallet)
        return answer.securityCode.isFailure || answer.address.isFailure
    }
}
