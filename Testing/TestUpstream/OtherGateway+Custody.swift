//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import AcquirerConformance
public import Payments
import TestGateway

extension OtherGateway {
    /// What its client is judged by as an acquirer that opens tokens: it has opened the tokens of its payments, each of
    /// which proves that nothing in it was changed on its way.
    ///
    /// - Parameter reportsCard: whether its language has a word for the card behind the device.
    /// - Throws: ``NotSealed`` where the instrument is not sealed, or without its transaction identifier.
    public func custody(of instrument: PaymentInstrument, reportsCard: Bool) throws -> AcquirerCustodyValues {
        guard case .sealedApplePayToken(let token) = instrument, !token.transactionIdentifier.isEmpty else {
            throw NotSealed()
        }
        return AcquirerCustodyValues(
            token: token, identity: token.transactionIdentifier.lowercased(),
            arrivals: {
                try await self.test.payments().map { payment in
                    payment.instrument.isOpened
                        ? payment.instrument.proof?.transactionIdentifier.lowercased() ?? "" : ""
                }
            },
            fundingPANSuffix: {
                reportsCard ? try await self.test.payments().first?.opening?.answer.fundingPANSuffix : nil
            })
    }

    public struct NotSealed: Error {}
}
