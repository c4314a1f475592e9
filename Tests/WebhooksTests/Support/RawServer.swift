//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

/// A server on a free port of the loopback interface that writes bytes as they are, whatever HTTP says of them.
final class RawServer: Sendable {
    /// What it writes once a request has begun to come.
    struct Script: Sendable {
        /// Written first.
        var opening = ""
        /// Written again and again after that, for as long as the other end reads; nothing if it is empty.
        var refrain = ""
        /// Whether it closes the connection after the opening.
        var hangsUp = false
    }

    /// Not the clients': a server that writes without end must not keep them from reading.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let port: Int
    private let channel: any Channel
    /// Ends when a connection has got the script's opening.
    let opened: AsyncStream<Void>
    /// Ends when a connection is gone.
    let closed: AsyncStream<Void>

    private init(
        channel: any Channel, opened: AsyncStream<Void>, closed: AsyncStream<Void>
    ) {
        self.channel = channel
        self.port = channel.localAddress?.port ?? 0
        self.opened = opened
        self.closed = closed
    }

    /// Serves while the body runs.
    static func run(
        _ script: Script, tls: TLSConfiguration? = nil, _ body: (RawServer) async throws -> Void
    ) async throws {
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (closed, close) = AsyncStream<Void>.makeStream()
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ServerBootstrap(group: Self.threads)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(Handler(script: script, open: open, close: close))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = RawServer(channel: channel, opened: opened, closed: closed)
        do {
            try await body(server)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: Script
        /// The refrain, so often that a piece is worth a packet.
        private let piece: ByteBuffer
        private let open: AsyncStream<Void>.Continuation
        private let close: AsyncStream<Void>.Continuation
        private var hasBegun = false

        init(script: Script, open: AsyncStream<Void>.Continuation, close: AsyncStream<Void>.Continuation) {
            self.script = script
            let count = 8192 / max(script.refrain.utf8.count, 1) + 1
            self.piece = ByteBuffer(string: String(repeating: script.refrain, count: count))
            self.open = open
            self.close = close
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !self.hasBegun else { return }
            self.hasBegun = true
            let written = context.eventLoop.makePromise(of: Void.self)
            let (channel, hangsUp) = (context.channel, self.script.hangsUp)
            written.futureResult.whenComplete { [open] _ in
                open.finish()
                if hangsUp { channel.close(promise: nil) }
            }
            context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: self.script.opening)), promise: written)
            self.sing(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if self.hasBegun { self.sing(context) }
            context.fireChannelWritabilityChanged()
        }

        /// A piece at a time; what the connection does not take at once waits until it is writable again.
        private func sing(_ context: ChannelHandlerContext) {
            guard !self.script.refrain.isEmpty, context.channel.isActive, context.channel.isWritable else { return }
            context.writeAndFlush(self.wrapOutboundOut(self.piece), promise: nil)
            guard context.channel.isWritable else { return }
            let (own, bound) = (
                NIOLoopBound(self, eventLoop: context.eventLoop), NIOLoopBound(context, eventLoop: context.eventLoop)
            )
            context.eventLoop.execute { own.value.sing(bound.value) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.close.finish()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

/// An authority and the servers that it certifies.
struct TestServerAuthority {
    let certificate: Certificate
    private let key = P256.Signing.PrivateKey()

    init() throws {
        let name = try DistinguishedName { CommonName("Webhook test authority") }
        self.certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: .now - 3600, notValidAfter: .now + 3600, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0)) },
            issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// What a client trusts that trusts this authority and no other.
    var trust: NIOSSLTrustRoots {
        get throws { .certificates([try Self.nio(self.certificate)]) }
    }

    /// A server's end with a certificate for a name.
    func server(named name: String) throws -> TLSConfiguration {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: .now - 3600, notValidAfter: .now + 3600, issuer: self.certificate.subject,
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions { SubjectAlternativeNames([.dnsName(name)]) },
            issuerPrivateKey: Certificate.PrivateKey(self.key))
        return .makeServerConfiguration(
            certificateChain: [.certificate(try Self.nio(certificate))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
    }

    private static func nio(_ certificate: Certificate) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificate.serializeAsPEM().pemString.utf8), format: .pem)
    }
}
