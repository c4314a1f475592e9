//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import Synchronization
import Testing

@testable import pomona

/// The program at the edge of what it may have.
@Suite struct EdgeTests {
    /// Sockets that connect and say nothing.
    private final class IdleSockets {
        private var descriptors: [Int32] = []

        init(_ count: Int, port: Int) throws {
            for _ in 0..<count {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
                self.descriptors.append(descriptor)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(port).bigEndian
                address.sin_addr.s_addr = inet_addr("127.0.0.1")
                let isConnected = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
                guard isConnected else { throw POSIXError(.ECONNREFUSED) }
            }
        }

        deinit {
            for descriptor in self.descriptors { close(descriptor) }
        }
    }

    /// With all of them taken Swift's runtime would end the process (FileDescriptorLimit). They come at once, and faster than
    /// a busy machine closes those that have to go for them: no more are accepted before it has (AcceptGate).
    @Test func servesWhereThereAreMoreConnectionsThanFileDescriptors() async throws {
        let folder = try CliFolder()
        let sandbox = try await SandboxProcess(
            data: folder.file("data"), arguments: ["--port", "0", "--tls-port", "0", "--no-shop"], filesMax: 80)
        let port = try #require(sandbox.http.split(separator: ":").last.flatMap { Int($0) })
        let idle = try IdleSockets(200, port: port)
        let metrics: String
        do {
            metrics = try await HTTPClient.shared.get(sandbox.http + "/metrics")
        } catch {
            Issue.record("no answer; the process ended with \(await sandbox.stop()):\n\(sandbox.log)")
            throw error
        }
        let count = { (prefix: String) in
            metrics.split(separator: "\n").first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
        }
        #expect(try #require(count("pomona_http_connections_cut_total{reason=\"room\"} ")) > 100)
        #expect(count("pomona_http_accept_failures_total ") ?? 0 == 0)
        #expect(try await HTTPClient.shared.get(sandbox.http + "/readyz") == "{\"status\":\"ready\"}\n")
        withExtendedLifetime(idle) {}
        #expect(await sandbox.stop() == 0)
    }

    @Test func knowsHowLongTheStoreTakes() {
        let clock = ManualClock()
        let backlog = StoreBacklog(now: { clock.now })
        #expect(backlog.waitMilliseconds == 0)
        let first = backlog.begin()
        clock.advance(milliseconds: 3000)
        let second = backlog.begin()
        #expect(backlog.waitMilliseconds == 3000)
        // Something has ended: it goes on, if slowly.
        backlog.end(first)
        #expect(backlog.waitMilliseconds == 375)
        clock.advance(milliseconds: 6000)
        #expect(backlog.waitMilliseconds == 6000)
        backlog.end(second)
        #expect(backlog.waitMilliseconds == 0)
    }

    @Test func oneSlowChangeIsNoBacklogAndManyAre() {
        let clock = ManualClock()
        let backlog = StoreBacklog(now: { clock.now })
        let waiting = backlog.begin()
        for _ in 0..<30 {
            let began = backlog.begin()
            clock.advance(milliseconds: 8000)
            backlog.end(began)
        }
        #expect(backlog.waitMilliseconds > 5000)
        for _ in 0..<30 {
            let began = backlog.begin()
            clock.advance(milliseconds: 1)
            backlog.end(began)
        }
        let began = backlog.begin()
        clock.advance(milliseconds: 8000)
        backlog.end(began)
        #expect(backlog.waitMilliseconds < 2000)
        backlog.end(waiting)
    }
}

private final class ManualClock: Sendable {
    private let moment = Mutex<ContinuousClock.Instant>(.now)

    var now: ContinuousClock.Instant { self.moment.withLock { $0 } }

    func advance(milliseconds: Int64) { self.moment.withLock { $0 += .milliseconds(milliseconds) } }
}
