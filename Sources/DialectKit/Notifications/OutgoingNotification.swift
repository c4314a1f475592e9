//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A request that notifies a merchant of an event, ready to be sent to the event's target.
public struct OutgoingNotification: Sendable {
    /// A header's name and value.
    public struct Header: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// "POST".
    public let method: String
    public let headers: [Header]
    public let body: [UInt8]

    public init(method: String = "POST", headers: [Header], body: [UInt8]) {
        self.method = method
        self.headers = headers
        self.body = body
    }
}
