//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Payment {
    /// The payment under another account, while nothing of it has been done under the one that it has: the acquirer did not
    /// process its opening, and that has not been booked.
    public func rerouted(
        to account: AcquirerAccountID, acquirer: AcquirerName
    ) throws(PaymentRefusal) -> PaymentChange {
        guard self.operations.count == 1, self.opening?.state == .pending else { throw .operationAlreadyResolved }
        var changed = self
        changed.acquirer = acquirer
        changed.accountID = account
        changed.version += 1
        return PaymentChange(payment: changed, journal: [])
    }
}
