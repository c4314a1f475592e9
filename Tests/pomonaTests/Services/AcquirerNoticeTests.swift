//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AsyncHTTPClient
import DialectKit
import Logging
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import Server
import SimulatorAcquirer
import Testing

@testable import pomona

/// Where acquirers report what has become of payments, over HTTP.
struct AcquirerNoticeTests {
    private static func post(
        _ url: String, _ body: [UInt8], _ method: HTTPMethod = .POST, signature: String? = nil
    ) async throws -> UInt {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let signature { request.headers.add(name: "Pomona-Signature", value: signature) }
        if method == .POST { request.body = .bytes(ByteBuffer(bytes: body)) }
        return try await HTTPClient.shared.execute(request, timeout: .seconds(120)).status.code
    }

    @Test func noticesAreTakenAtTheAccountsAddress() async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(
            kind: .sandbox, directory: DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        let administration = application.gateway.administration
        let merchant = try #require(
            try await administration.read { (reader: any StoreReader) throws in try reader.merchants() }.first)
        let account = try #require(try await administration.read { try $0.acquirerAccounts(of: merchant.id) }.first)
        let secret = Redacted("a secret of the account")
        try await administration.changeAcquirerAccount(
            account.id, AcquirerAccountChange(secrets: [SimulatorNotice.secretName: secret]))
        try await application.withRunning { addresses in
            let base = addresses[0].url
            try await Self.expectAnswers(base, account.id, secret)
        }
    }

    private static func expectAnswers(
        _ base: String, _ account: AcquirerAccountID, _ secret: Redacted<String>
    ) async throws {
        let url = "\(base)/acquirers/\(account.text)/notices"
        let body = Array(#"{"event": "failed", "operation": "op_01M7YRCW0HRMMTHEQKHE6Y9WF6"}"#.utf8)
        let signature = SimulatorNotice.signature(of: body, secret: secret)
        // It is the acquirer's, and of no operation that is known.
        #expect(try await self.post(url, body, signature: signature) == 404)
        #expect(try await self.post(url, body) == 401)
        #expect(try await self.post(url, [], signature: SimulatorNotice.signature(of: [], secret: secret)) == 400)
        #expect(try await self.post(url, body, .GET) == 405)
        #expect(try await self.post(url + "/x", body) == 404)
        #expect(try await self.post("\(base)/acquirers/bank/notices", body) == 404)
        let large = [UInt8](repeating: 0x20, count: 256 * 1024 + 1)
        #expect(try await self.post(url, large) == 413)
    }
}
