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
import StrictJSON
import TestShop
import TestUpstream
import Testing

@testable import pomona

/// Two gateways in a process of their own, `pomona sandbox --upstream`, with a proxy between them, and their stores.
struct ChainedSandbox: Sendable {
    let service: UpstreamService
    let proxy: FaultyProxy
    private let process: SandboxProcess
    private let folder: CliFolder
    private let front: SQLiteStore
    private let upstream: SQLiteStore

    static func open(_ service: UpstreamService) async throws -> ChainedSandbox {
        let folder = try CliFolder()
        let proxy = try await FaultyProxy()
        // The service's port is known once it listens; nothing goes there before.
        let process = try await SandboxProcess(
            data: folder.file("front"),
            arguments: [
                "--port", "0", "--tls-port", "0", "--no-shop", "--upstream", service.rawValue, "--upstream-url",
                proxy.url,
            ])
        let upstream = try #require(process.ready["upstream"])
        proxy.lead(to: try #require(upstream["http"]?.string?.split(separator: ":").last.flatMap { Int($0) }))
        let data = try #require(upstream["data"]?.string)
        return ChainedSandbox(
            service: service, proxy: proxy, process: process, folder: folder,
            front: try SQLiteStore.openReadOnly(path: DataDirectory(path: folder.file("front")).storePath),
            upstream: try SQLiteStore.openReadOnly(path: DataDirectory(path: data).storePath))
    }

    func close() async throws {
        try await self.front.close()
        try await self.upstream.close()
        #expect(await self.process.stop() == 0, "\(self.process.log)")
        await self.proxy.close()
    }

    func language(_ pair: MatrixPair) throws -> ShopLanguage {
        try ShopLanguage(
            pair.dialect, try ShopMerchant(pair.dialect, announcement: self.process.ready),
            notifyURL: "https://127.0.0.1:9/", currency: pair.currency)
    }

    // MARK: - Calls of a shop

    func send(_ call: ShopCall) async throws -> Reading {
        try await self.send(call.request, call.client)
    }

    func send(_ prepared: ClientRequest, _ client: any WireClient) async throws -> Reading {
        let outgoing = try client.renewed(prepared)
        var message = HTTPClientRequest(url: self.process.http + outgoing.path)
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

    // MARK: - Both books

    /// The latest payment of a merchant here, and the one that the service has for it.
    func payments(of pair: MatrixPair) async throws -> (front: Payment?, upstream: Payment?) {
        (
            try await Self.latest(of: pair.dialect, in: self.front),
            try await Self.latest(of: SandboxChain.name(of: pair.dialect), in: self.upstream)
        )
    }

    private static func latest(of name: String, in store: SQLiteStore) async throws -> Payment? {
        try await store.read { reader in
            guard let merchant = try reader.merchant(named: name) else { return nil }
            return try reader.payments(PaymentQuery(merchantID: merchant.id, limit: 1)).first
        }
    }

    /// Waits until nothing of either payment is open. Other processes work on it, and there is nothing to wait on but what
    /// they have written; the suite's time limit ends it when that never happens.
    func settled(_ pair: MatrixPair) async throws -> (front: Payment?, upstream: Payment?) {
        while true {
            let payments = try await self.payments(of: pair)
            let isOpen = { (payment: Payment?) in
                payment?.operations.contains { !$0.state.isResolved } ?? false
            }
            if !isOpen(payments.front), !isOpen(payments.upstream) { return payments }
            _ = try await HTTPClient.shared.get(url: self.process.http + "/healthz").get()
        }
    }

    /// The log, for a test that fails.
    var log: String { self.process.log }
}
