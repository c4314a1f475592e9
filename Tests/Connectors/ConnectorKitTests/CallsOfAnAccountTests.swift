//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing
import Time

@testable import ConnectorKit

/// Merchants share a host, and the bank of one of them may be silent.
@Suite struct CallsOfAnAccountTests {
    private static func account(_ number: UInt8) -> AcquirerAccountID {
        AcquirerAccountID(at: Timestamp(seconds: 1), random: [number])
    }

    @Test func oneAccountKeepsNoOtherWaiting() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (deadline, passing) = AsyncStream<Void>.makeStream()
        let server = try await RawServer { connection, event in
            guard case .received(let bytes) = event else { return }
            guard String(decoding: bytes, as: UTF8.self).contains("GET /silent") else {
                connection.send(SendingTests.answer)
                return
            }
            arrival.yield()
        }
        let client = UpstreamClient(limits: UpstreamLimits(connectMilliseconds: 60_000, callsPerAccountMax: 1)) {
            milliseconds in
            // Only the silent call's time is over, when the test says so.
            let (never, end) = AsyncStream<Void>.makeStream()
            var passed = (milliseconds == 1 ? deadline : never).makeAsyncIterator()
            await passed.next()
            end.finish()
        }
        func call(_ path: String, of account: AcquirerAccountID?, milliseconds: Int64 = 2) async -> UpstreamEnding {
            await client.exchange(
                UpstreamRequest(
                    method: "GET", url: "http://127.0.0.1:\(server.port)\(path)", allowsPlainHTTP: true,
                    account: account, deadlineMilliseconds: milliseconds))
        }
        async let silent = call("/silent", of: Self.account(1), milliseconds: 1)
        var arrivals = arrived.makeAsyncIterator()
        await arrivals.next()
        #expect(await call("/a", of: Self.account(1)).word == "too_many_calls_of_the_account")
        for other in [Self.account(2), nil] { #expect(await call("/a", of: other).word == "answered") }
        passing.yield()
        #expect(await silent.word == "unknown")
        #expect(await call("/a", of: Self.account(1)).word == "answered")
        await client.shutdown()
    }
}

extension UpstreamEnding {
    fileprivate var word: String {
        switch self {
        case .answered: "answered"
        case .notSent(let word): word
        case .unknown: "unknown"
        }
    }
}
