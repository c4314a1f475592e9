//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Logging
import ServiceLifecycle
import TestProcesses
import Testing

@testable import Server

extension Logger {
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

@Suite struct HealthTests {
    @Test func isAliveAndReady() async throws {
        try await ServerFixture().run { url in
            let alive = try await HTTPClient.shared.send("GET", url + "/healthz")
            #expect(alive.status == 200)
            #expect(alive.text == "{\"status\":\"alive\"}\n")
            let ready = try await HTTPClient.shared.send("GET", url + "/readyz")
            #expect(ready.status == 200)
            #expect(ready.text == "{\"status\":\"ready\"}\n")
            #expect(ready.headers["cache-control"] == "no-store")
        }
    }

    @Test func namesTheCheckThatFails() async throws {
        let checks = [
            Readiness.Check(name: "store") { false }, Readiness.Check(name: "disk") { true },
            Readiness.Check(name: "link") { false },
        ]
        try await ServerFixture(checks: checks).run { url in
            let answer = try await HTTPClient.shared.send("GET", url + "/readyz")
            #expect(answer.status == 503)
            #expect(answer.text == "{\"status\":\"not_ready\",\"failures\":[\"store\",\"link\"]}\n")
            #expect(try await HTTPClient.shared.send("GET", url + "/healthz").status == 200)
        }
    }

    @Test func aCheckThatTakesTooLongFails() async throws {
        let waited = Flag()
        let never = Signal()
        let checks = [
            Readiness.Check(name: "store") {
                await never.wait()
                return true
            }
        ]
        let fixture = ServerFixture(checks: checks) { milliseconds in
            #expect(milliseconds <= 1_500)
            waited.set()
        }
        try await fixture.run { url in
            let answer = try await HTTPClient.shared.send("GET", url + "/readyz")
            #expect(answer.status == 503)
            #expect(answer.text == "{\"status\":\"not_ready\",\"failures\":[\"store\"]}\n")
            #expect(waited.isSet)
            never.send()
        }
    }

    @Test func pagesAreOnlyRead() async throws {
        try await ServerFixture().run { url in
            let answer = try await HTTPClient.shared.send("POST", url + "/healthz", body: [1])
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, HEAD")
            let head = try await HTTPClient.shared.send("HEAD", url + "/healthz")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test func saysDrainingBeforeItStopsListening() async throws {
        let (draining, goOn) = (Signal(), Signal())
        let port = try FreePort.find()
        let fixture = ServerFixture(
            port: port,
            isDraining: {
                draining.send()
                await goOn.wait()
            })
        let group = fixture.makeGroup()
        let running = Task { try await group.run() }
        let url = try await fixture.server.addresses()[0].url
        await group.triggerGracefulShutdown()
        await draining.wait()
        let answer = try await HTTPClient.shared.send("GET", url + "/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains("\"draining\""))
        goOn.send()
        try await running.value
        // The port is free again.
        let next = ServerFixture(port: port)
        #expect(try await next.run { $0 } == url)
    }

    @Test func finishesAcceptedRequestsBeforeItEnds() async throws {
        let (begun, release, hasStopped) = (Signal(), Signal(), Signal())
        let dialect = TestDialect(wait: {
            begun.send()
            await release.wait()
        })
        let fixture = ServerFixture(dialect: dialect, isDraining: { hasStopped.send() })
        let group = fixture.makeGroup()
        let hasEnded = Flag()
        let running = Task {
            try await group.run()
            hasEnded.set()
        }
        let url = try await fixture.server.addresses()[0].url
        let answer = Task { try await HTTPClient.shared.send("GET", url + "/test/wait/7") }
        await begun.wait()
        await group.triggerGracefulShutdown()
        await hasStopped.wait()
        #expect(!hasEnded.isSet)
        release.send()
        #expect(try await answer.value.text == "7")
        try await running.value
        #expect(hasEnded.isSet)
    }
}
