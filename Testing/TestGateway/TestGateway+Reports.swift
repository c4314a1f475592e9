//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments

extension TestGateway {
    /// Has the acquirer report something by itself, as over a connection of its own. The simulator's book stays as it was,
    /// so that ``bookProblems()`` finds the difference.
    ///
    /// - Parameters:
    ///   - operation: of which it reports something; the account is that of its payment.
    ///   - reference: the acquirer's own name for the report.
    /// - Returns: whether it was booked: `.notKnown` for an operation that the gateway does not have.
    @discardableResult
    public func report(
        _ event: AcquirerNotice.Event, of operation: OperationID, reference: String? = nil
    ) async throws -> AcquirerReports.Receipt {
        let payment = try await self.store.read { reader in
            try reader.paymentID(ofOperation: operation).flatMap { try reader.payment($0) }
        }
        guard let payment else { return .notKnown }
        return await self.gateway.receive(
            AcquirerNotice(.operation(operation), event, reference: reference), for: payment.accountID,
            by: payment.acquirer)
    }
}
