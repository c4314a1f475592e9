//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway

/// One call from its head to its answer, as whoever serves it keeps track of it.
public struct WireCall: Sendable {
    private let notes = CallNotes()

    public init() {}

    /// Works on the call. What becomes known of it below is noted.
    public func answer(_ body: () async -> WireResponse) async -> WireResponse {
        await self.notes.during(body)
    }

    /// The call, once it was refused.
    public func refused(
        as refusal: WireRefusal, by service: String, requestID: String, reachedRoute: Bool
    ) -> RefusedWireCall {
        RefusedWireCall(
            requestID: requestID, service: service, refusal: refusal, reachedRoute: reachedRoute,
            notes: self.notes.content)
    }
}

/// A call that was refused, for the record of such calls.
public struct RefusedWireCall: Sendable {
    /// What the answer's X-Request-Id says.
    public let requestID: String
    /// The service's label: the dialect's name.
    public let service: String
    public let refusal: WireRefusal
    /// Whether a route of the service's has seen it.
    public let reachedRoute: Bool
    /// What the gateway knows of it.
    public let notes: CallNotes.Content

    public init(
        requestID: String, service: String, refusal: WireRefusal, reachedRoute: Bool, notes: CallNotes.Content
    ) {
        self.requestID = requestID
        self.service = service
        self.refusal = refusal
        self.reachedRoute = reachedRoute
        self.notes = notes
    }
}
