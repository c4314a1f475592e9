//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

/// The service, as one account has it. The order's id is the payment's short name, a request's id the operation's.
struct RadialAcquirer: Acquirer {
    let name: AcquirerName
    let account: RadialAccount
    let calls: RadialCalls

    var capabilities: AcquirerCapabilities {
        var capabilities = self.account.capabilities
        capabilities.deadlines = self.calls.calls.limits
        return capabilities
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        if let obstacle = self.account.capabilities.obstacle(to: request) {
            return .notProcessed(NotProcessed(.requestRefused, obstacle.rawValue))
        }
        switch request.action {
        case .authorize(let charge) where charge.captures: return await self.sell(request, charge)
        case .authorize(let charge): return await self.authorize(request, charge)
        case .capture(let original, let isFinal): return await self.capture(request, original, isFinal: isFinal)
        case .refund(let original, _): return await self.refund(request, original)
        case .void(let original), .reverse(let original): return await self.cancel(request, original)
        case .adjust, .verify: return Self.notOffered
        }
    }

    private static let notOffered = AcquirerOutcome.notProcessed(NotProcessed(.requestRefused, "not_offered"))

    // MARK: - With the token

    private func authorize(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        let fields: ChargeFields
        do throws(ChargeRequest.Refusal) {
            fields = try ChargeRequest(request: request, charge: charge, defaults: self.account.defaults).fields()
        } catch {
            return .notProcessed(NotProcessed(.requestRefused, error.word))
        }
        let secrets = self.account.keys.secrets + fields.instrument.secrets
        return await self.calls.submit(within: self.calls.chargeBudget) { client throws(ClientError) in
            try client.charge(fields)
        } outcome: { reply in
            switch reply {
            case .read(let reading):
                AuthorizationReply(
                    reading: reading, orderID: fields.order, amount: request.amount, secrets: secrets
                ).outcome
            case .received: .unknown(RadialReply.unreadable)
            case .fault(let fault): fault.outcomeOfCharge
            case .notProcessed(let not): .notProcessed(not)
            case .unknown(let unknown): .unknown(unknown)
            }
        }
    }

    /// Authorizes; what is left of a sale is done when it is asked after (``query(_:)``).
    private func sell(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        let outcome = await self.authorize(request, charge)
        guard case .approved(let approval) = outcome else { return outcome }
        var memo = approval.memo
        memo[RadialNote.standing] = RadialNote.Standing.approved.rawValue
        return .accepted(AcquirerAcceptance(approval.answer, memo: memo))
    }

    // MARK: - Without it

    /// Posts a settlement or a cancellation; its end is reported.
    func follow(
        _ request: AcquirerRequest, _ make: @escaping RadialCalls.Make
    ) async -> AcquirerOutcome {
        let acknowledgement = Acknowledgement(
            orderID: request.paymentID.shortName, requestID: request.operationID.text)
        return await self.calls.submit(within: self.calls.budget, make) { reply in
            switch reply {
            case .read(let reading): acknowledgement.outcome(reading)
            case .received(let document): acknowledgement.outcome(document)
            case .fault(let fault): fault.outcomeOfFollowUp
            case .notProcessed(let not): .notProcessed(not)
            case .unknown(let unknown): .unknown(unknown)
            }
        }
    }
}
