//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A part of a connector's memo as it is kept: sealed, with its operation.
public struct StoredMemo: Hashable, Sendable {
    /// The parts of ``AcquirerMemo``; its handles are references.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// Kept as long as the payment.
        case entries
        /// Deleted when its time is over.
        case cardData
    }

    public let operationID: OperationID
    public let part: Part
    public let paymentID: PaymentID
    public let content: SealedBytes
    /// Of card data: for how long after the payment is over the connector said that it needs it
    /// (``AcquirerCapabilities/CardDataRetention``), so that it ends whatever becomes of the connector and its account.
    public let keptSeconds: Int64?

    public init(
        operationID: OperationID, part: Part = .entries, paymentID: PaymentID, content: SealedBytes,
        keptSeconds: Int64? = nil
    ) {
        self.operationID = operationID
        self.part = part
        self.paymentID = paymentID
        self.content = content
        self.keptSeconds = keptSeconds
    }
}
