//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Payments
import Redaction
import StrictJSON
import Synchronization
import Testing
import Time

@testable import pomona

/// Merchant sessions from a server that plays Apple's: real TLS both ways, on the loopback interface.
struct AppleSessionTests {
    @Test func sessionIsAskedForWithTheMerchantsIdentityAndHandedOnAsItCame() async throws {
        try await PretendApple.run(answer: (.ok, "{\"epochTimestamp\":1,\"signature\":\"s\"}")) { apple, request in
            let session = try await apple.client.request(request)
            #expect(String(decoding: session.reveal(), as: UTF8.self) == "{\"epochTimestamp\":1,\"signature\":\"s\"}")
            let asked = try #require(apple.requests.first)
            #expect(asked.path == "/paymentservices/paymentSession")
            #expect(asked.subject.contains("merchant.com.example.shop"))
            let body = try JSON.parse(asked.body)
            #expect(body["merchantIdentifier"]?.string == "merchant.com.example.shop")
            #expect(body["displayName"]?.string == "Shop")
            #expect(body["initiative"]?.string == "web")
            #expect(body["initiativeContext"]?.string == "shop.example.com")
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status(code: 417), "{}", "http_417"), (HTTPResponse.Status.ok, "<html>", "answer_unreadable"),
    ])
    func tellsInAWordWhatWentWrong(_ status: HTTPResponse.Status, _ body: String, _ word: String) async throws {
        try await PretendApple.run(answer: (status, body)) { apple, request in
            let error = await #expect(throws: MerchantSessionError.self) { try await apple.client.request(request) }
            #expect(error?.reason == word)
        }
    }

    @Test func givesItsIdentityToNobodyElse() async throws {
        try await PretendApple.run(answer: (.ok, "{}")) { apple, request in
            var client = apple.client
            client.sandbox.authoritiesPEM = try PretendApple.makeIdentity(in: CliFolder()).certificatePEM
            let error = await #expect(throws: MerchantSessionError.self) { try await client.request(request) }
            #expect(error?.reason == "connection_failed")
            #expect(apple.requests.isEmpty)
        }
    }

    @Test func refusesAnIdentityThatIsNone() async throws {
        try await PretendApple.run(answer: (.ok, "{}")) { apple, request in
            let broken = MerchantSessionRequest(
                mode: request.mode, merchantIdentifier: request.merchantIdentifier, domainName: request.domainName,
                displayName: request.displayName, identityCertificatePEM: "none",
                identityPrivateKeyPEM: Redacted("none"))
            let error = await #expect(throws: MerchantSessionError.self) { try await apple.client.request(broken) }
            #expect(error?.reason == "identity_unusable")
        }
    }
}

/// A server that takes clients with a certificate of its authority alone.
private final class PretendApple: Sendable {
    struct Asked: Sendable {
        let path: String
        let subject: String
        let body: [UInt8]
    }

    let client: AppleSessionClient
    private let asked: AskedRequests

    var requests: [Asked] { self.asked.all }

    private init(client: AppleSessionClient, asked: AskedRequests) {
        self.client = client
        self.asked = asked
    }

    /// A certificate and its key by an authority made for it.
    static func makeIdentity(
        in folder: CliFolder
    ) throws -> (certificatePEM: String, privateKeyPEM: String, authorityPEM: String) {
        let directory = DataDirectory(path: folder.path)
        let identity = try SandboxTLS(directory: directory, host: "localhost", now: Timestamp.now())
            .clientIdentity(named: "merchant.com.example.shop")
        return (
            identity.certificatePEM, identity.privateKeyPEM, try FileSystem.readText(directory.caCertificatePath)
        )
    }

    static func run(
        answer: (HTTPResponse.Status, String),
        _ body: @escaping @Sendable (PretendApple, MerchantSessionRequest) async throws -> Void
    ) async throws {
        let folder = try CliFolder()
        let identity = try Self.makeIdentity(in: folder)
        let directory = DataDirectory(path: folder.path)
        _ = try SandboxTLS(directory: directory, host: "localhost", now: Timestamp.now()).identity()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(directory.serverCertificatePath)
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: directory.serverKeyPath, format: .pem)))
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(identity.authorityPEM.utf8)))
        tls.certificateVerification = .noHostnameVerification
        let (ports, port) = AsyncStream<Int>.makeStream()
        let asked = AskedRequests()
        let router = Router(context: PeerContext.self)
        router.post("paymentservices/paymentSession") { request, context in
            let bytes = Array(try await request.body.collect(upTo: 1 << 16).readableBytesView)
            let certificate = try await context.channel.nioSSL_peerCertificate().get()
            asked.append(
                Asked(path: request.uri.path, subject: certificate.map { "\($0)" } ?? "nobody", body: bytes))
            return Response(
                status: answer.0, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: answer.1)))
        }
        let server = Hummingbird.Application(
            router: router, server: try .tls(.http1(), tlsConfiguration: tls),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            }, logger: Logger(label: "apple") { _ in SwiftLogNoOpLogHandler() })
        let request = MerchantSessionRequest(
            mode: .sandbox, merchantIdentifier: "merchant.com.example.shop", domainName: "shop.example.com",
            displayName: "Shop", identityCertificatePEM: identity.certificatePEM,
            identityPrivateKeyPEM: Redacted(identity.privateKeyPEM))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.runService(gracefulShutdownSignals: []) }
            let number = try #require(await ports.first { _ in true })
            let apple = PretendApple(
                client: AppleSessionClient(
                    sandbox: .init(host: "localhost", port: number, authoritiesPEM: identity.authorityPEM)),
                asked: asked)
            try await body(apple, request)
            group.cancelAll()
        }
    }
}

private final class AskedRequests: Sendable {
    private let requests = Mutex<[PretendApple.Asked]>([])

    var all: [PretendApple.Asked] { self.requests.withLock { $0 } }

    func append(_ request: PretendApple.Asked) { self.requests.withLock { $0.append(request) } }
}

/// Keeps the connection, for the client's certificate.
private struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.channel = source.channel
    }
}
