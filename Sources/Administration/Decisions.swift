//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Payments

extension Administration {
    /// Books how an operation ended that nobody knew the end of, as the operator has found out at the acquirer.
    ///
    /// What stands in the acquirer's own portal is the truth: a decision against it loses or doubles money.
    /// - Parameter reason: for the audit log: where it was seen, and by whom.
    /// - Returns: the payment with the operation resolved.
    /// - Throws: ``AdministrationError`` `operation_unknown`, `operation_resolved`, `operation_under_way`;
    ///   `PaymentRefusal` where the payment's sums do not allow it any more; `StoreError`.
    public func decide(
        _ id: OperationID, _ decision: OperatorDecision, reason: String
    ) async throws -> Payment {
        do {
            return try await self.gateway.decide(id, decision, reason: reason)
        } catch let refusal as DecisionRefusal {
            throw AdministrationError(refusal, id)
        }
    }
}

extension AdministrationError {
    fileprivate init(_ refusal: DecisionRefusal, _ id: OperationID) {
        switch refusal {
        case .operationUnknown:
            self.init(.operationUnknown, "The store has no operation with the id \(id).")
        case .operationResolved:
            self.init(
                .operationResolved,
                "It is known how \(id) ended, and that stays. Look at it with pomona payments show \(id).")
        case .operationUnderWay(let seconds):
            self.init(
                .operationUnderWay,
                "\(id) has only just begun, and its answer may be on its way. Decide in \(seconds) s at the earliest.")
        }
    }
}
