//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// Customers before the acquirer: each operation that is paid has a token of its own, for its amount, as a sheet makes
/// it; a repeat has the same. Whatever is to be authorized is sold, since AlphaPay does nothing else.
final class Customers: Acquirer {
    private let acquirer: any Acquirer
    private let vendor: Vendor
    private let tokens = Mutex<[OperationID: PaymentInstrument]>([:])
    /// A token that the suite brings, and looks for at the far end.
    private let brought: SealedApplePayToken?

    init(_ acquirer: any Acquirer, of vendor: Vendor, brought: SealedApplePayToken? = nil) {
        self.acquirer = acquirer
        self.vendor = vendor
        self.brought = brought
    }

    var name: AcquirerName { self.acquirer.name }
    var capabilities: AcquirerCapabilities { self.acquirer.capabilities }

    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        await self.acquirer.prepare(self.paying(request))
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        await self.acquirer.perform(self.paying(request))
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { await self.acquirer.query(query) }

    private func paying(_ request: AcquirerRequest) -> AcquirerRequest {
        guard case .authorize(let charge) = request.action else { return request }
        let instrument = self.tokens.withLock { tokens in
            if case .sealedApplePayToken(let sealed) = charge.instrument, sealed == self.brought {
                return charge.instrument
            }
            let token =
                tokens[request.operationID] ?? (try? self.vendor.instrument(request.amount)) ?? charge.instrument
            tokens[request.operationID] = token
            return token
        }
        return AcquirerRequest(
            operationID: request.operationID, paymentID: request.paymentID, merchantID: request.merchantID,
            amount: request.amount, begunAt: request.begunAt,
            action: .authorize(Charge(instrument: instrument, network: charge.network, captures: true)),
            ordinal: request.ordinal, memo: request.memo)
    }
}
