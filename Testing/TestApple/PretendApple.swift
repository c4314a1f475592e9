//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import AppleSessions
import Crypto
import CryptoExtras
public import Foundation
public import Gateway
public import HTTPTypes
import Hummingbird
import HummingbirdTLS
import NIOCore
public import NIOSSL
public import Payments
import Redaction
import ServiceLifecycle
import SwiftASN1
import Synchronization
import TestServing
import TestUpstream
public import WalletSimulator
import X509

/// A merchant's identity: a certificate by a test authority, and its key.
public struct TestIdentity: Sendable {
    public static let merchantIdentifier = "merchant.com.example.shop"

    public let certificatePEM: String
    public let privateKeyPEM: String

    /// RSA keys are slow to make, so there are two.
    private static let keys = Result {
        try (0..<2).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    }

    public init(
        by authority: WalletSimulator.TestAuthority, key index: Int = 0,
        kind: MerchantCertificateKind = .merchantIdentity,
        of identifier: String = Self.merchantIdentifier, issued: Date = .now
    ) throws {
        let key = try Self.keys.get()[index]
        let certificate = try authority.issue(
            kind, merchantIdentifier: identifier, publicKey: Certificate.PublicKey(key.publicKey), now: issued)
        self.certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
        self.privateKeyPEM = key.pkcs8PEMRepresentation
    }

    public func request(
        mode: Mode = .sandbox, domainName: String = "shop.example.com", validationURL: String? = nil,
        privateKeyPEM: String? = nil
    ) -> MerchantSessionRequest {
        MerchantSessionRequest(
            mode: mode, merchantIdentifier: Self.merchantIdentifier, domainName: domainName, displayName: "Shop",
            validationURL: validationURL, identity: self.identity(privateKeyPEM: privateKeyPEM))
    }

    public func identity(privateKeyPEM: String? = nil) -> AppleIdentity {
        AppleIdentity(
            certificatePEM: self.certificatePEM, privateKeyPEM: Redacted(privateKeyPEM ?? self.privateKeyPEM))
    }
}

/// A server on the loopback interface that takes clients with a certificate of a test authority's alone and answers as
/// it is configured: real TLS both ways.
public final class PretendApple: Sendable {
    /// What is done with a request.
    public enum Act: Sendable {
        case answer(Int, String, headers: HTTPFields = [:])
        /// Closes the connection without an answer.
        case hangUp
        /// Keeps the client waiting until the server ends.
        case wait
        /// The head and a part of the body, and then nothing until the server ends.
        case stall
    }

    public struct Asked: Sendable {
        public let path: String
        public let subject: String
        public let body: [UInt8]
        public let clientPort: Int
    }

    public static let session = "{\"epochTimestamp\":1,  \"signature\":\"a\\/b\"}"

    public let endpoint: AppleSessionEndpoint
    public let authority: WalletSimulator.TestAuthority
    private let asked: AskedRequests
    private let clients = Mutex<[AppleSessionClient]>([])

    public var requests: [Asked] { self.asked.all }

    private init(endpoint: AppleSessionEndpoint, authority: WalletSimulator.TestAuthority, asked: AskedRequests) {
        self.endpoint = endpoint
        self.authority = authority
        self.asked = asked
    }

    /// A client whose sandbox and whose live Apple is this server, and whose time stands still.
    public func client(
        identitiesMax: Int = 32, sleep: @escaping @Sendable (Int64) async throws -> Void = TestSleep.forever
    ) -> AppleSessionClient {
        var settings = AppleSessionSettings()
        settings.live = self.endpoint
        settings.simulator = { [endpoint] in endpoint }
        settings.identitiesMax = identitiesMax
        let client = AppleSessionClient(settings: settings, sleep: sleep)
        self.clients.withLock { $0.append(client) }
        return client
    }

    /// A client that is not shut down ends the process.
    private func shutdownClients() async {
        for client in self.clients.withLock({ $0 }) { await client.shutdown() }
    }

    /// Ends when somebody has asked.
    public func untilAsked() async {
        await self.asked.untilAsked()
    }

    private static let sharedAuthority = Result { try WalletSimulator.TestAuthority.make(now: .now) }

    /// - Parameter script: what is done with the first request, the second and so on; the last goes on forever.
    public static func run(
        _ script: Act..., maximumTLS: TLSVersion? = nil,
        _ body: @escaping @Sendable (PretendApple) async throws -> Void
    ) async throws {
        let authority = try Self.sharedAuthority.get()
        let asked = AskedRequests()
        let web = try TestUpstream.TestAuthority("The web's")
        let tls = try Self.tls(try web.certify(host: "localhost"), authority, maximum: maximumTLS)
        let router = Router(context: PeerContext.self)
        for call in AppleSessionTarget.Call.allCases {
            router.post(RouterPath(call.path)) { request, context in
                let index = asked.append(try await Asked(request, context))
                return try await Self.perform(script[min(index, script.count - 1)], context)
            }
        }
        try await LoopbackServer.run(
            router.buildResponder(), server: try .tls(.http1(), tlsConfiguration: tls)
        ) { number in
            let apple = PretendApple(
                endpoint: AppleSessionEndpoint(host: "localhost", port: number, authoritiesPEM: web.certificatePEM),
                authority: authority, asked: asked)
            do {
                try await body(apple)
            } catch {
                await apple.shutdownClients()
                throw error
            }
            await apple.shutdownClients()
        }
    }

    private static func tls(
        _ own: TestUpstream.TestAuthority.Identity, _ authority: WalletSimulator.TestAuthority, maximum: TLSVersion?
    ) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(own.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(own.keyPEM.utf8), format: .pem)))
        tls.maximumTLSVersion = maximum
        tls.trustRoots = .certificates(
            try [authority.merchantIntermediateCertificate, authority.rootCertificate].flatMap {
                try NIOSSLCertificate.fromPEMBytes(Array($0.serializeAsPEM().pemString.utf8))
            })
        tls.certificateVerification = .noHostnameVerification
        return tls
    }

    private static func perform(_ act: Act, _ context: PeerContext) async throws -> Response {
        switch act {
        case .answer(let status, let text, var headers):
            headers[.contentType] = "application/json"
            return Response(
                status: HTTPResponse.Status(code: status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(string: text)))
        case .hangUp:
            try? await context.channel.close().get()
            return Response(status: .ok)
        case .wait:
            try await gracefulShutdown()
            return Response(status: .ok)
        case .stall:
            return Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    try await gracefulShutdown()
                    try await writer.finish(nil)
                })
        }
    }
}

extension PretendApple.Asked {
    fileprivate init(_ request: Request, _ context: PeerContext) async throws {
        let bytes = Array(try await request.body.collect(upTo: 1 << 16).readableBytesView)
        let certificate = try await context.channel.nioSSL_peerCertificate().get()
        self.init(
            path: request.uri.path, subject: certificate.map { "\($0)" } ?? "nobody", body: bytes,
            clientPort: context.channel.remoteAddress?.port ?? 0)
    }
}

/// Times that tests pass for a timer.
public enum TestSleep {
    /// Ends only by cancellation.
    @Sendable public static func forever(_ milliseconds: Int64) async throws {
        let (never, end) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        end.finish()
        throw CancellationError()
    }
}

private final class AskedRequests: Sendable {
    private let requests = Mutex<[PretendApple.Asked]>([])
    private let (arrivals, arrival) = AsyncStream<Void>.makeStream()

    var all: [PretendApple.Asked] { self.requests.withLock { $0 } }

    /// - Returns: which it is, from 0.
    func append(_ request: PretendApple.Asked) -> Int {
        let index = self.requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        self.arrival.yield()
        return index
    }

    func untilAsked() async {
        for await _ in self.arrivals { return }
    }
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
