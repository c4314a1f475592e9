//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Hosts
import Logging
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import ServiceLifecycle
import StrictJSON
import Synchronization
import TestServing
import Testing
import Time
import Webhooks

@testable import pomona

/// `pomona webhooks listen`, with webhooks that a test sends.
@Suite("pomona webhooks listen", .serialized)
struct ListenTests {
    /// A listener, as the command puts it together.
    private static func run(
        to destination: String? = nil, data: String = "/nonexistent", merchant: String? = nil,
        forwarder: WebhookForwarder = WebhookForwarder(allowsRemote: false),
        sleep: @escaping @Sendable (Int64) async throws -> Void = { _ in
            // Until it is canceled.
            let (moments, never) = AsyncStream<Void>.makeStream()
            for await _ in moments {}
            never.finish()
            throw CancellationError()
        },
        _ body: @escaping @Sendable (_ url: String, _ reports: Reports) async throws -> Void
    ) async throws {
        let reports = Reports()
        let listening = WebhookListening(
            knowledge: WebhookKnowledge(directory: DataDirectory(path: data), merchantName: merchant),
            destination: destination.flatMap { NotificationTarget($0) }, forwarder: forwarder, isVerbose: true,
            report: { reports.add($0) })
        let receiver = WebhookReceiver(
            port: 0, clock: { .now() }, sleep: sleep, answer: { await listening.answer($0) })
        try await LoopbackServer.run(
            { Receiving(receiver: receiver, onReady: $0) },
            while: { port in try await body("http://127.0.0.1:\(port)", reports) })
    }

    private struct Receiving: Service {
        let receiver: WebhookReceiver
        let onReady: @Sendable (Int) async -> Void

        func run() async throws { try await self.receiver.run(signals: [], onReady: self.onReady) }
    }

    private final class Reports: Sendable {
        private let state = Mutex<[ListenReport]>([])

        var all: [ListenReport] { self.state.withLock { $0 } }

        func add(_ report: ListenReport) { self.state.withLock { $0.append(report) } }
    }

    private static func post(
        _ url: String, _ body: String = "paid", headers: [(String, String)] = [], method: HTTPMethod = .POST
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if method == .POST { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Reply(
            status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
            body: String(buffer: bytes))
    }

    private struct Reply: Sendable {
        let status: Int
        let contentType: String?
        let body: String
    }

    private static func status(
        _ url: String, _ body: String = "paid", method: HTTPMethod = .POST
    ) async throws -> Int {
        try await self.post(url, body, method: method).status
    }

    // MARK: - Without a shop

    @Test(arguments: [
        ([("User-Agent", "PAYONE FinanceGate")], "payone", "TSOK"),
        ([("Signature", "a"), ("Merchant-Code", "b")], "alphapay", "\"resultStatus\":\"S\""),
        ([("X-Notification-ID", "evt_1")], "commweb", ""), ([("X-Pomona-Signature", "t=1")], "tappay", ""),
        ([("Content-Type", "application/xml; charset=UTF-8")], "radial", ""), ([], nil, ""),
    ])
    func answersWhatTheDialectsSenderWants(headers: [(String, String)], dialect: String?, answer: String) async throws {
        try await Self.run { url, reports in
            let reply = try await Self.post(url + "/anything?shop=7", headers: headers)
            #expect(reply.status == 200 && (answer.isEmpty ? reply.body.isEmpty : reply.body.contains(answer)))
            let report = try #require(reports.all.first)
            #expect(report.facts.dialect == dialect && report.forwarding == .none && report.facts.signature == .missing)
            #expect(report.json["path"]?.string == "/anything" && report.json["bytes"]?.integer == 4)
            #expect(report.json["forward"] == .null && report.json["answered"]?.integer == 200)
        }
    }

    @Test func takesPOSTAlone() async throws {
        try await Self.run { url, reports in
            let status = try await Self.status(url, method: .GET)
            #expect(status == 405)
            #expect(reports.all.isEmpty)
        }
    }

    @Test func boundsTheBody() async throws {
        try await Self.run { url, reports in
            let atMost = try await Self.status(url, String(repeating: "x", count: 1 << 20))
            #expect(atMost == 200)
            let beyond = try await Self.status(url, String(repeating: "x", count: (1 << 20) + 1))
            #expect(beyond == 413)
            #expect(reports.all.count == 1)
        }
    }

    @Test func givesUpOnABodyThatDoesNotCome() async throws {
        let impatient: @Sendable (Int64) async throws -> Void = { _ in }
        try await Self.run(sleep: impatient) { url, reports in
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            // It ends with the listener's patience.
            let (bytes, more) = AsyncStream<ByteBuffer>.makeStream()
            more.yield(ByteBuffer(string: "half"))
            request.body = .stream(bytes, length: .known(Int64(10)))
            do {
                let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                #expect(response.status == .requestTimeout)
            } catch is HTTPClientError {
                // The answer came before the request had ended, and the connection went with it.
            }
            more.finish()
            #expect(reports.all.isEmpty)
        }
    }

    // MARK: - With a shop

    @Test func handsOnEverythingButTheConnectionsHeaders() async throws {
        let shop = ShopStub { _ in .init(status: 202, contentType: "text/x-shop", body: Array("answer".utf8)) }
        try await shop.run { shopURL in
            try await Self.run(to: shopURL + "/hooks") { url, reports in
                let body = "caf\u{E9} \u{1F34E}"
                let reply = try await Self.post(
                    url + "/ignored?shop=7", body,
                    headers: [
                        ("X-Mine", "a"), ("x-mine", "b"), ("Authorization", "Basic abc"), ("Keep-Alive", "5"),
                        ("User-Agent", "Gateway"),
                    ])
                #expect(reply.status == 202 && reply.contentType == "text/x-shop" && reply.body == "answer")
                let received = try #require(shop.received.first)
                #expect(received.path == "/hooks?shop=7" && received.body == Array(body.utf8))
                let values = received.headers.filter { $0.name.canonicalName == "x-mine" }.map(\.value)
                #expect(values == ["a", "b"])
                #expect(received.header("Authorization") == "Basic abc" && received.header("User-Agent") == "Gateway")
                #expect(received.header("Keep-Alive") == nil)
                let report = try #require(reports.all.first)
                guard case .answered(let status, _) = report.forwarding else {
                    Issue.record("\(report.forwarding)")
                    return
                }
                #expect(status == 202)
                #expect(!report.json.text().contains("abc"))
            }
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:3000", "/a/b?c=d", "http://127.0.0.1:3000/a/b?c=d"),
        ("http://127.0.0.1:3000/", "/a", "http://127.0.0.1:3000/a"),
        ("http://127.0.0.1:3000/hooks", "/a?c=d", "http://127.0.0.1:3000/hooks?c=d"),
        ("http://127.0.0.1/hooks?x=y", "/a?c=d", "http://127.0.0.1:80/hooks?x=y"),
        ("https://[::1]/hooks", "/", "https://[::1]:443/hooks"),
    ])
    func addressesAreMadeOfTheShopsAndTheWebhooks(shop: String, webhook: String, address: String) throws {
        #expect(try #require(NotificationTarget(shop)).text(for: webhook) == address)
    }

    @Test func answersTheGatewayThatTheShopIsNotThere() async throws {
        // Nobody listens there: a port that was given back might be another test's by now.
        try await Self.run(to: "http://127.0.0.1:1") { url, reports in
            let status = try await Self.status(url)
            #expect(status == 502)
            guard case .failed(let word, _) = reports.all.first?.forwarding else {
                Issue.record("no failure")
                return
            }
            #expect(word == "connection_failed")
        }
    }

    @Test func answersTheGatewayThatTheShopIsTooSlow() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let shop = ShopStub { _ in
            for await _ in ends {}
            return .init()
        }
        try await shop.run { shopURL in
            let impatient = WebhookForwarder(allowsRemote: false, timeoutSeconds: 0)
            try await Self.run(to: shopURL, forwarder: impatient) { url, reports in
                let status = try await Self.status(url)
                #expect(status == 504)
                guard case .failed(let word, _) = reports.all.first?.forwarding else {
                    Issue.record("no failure")
                    return
                }
                #expect(word == "timed_out")
            }
            end.finish()
        }
    }

    @Test func handsOnToThisMachineAlone() async throws {
        let addresses = [[8, 8, 8, 8], [127, 0, 0, 1]].compactMap { IPAddress(bytes: $0) }
        let forwarder = WebhookForwarder(allowsRemote: false, resolver: Resolver { _ in addresses })
        try await Self.run(to: "http://shop.invalid/", forwarder: forwarder) { url, reports in
            let status = try await Self.status(url)
            #expect(status == 502)
            #expect(reports.all.first?.json["forward"]?["failure"]?.string == "target_not_loopback")
        }
    }

    @Test func followsNoRedirectOfTheShops() async throws {
        let shop = ShopStub { _ in .init(status: 307) }
        try await shop.run { shopURL in
            try await Self.run(to: shopURL) { url, _ in
                let status = try await Self.status(url)
                #expect(status == 307)
                #expect(shop.received.count == 1)
            }
        }
    }

    // MARK: - Signatures

    /// A store that comes later is taken, so nobody is said to check nothing.
    @Test func saysWhereItFindsTheSecrets() async throws {
        let sandbox = try await CliSandbox.shared()
        #expect(
            WebhooksListenCommand.signatureWords(DataDirectory(path: sandbox.data))
                == "checked with the secrets in \(sandbox.data)")
        let folder = try CliFolder()
        let later = folder.file("later")
        #expect(
            WebhooksListenCommand.signatureWords(DataDirectory(path: later))
                == "checked once there is a store in \(later)")
    }

    @Test func saysWhatIsWrongWithASignature() async throws {
        let sandbox = try await CliSandbox.copy()
        let secret = try await Self.secret("payone", sandbox)
        let other = try await Self.secret("commweb", sandbox)
        try await Self.run(data: sandbox.data, merchant: "payone") { url, reports in
            func send(_ secret: Redacted<String>, age: Int64 = 0, _ headers: [(String, String)] = []) async throws {
                let time = Timestamp.now().adding(seconds: -age)
                let signature = WebhookSignature(
                    messageID: "evt_1", body: Array("paid".utf8), secrets: [secret], at: time)
                _ = try await Self.post(
                    url, headers: [("Pomona-Event-Id", "evt_1"), ("Pomona-Signature", signature.text)] + headers)
            }
            try await send(secret)
            try await send(secret, age: 1000)
            try await send(other)
            _ = try await Self.post(url, headers: [("Pomona-Event-Id", "evt_1"), ("Pomona-Signature", "t=x")])
            _ = try await Self.post(url, headers: [("Pomona-Event-Id", "evt_1")])
            // Of a dialect in which the merchant has no account.
            try await send(secret, [("X-Notification-ID", "1")])
            #expect(
                reports.all.map(\.facts.signature)
                    == [.valid, .outdated, .forged, .malformed, .missing, .unchecked])
        }
        try await Self.run(data: sandbox.folder.path) { url, reports in
            _ = try await Self.post(url, headers: [("Pomona-Event-Id", "evt_1"), ("Pomona-Signature", "t=1,v1=00")])
            #expect(reports.all.map(\.facts.signature) == [.unchecked])
        }
    }

    private static func secret(_ merchant: String, _ sandbox: CliSandbox) async throws -> Redacted<String> {
        let shown = try await CliTool.pomona(["webhooks", "secret", merchant, "--json", "--data", sandbox.data])
        return Redacted(try #require(try shown.json()["secret"]?.string))
    }

    // MARK: - The command

    @Test(arguments: [SIGINT, SIGTERM])
    func endsOnASignal(signal: Int32) async throws {
        let folder = try CliFolder()
        let listen = try await ListenProcess(["--data", folder.path])
        let status = try await Self.status(listen.url)
        #expect(status == 200)
        for await line in listen.lines {
            #expect(line["signature"]?.string == "missing")
            break
        }
        #expect(await listen.stop(signal) == 0)
    }

    @Test func saysThatAPortIsTaken() async throws {
        try await ShopStub { _ in .init() }.run { url in
            let port = try #require(url.split(separator: ":").last)
            let result = try await CliTool.pomona(["webhooks", "listen", "--port", String(port), "--json"])
            #expect(result.exitCode == 1 && result.errorCode == "listen_failed")
        }
    }

    @Test func refusesAMerchantThatTheStoreDoesNotKnow() async throws {
        let sandbox = try await CliSandbox.shared()
        let result = try await CliTool.pomona([
            "webhooks", "listen", "--port", "0", "--merchant", "nobody", "--json", "--data", sandbox.data,
        ])
        #expect(result.exitCode == 1 && result.errorCode == "merchant_unknown")
    }

    @Test(arguments: [
        ["--port", "70000"], ["--forward-to", "127.0.0.1:3000"], ["--forward-to", "http://10.0.0.1/"],
        ["--forward-to", "http://8.8.8.8/hooks"], ["--allow-remote"],
    ])
    func refusesArgumentsThatMakeNoSense(_ arguments: [String]) async throws {
        #expect(try await CliTool.pomona(["webhooks", "listen"] + arguments).exitCode == 64)
    }
}
