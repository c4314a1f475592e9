//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Clients
import Foundation
import HTTPTypes
import Money
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import SQLiteStore
import SimulatorAcquirer
import StrictJSON
import TestProcesses
import TestShop
import TestUpstream
import Testing
import Time

@testable import pomona

/// Two gateways, each a process of its own, with a proxy between them, and their stores.
///
/// `pomona sandbox --upstream` makes the merchants and their accounts on both sides; then a `pomona serve` takes over on
/// each.
struct ChainedSandbox: Sendable {
    let service: UpstreamService
    let proxy: FaultyProxy
    private let frontProcess: GatewayProcess
    private let serviceProcess: GatewayProcess
    /// What the sandbox has announced.
    private let announcement: JSON
    private let folder: CliFolder
    /// Of both stores.
    private let paths: [String]
    private let front: SQLiteStore
    private let upstream: SQLiteStore

    /// - Parameter decidesLater: whether the service's acquirer accepts what it is asked for, and decides a second later.
    static func open(_ service: UpstreamService, decidesLater: Bool = false) async throws -> ChainedSandbox {
        let folder = try CliFolder()
        // The service sends its reports to the front gateway's port, which its account names.
        let frontPort = try FreePort.find()
        let servicePort = try FreePort.find(except: [frontPort])
        let proxy = try await FaultyProxy(to: servicePort)
        let front = folder.file("front")
        let sandbox = try await SandboxProcess(
            data: front,
            arguments: [
                "--port", String(frontPort), "--tls-port", "0", "--no-shop", "--upstream", service.rawValue,
                "--upstream-port", String(servicePort), "--upstream-url", proxy.url,
            ])
        #expect(await sandbox.stop() == 0, "\(sandbox.log)")
        let upstream = try #require(sandbox.ready["upstream"]?["data"]?.string)
        if decidesLater { try await Self.decideLater(upstream, folder) }
        let paths = [front, upstream].map { DataDirectory(path: $0).storePath }
        return ChainedSandbox(
            service: service, proxy: proxy,
            frontProcess: try await Self.serve("front", front, frontPort, folder),
            serviceProcess: try await Self.serve("service", upstream, servicePort, folder),
            announcement: sandbox.ready, folder: folder, paths: paths,
            front: try SQLiteStore.openReadOnly(path: paths[0]), upstream: try SQLiteStore.openReadOnly(path: paths[1]))
    }

    private static func serve(
        _ name: String, _ data: String, _ port: Int, _ folder: CliFolder
    ) async throws -> GatewayProcess {
        try await GatewayProcess(
            "\(name)-serve", data: data, port: port,
            settings: [
                "log": ["level": "warning"],
                // All customers' devices are at one address.
                "limits": ["deviceCallsPerSecond": 0],
                // The service reports to the front gateway on this machine.
                "webhooks": ["allowPrivateTargets": true],
            ], in: folder)
    }

    /// Before it listens: a running gateway applies a change within ten seconds.
    private static func decideLater(_ data: String, _ folder: CliFolder) async throws {
        try FileSystem.write(Self.noticeSecret, to: folder.file("notice.secret"))
        for dialect in ShopDialects.all.map({ $0.name }) {
            let done = try await CliTool.pomona([
                "acquirer", "settings", "--data", data, "--merchant", SandboxChain.name(of: dialect), "--name",
                SimulatorConnector.name.text, "acceptsForSeconds=1", "--secret",
                "\(SimulatorNotice.secretName)=@\(folder.file("notice.secret"))",
            ])
            #expect(done.exitCode == 0, "\(done.stderr)")
        }
    }

    private static let noticeSecret = "the acquirer's own"

    func close() async throws {
        try await self.front.close()
        try await self.upstream.close()
        for process in [self.frontProcess, self.serviceProcess] {
            #expect(await process.stop() == 0, "\(process.log)")
        }
        await self.proxy.close()
    }

    func language(_ pair: MatrixPair) throws -> ShopLanguage {
        try ShopLanguage(
            pair.means, try ShopMerchant(pair.dialect, announcement: self.announcement),
            notifyURL: "https://127.0.0.1:9/")
    }

    // MARK: - Calls of a shop

    func send(_ call: ShopCall) async throws -> Reading {
        try await self.send(call.request, call.client)
    }

    func send(_ prepared: ClientRequest, _ client: any WireClient) async throws -> Reading {
        let outgoing = try client.renewed(prepared)
        var message = HTTPClientRequest(url: self.frontProcess.url + outgoing.path)
        message.method = HTTPMethod(rawValue: outgoing.method.rawValue)
        for (name, value) in outgoing.headers { message.headers.add(name: name, value: value.reveal()) }
        message.body = .bytes(ByteBuffer(bytes: outgoing.body.reveal()))
        let response = try await HTTPClient.shared.execute(message, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 1 << 20)
        var headers = HTTPFields()
        for header in response.headers {
            if let name = HTTPField.Name(header.name) { headers.append(HTTPField(name: name, value: header.value)) }
        }
        return client.read(
            ClientReply(status: Int(response.status.code), headers: headers, body: Array(body.readableBytesView)),
            to: outgoing)
    }

    // MARK: - The service's acquirer

    /// Has it report that a capture has failed after it was approved.
    func reportFailure(of operation: OperationID, _ pair: MatrixPair) async throws {
        let account = try await self.upstream.read { reader in
            try reader.merchant(named: SandboxChain.name(of: pair.dialect))
                .flatMap { try reader.acquirerAccounts(of: $0.id).first }
        }
        let id = try #require(account?.id)
        let body = (["operation": .string(operation.text), "event": "failed", "reference": "late"] as JSON).serialized()
        var message = HTTPClientRequest(url: "\(self.serviceProcess.url)/acquirers/\(id)/notices")
        message.method = .POST
        message.headers.add(
            name: SimulatorNotice.signatureHeader,
            value: SimulatorNotice.signature(of: body, secret: Redacted(Self.noticeSecret)))
        message.body = .bytes(ByteBuffer(bytes: body))
        let response = try await HTTPClient.shared.execute(message, timeout: .seconds(60))
        #expect(response.status == .ok)
    }

    // MARK: - The evening

    /// Whatever captures are planned, here and at the service, are due now.
    func makePlannedCapturesDue() async throws {
        let now = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
        for path in self.paths {
            let store = try SQLiteStore.openBeside(path: path)
            try await store.write { try $0.makeDue(.capture, at: now) }
            try await store.close()
        }
    }

    // MARK: - Both books

    /// The latest payment of a merchant here, and the one that the service has for it.
    func payments(of pair: MatrixPair) async throws -> (front: Payment?, upstream: Payment?) {
        let (front, upstream) = try await self.payments(of: pair, limit: 1)
        return (front.first, upstream.first)
    }

    /// The payments of a merchant, here and at the service, which come after those of an earlier moment.
    func payments(
        of pair: MatrixPair, after earlier: (front: Payment?, upstream: Payment?)
    ) async throws -> (front: [Payment], upstream: [Payment]) {
        let (front, upstream) = try await self.payments(of: pair, limit: 10)
        return (
            Array(front.prefix { $0.id != earlier.front?.id }), Array(upstream.prefix { $0.id != earlier.upstream?.id })
        )
    }

    private func payments(
        of pair: MatrixPair, limit: Int
    ) async throws -> (front: [Payment], upstream: [Payment]) {
        (
            try await Self.latest(limit, of: pair.dialect, in: self.front),
            try await Self.latest(limit, of: SandboxChain.name(of: pair.dialect), in: self.upstream)
        )
    }

    private static func latest(_ limit: Int, of name: String, in store: SQLiteStore) async throws -> [Payment] {
        try await store.read { reader in
            guard let merchant = try reader.merchant(named: name) else { return [] }
            return try reader.payments(PaymentQuery(merchantID: merchant.id, limit: limit))
        }
    }

    /// Waits until nothing of either payment is open.
    func settled(_ pair: MatrixPair) async throws -> (front: Payment?, upstream: Payment?) {
        try await self.waiting(pair) { payments in
            ![payments.front, payments.upstream].contains { payment in
                payment?.operations.contains { !$0.state.isResolved } ?? false
            }
        }
    }

    func waitUntil(_ pair: MatrixPair, _ isSo: (Payment, Payment) -> Bool) async throws {
        _ = try await self.waiting(pair) { payments in
            guard let front = payments.front, let upstream = payments.upstream else { return false }
            return isSo(front, upstream)
        }
    }

    /// Other processes work on it, and there is nothing to wait on but what they have written; the suite's time limit ends
    /// it when that never happens.
    private func waiting(
        _ pair: MatrixPair, _ isSo: ((front: Payment?, upstream: Payment?)) -> Bool
    ) async throws -> (front: Payment?, upstream: Payment?) {
        while true {
            let payments = try await self.payments(of: pair)
            if isSo(payments) { return payments }
            _ = try await HTTPClient.shared.get(url: self.frontProcess.url + "/healthz").get()
        }
    }

    /// The logs, for a test that fails.
    var log: String { "\(self.serviceProcess.log.suffix(2000))\n\(self.frontProcess.log.suffix(2000))" }
}
