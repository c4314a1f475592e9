//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension Radial {
    /// How often a name for an account token may be taken already before something else must be wrong.
    private static let nameAttemptsMax = 8

    func authorize(
        _ message: XMLElement, tender text: String?, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        let tender = text == TenderType.digitalWallet ? nil : try Self.cardTender(text)
        try (tender == nil ? MessageRules.walletAuthorization : .cardAuthorization).check(message)
        let request = try AuthorizationRequest(message, tender: tender)
        let settings = AccountSettings(merchant)
        let instrument = try Self.instrument(of: request, tender, settings)
        for _ in 0..<Self.nameAttemptsMax {
            let name = AccountToken.name(random: self.gateway.randomBytes(AccountToken.randomBytesCount))
            let command = AuthorizeCommand(
                context: CallContext(merchant: merchant, idempotency: request.idempotency), instrument: instrument,
                amount: request.amount, order: .named(request.orderID), purpose: .authorization,
                details: request.details,
                labels: OperationLabels(reference: request.orderID, fields: [AccountToken.field: name]),
                references: [AccountToken.reference(name)], networks: settings.networks)
            do throws(GatewayRefusal) {
                return .authorizationReply(try await self.gateway.authorize(command), to: request)
            } catch {
                // Nothing has been begun, and the token has not been used up: another name will do.
                guard case .referenceTaken(AccountToken.referenceKind) = error else {
                    throw RadialFault(refusal: error)
                }
            }
        }
        throw RadialFault(.unavailable)
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
