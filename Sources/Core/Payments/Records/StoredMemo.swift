//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A connector's memo as it is kept: sealed, with its operation.
public struct StoredMemo: Hashable, Sendable {
    public let operationID: OperationID
    public let paymentID: PaymentID
    /// The entries of ``AcquirerMemo``, sealed; its handles are references.
    public let content: SealedBytes

    public init(operationID: OperationID, paymentID: PaymentID, content: SealedBytes) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.content = content
    }
}
