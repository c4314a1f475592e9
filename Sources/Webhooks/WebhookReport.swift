//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a pass of the worker did.
public struct WebhookReport: Hashable, Sendable {
    public var deliveredCount = 0
    /// Will be tried again, or has been given up.
    public var failedCount = 0
    /// Neither: the outcome could not be recorded, and the delivery is due again when its lease ends.
    public var unrecordedCount = 0

    public init(deliveredCount: Int = 0, failedCount: Int = 0, unrecordedCount: Int = 0) {
        self.deliveredCount = deliveredCount
        self.failedCount = failedCount
        self.unrecordedCount = unrecordedCount
    }
}
