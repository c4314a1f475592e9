//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// By what a receiver knows a dialect's notifications, and how a shop acknowledges them.
public struct NotificationMark: Sendable {
    /// Whether a notification with these headers is the dialect's. No two dialects' are alike.
    ///
    /// - Parameter header: the value of a header, by its name; `nil` for one that there is not.
    public let isShown: @Sendable (_ header: (_ name: String) -> String?) -> Bool
    /// With the body, what HTTP status 200 is answered with.
    public let acknowledgementType: String?
    public let acknowledgement: String

    public init(
        acknowledgement: String = "", type: String? = nil,
        isShown: @escaping @Sendable (_ header: (_ name: String) -> String?) -> Bool
    ) {
        self.isShown = isShown
        self.acknowledgementType = type
        self.acknowledgement = acknowledgement
    }
}
