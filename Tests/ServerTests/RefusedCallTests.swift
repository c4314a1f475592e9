//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Gateway
import Synchronization
import Testing

@testable import Server

/// Refused calls are handed on, once each and with what is known of them.
@Suite struct RefusedCallTests {
    private final class Taken: Sendable {
        private let calls = Mutex<[RefusedWireCall]>([])

        func take(_ call: RefusedWireCall) { self.calls.withLock { $0.append(call) } }

        var all: [RefusedWireCall] { self.calls.withLock { $0 } }
    }

    @Test func handsOnWhatServicesRefuse() async throws {
        let taken = Taken()
        try await ServerFixture(onRefusal: { taken.take($0) }).run { url in
            _ = try await HTTPClient.shared.send("POST", url + "/test/echo", body: [1])
            let refused = try await HTTPClient.shared.send("POST", url + "/test/refuse", body: [1])
            #expect(refused.headers["x-request-id"] == taken.all.first?.requestID)
            _ = try await HTTPClient.shared.send("GET", url + "/test/nowhere")
            _ = try await HTTPClient.shared.send("POST", url + "/test/echo", body: Array(repeating: 1, count: 1001))
            // Nobody's.
            _ = try await HTTPClient.shared.send("GET", url + "/nowhere")
        }
        let calls = taken.all
        #expect(calls.map(\.service) == ["test", "test", "test"])
        #expect(calls.map(\.refusal.code) == ["42", "http_404", "http_413"])
        #expect(calls.map(\.reachedRoute) == [true, false, false])
        #expect(calls.first?.refusal.operation == "refund")
    }

    /// What is noted below a route, in whatever task of its, is of that call alone.
    @Test func handsOnWhatWasNotedOfTheCall() async throws {
        let taken = Taken()
        let dialect = TestDialect {
            CallNotes.note(.tokenReplayed)
            CallNotes.note(CallNotes.Caller.proven)
        }
        try await ServerFixture(dialect: dialect, onRefusal: { taken.take($0) }).run { url in
            _ = try await HTTPClient.shared.send("GET", url + "/test/wait/refused")
            _ = try await HTTPClient.shared.send("POST", url + "/test/refuse", body: [1])
        }
        #expect(taken.all.count == 2)
        #expect(taken.all.first?.notes.refusal == .tokenReplayed && taken.all.first?.notes.caller == .proven)
        #expect(taken.all.last?.notes.refusal == nil && taken.all.last?.notes.caller == .unknown)
    }
}
