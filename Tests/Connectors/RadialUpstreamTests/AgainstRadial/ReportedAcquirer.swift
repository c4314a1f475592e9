//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

@testable import RadialUpstream

/// The acquirer with its reports: what it has accepted ends as the other gateway's events say, and every amount has a
/// token of its own, since a token pays one amount once.
final class ReportedAcquirer: Acquirer {
    private let base: any Acquirer
    private let other: OtherRadial
    private let charges = Mutex<[OperationID: Charge]>([:])
    private let reports = Mutex<[AcquirerNotice]>([])

    /// A token that the suite brings, and looks for at the far end.
    private let brought: SealedApplePayToken?

    init(_ base: any Acquirer, _ other: OtherRadial, brought: SealedApplePayToken? = nil) {
        self.base = base
        self.other = other
        self.brought = brought
    }

    var name: AcquirerName { self.base.name }
    var capabilities: AcquirerCapabilities { self.base.capabilities }

    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation { await self.base.prepare(request) }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        guard case .authorize(let charge) = request.action else { return await self.base.perform(request) }
        do {
            let minted = try self.charges.withLock { charges in
                let minted = try charges[request.operationID] ?? self.other.charge(request.amount)
                charges[request.operationID] = minted
                return minted
            }
            var sealed = minted
            sealed.captures = charge.captures
            if case .sealedApplePayToken(let token) = charge.instrument, token == self.brought {
                sealed.instrument = charge.instrument
            }
            return await self.base.perform(
                AcquirerRequest(
                    operationID: request.operationID, paymentID: request.paymentID, merchantID: request.merchantID,
                    amount: request.amount, begunAt: request.begunAt, action: .authorize(sealed), memo: request.memo))
        } catch {
            return .unclear("no_token")
        }
    }

    /// The suite asks after what was accepted; the answer is what has been reported by now. A sale goes on first, as far
    /// as it can.
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        if query.original.isSale, let ended = await self.base.goOn(query) { return ended }
        do {
            let new = try await self.other.reports()
            let all = self.reports.withLock { reports in
                reports += new
                return reports
            }
            let subject: AcquirerNotice.Subject =
                switch query.original.kind {
                case .void, .reversal:
                    .latest([.void, .reversal], of: RadialNote.handle(query.paymentID.shortName))
                default: .operation(query.original.id)
                }
            guard let report = all.first(where: { $0.subject == subject }) else {
                return .unknown(.unclear("not_reported"))
            }
            switch report.event {
            case .resolved(let outcome): return outcome
            case .approvedAsAsked(let answer, let memo):
                return .approved(AcquirerApproval(amount: query.original.amount, answer: answer, memo: memo))
            default: return .unknown(.unclear("not_understood"))
            }
        } catch {
            return .unknown(.unclear("no_reports"))
        }
    }
}
