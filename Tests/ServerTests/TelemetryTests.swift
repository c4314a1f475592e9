//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Testing

@testable import Server

@Suite struct TelemetryTests {
    @Test func logsEachRequestInOneLineWithoutItsData() async throws {
        let fixture = ServerFixture()
        try await fixture.run { url in
            _ = try await HTTPClient.shared.send(
                "GET", url + "/test/wait/secret-id?secret=query", headers: [("X-Secret", "secret-header")])
            _ = try await HTTPClient.shared.send("POST", url + "/test/echo", body: Array("secret-body".utf8))
        }
        let requests = fixture.log.all.filter { $0.contains("msg=request") }
        #expect(requests.count == 2)
        #expect(!fixture.log.all.contains { $0.contains("secret") })
        let line = try #require(requests.last)
        for pair in [
            "dialect=test", "method=POST", "route=/test/echo", "status=200", "request_bytes=11", "response_bytes=11",
            "request_id=abababababababab",
        ] {
            #expect(line.contains(" \(pair)"))
        }
        #expect(requests.first?.contains(" route=/test/wait/{id} ") == true)
    }

    @Test func countsAndLogsRefusalsThatAreAnsweredWithStatus200() async throws {
        let fixture = ServerFixture()
        try await fixture.run { url in
            for _ in 1...2 {
                _ = try await HTTPClient.shared.send("POST", url + "/test/refuse", body: Array("secret-body".utf8))
            }
            _ = try await HTTPClient.shared.send("POST", url + "/test/echo", body: [1])
            _ = try await HTTPClient.shared.send("GET", url + "/nowhere/secret-path")
            let metrics = try await HTTPClient.shared.send("GET", url + "/metrics").text
            let refusals = metrics.split(separator: "\n").filter { $0.hasPrefix("pomona_refusals_total{") }
            #expect(
                refusals == [
                    "pomona_refusals_total{code=\"42\",dialect=\"test\",operation=\"refund\"} 2",
                    "pomona_refusals_total{code=\"http_404\",dialect=\"none\",operation=\"unknown\"} 1",
                ])
        }
        let refused = fixture.log.all.filter { $0.contains(" refusal=") }
        #expect(refused.count == 3)
        // Where the service says who called.
        #expect(refused.count { $0.contains(" caller=tok_1") } == 2)
        #expect(
            refused.count {
                $0.contains(" status=200") && $0.contains(" operation=refund ") && $0.contains(" refusal=42")
            } == 2)
        #expect(!fixture.log.all.contains { $0.contains("secret") })
    }

    @Test func countsRequestsByRouteAndNeverByPath() async throws {
        try await ServerFixture().run { url in
            for path in ["/test/wait/1", "/test/wait/2", "/nowhere/1", "/nowhere/2"] {
                _ = try await HTTPClient.shared.send("GET", url + path)
            }
            _ = try await HTTPClient.shared.send("PROPFIND", url + "/test/echo")
            let answer = try await HTTPClient.shared.send("GET", url + "/metrics")
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = answer.text.split(separator: "\n").map(String.init)
            let name = "pomona_http_requests_total"
            #expect(
                lines.contains(name + "{dialect=\"test\",method=\"GET\",route=\"/test/wait/{id}\",status=\"200\"} 2"))
            #expect(lines.contains(name + "{dialect=\"none\",method=\"GET\",route=\"unmatched\",status=\"404\"} 2"))
            #expect(lines.contains(name + "{dialect=\"test\",method=\"other\",route=\"unmatched\",status=\"405\"} 1"))
            #expect(
                lines.contains(
                    "pomona_http_request_duration_seconds_count{dialect=\"test\",route=\"/test/wait/{id}\"} 2"))
            #expect(lines.contains("# TYPE process_resident_memory_bytes gauge"))
            #expect(lines.contains("process_start_time_seconds 1"))
        }
    }
}
