//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Where a server listens.
public struct ListenerAddress: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable {
        case http
        case https
    }

    public var scheme: Scheme
    public var host: String
    /// 0 takes a free one.
    public var port: Int

    public init(scheme: Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// "https://127.0.0.1:8443", without a trailing solidus. An address that means every interface is written as the
    /// loopback one.
    public var url: String {
        let host =
            switch self.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            case let host: host
            }
        return "\(self.scheme.rawValue)://\(HostAndPort.urlHost(host)):\(self.port)"
    }
}

/// One address to listen on.
public struct ListenerConfiguration: Sendable {
    public var host: String
    public var port: Int
    /// `nil` for HTTP without TLS.
    public var tls: ServerIdentity?
    public var offer: ListenerOffer
    /// For how long browsers are to come with TLS only, to every port of the host (RFC 6797); `nil` to leave them alone.
    public var strictTransportSeconds: Int64?

    public init(
        host: String, port: Int, tls: ServerIdentity? = nil, offer: ListenerOffer = .everything,
        strictTransportSeconds: Int64? = nil
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.offer = offer
        self.strictTransportSeconds = strictTransportSeconds
    }

    var address: ListenerAddress {
        ListenerAddress(scheme: self.tls == nil ? .http : .https, host: self.host, port: self.port)
    }
}

/// What is answered at a listener. Health is, at each.
public enum ListenerOffer: Hashable, Sendable {
    case everything
    /// All but metrics, which have a listener of their own.
    case services
    /// Metrics and health.
    case metrics

    var hasServices: Bool { self != .metrics }

    func has(_ page: OperationsPages.Page) -> Bool {
        switch page {
        case .healthz, .readyz: true
        case .metrics: self != .services
        }
    }
}

/// The key and the certificates with which a server shows who it is.
public struct ServerIdentity: Sendable {
    let configuration: TLSConfiguration
    /// Whether clients may show a certificate.
    let asksForCertificate: Bool

    /// Fresh keys for every connection and authenticated encryption, as RFC 9325, section 4.2 recommends. Those of TLS
    /// 1.3 are all of that kind, and BoringSSL offers them all.
    static let suitesOfTLS12: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// - Parameters:
    ///   - certificatePEM: the server's certificate first, then those that issued it.
    ///   - clientAuthoritiesPEM: whose certificates clients may show. One that does not lead to these ends the handshake.
    ///   - requiresClientCertificate: whether they must show one; without authorities it means nothing.
    /// - Throws: ``ListenerError`` `tls_unusable` when the texts are not what they should be or do not belong together.
    public init(
        certificatePEM: String, privateKeyPEM: String, clientAuthoritiesPEM: String? = nil,
        requiresClientCertificate: Bool = false
    ) throws(ListenerError) {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
            // RFC 8996 forbids TLS 1.0 and 1.1.
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = Self.suitesOfTLS12
            configuration.curves = [.x25519, .secp256r1, .secp384r1]
            configuration.renegotiationSupport = .none
            configuration.applicationProtocols = ["http/1.1"]
            if let clientAuthoritiesPEM {
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(clientAuthoritiesPEM.utf8)))
                configuration.certificateVerification =
                    requiresClientCertificate ? .noHostnameVerification : .optionalVerification
            }
            _ = try NIOSSLContext(configuration: configuration)
            self.configuration = configuration
            self.asksForCertificate = clientAuthoritiesPEM != nil
        } catch {
            throw ListenerError(
                .tlsUnusable,
                "The TLS certificate and its private key cannot be used together. "
                    + "Both must be PEM, the certificate must be the key's, and the server's certificate must come first."
            )
        }
    }
}

/// A listening socket with Hummingbird behind it.
final class HTTPListener: Service {
    private let configuration: ListenerConfiguration
    private let limits: ServerLimits
    private let responder: ServerResponder
    private let connections: Connections
    private let logger: Logger
    private let onBound: @Sendable (ListenerAddress) -> Void

    init(
        _ configuration: ListenerConfiguration, limits: ServerLimits, responder: ServerResponder,
        connections: Connections,
        logger: Logger,
        onBound: @escaping @Sendable (ListenerAddress) -> Void
    ) {
        self.configuration = configuration
        self.limits = limits
        self.responder = responder.at(configuration)
        self.connections = connections
        self.logger = logger
        self.onBound = onBound
    }

    func run() async throws {
        let places = AdmittedPlaces()
        let builder = self.builder(places)
        // Hummingbird logs its own start and end; the composition root does that for the whole program.
        var logger = self.logger
        logger.logLevel = max(logger.logLevel, .warning)
        let isBound = Atomic<Bool>(false)
        let address = self.configuration.address
        let application = Application(
            responder: self.responder, server: builder,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: nil, backlog: 1024),
            onServerRunning: { [onBound, connections] channel in
                // Before all others: what is refused here costs nothing more.
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGate(table: connections.table, places: places, telemetry: connections.telemetry),
                        position: .first)
                }.get()
                isBound.store(true, ordering: .releasing)
                var bound = address
                bound.port = channel.localAddress?.port ?? address.port
                onBound(bound)
            },
            logger: logger)
        do {
            try await application.run()
        } catch  where !isBound.load(ordering: .acquiring) {
            throw ListenerError(error, host: address.host, port: address.port)
        }
    }
    private func builder(_ places: AdmittedPlaces) -> HTTPServerBuilder {
        let (limits, tls, connections) = (self.limits, self.configuration.tls?.configuration, self.connections)
        return HTTPServerBuilder { responder -> any ServerChildChannel in
            let http = HTTP1Channel(
                responder: responder,
                configuration: .init(
                    idleTimeout: .milliseconds(limits.idleTimeoutMilliseconds),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headerBytesMax, maxHeaderListSize: limits.headerBytesMax,
                        maxHeaderFieldCount: 100)))
            // Above TLS, so that it sees what HTTP sees.
            let guarded = GuardedChannel(
                base: http, limits: limits, isTLS: tls != nil, table: connections.table, places: places,
                telemetry: connections.telemetry)
            guard let tls else { return guarded }
            return try TLSChannel(guarded, tlsConfiguration: tls)
        }
    }
}

/// The connections of all listeners of a server.
struct Connections: Sendable {
    let table: ConnectionTable
    let telemetry: ConnectionTelemetry
}
