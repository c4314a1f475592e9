//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOSSL
public import Redaction

/// TLS 1.3 for a link, with a certificate at either end (RFC 8446): each side trusts what the link's own authority has
/// signed, and nothing else.
public struct AcquirerLinkTLS: Sendable {
    private let context: NIOSSLContext
    private let serverName: String?

    /// For a client.
    /// - Parameters:
    ///   - authorityPEM: who signs the server's certificate.
    ///   - certificatesPEM: the client's own certificate, and what is between it and the authority.
    ///   - serverName: the DNS name in the server's certificate; `nil` where the certificate names its address.
    /// - Throws: ``AcquirerLinkError`` with `unusable_certificates`.
    public static func client(
        authorityPEM: String, certificatesPEM: String, privateKeyPEM: Redacted<String>, serverName: String?
    ) throws(AcquirerLinkError) -> AcquirerLinkTLS {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv13
            configuration.certificateVerification = .fullVerification
            configuration.trustRoots = .certificates(try self.certificates(authorityPEM))
            configuration.certificateChain = try self.chain(certificatesPEM)
            configuration.privateKey = try self.key(privateKeyPEM)
            let tls = AcquirerLinkTLS(context: try NIOSSLContext(configuration: configuration), serverName: serverName)
            // A name that TLS can't send is found out here and not at the first call.
            _ = try tls.clientHandler()
            return tls
        } catch {
            throw self.unusable
        }
    }

    /// For a server, which asks every client for a certificate.
    /// - Throws: ``AcquirerLinkError`` with `unusable_certificates`.
    public static func server(
        authorityPEM: String, certificatesPEM: String, privateKeyPEM: Redacted<String>
    ) throws(AcquirerLinkError) -> AcquirerLinkTLS {
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try self.chain(certificatesPEM), privateKey: try self.key(privateKeyPEM))
            configuration.minimumTLSVersion = .tlsv13
            configuration.trustRoots = .certificates(try self.certificates(authorityPEM))
            // The certificate of a client has no host to name: who has one of the authority's may call.
            configuration.certificateVerification = .noHostnameVerification
            return AcquirerLinkTLS(context: try NIOSSLContext(configuration: configuration), serverName: nil)
        } catch {
            throw self.unusable
        }
    }

    private static func certificates(_ text: String) throws -> [NIOSSLCertificate] {
        try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
    }

    private static func chain(_ text: String) throws -> [NIOSSLCertificateSource] {
        try self.certificates(text).map { .certificate($0) }
    }

    private static func key(_ text: Redacted<String>) throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: Array(text.reveal().utf8), format: .pem))
    }

    /// What a certificate or key library says may hold parts of them, so nothing of it is passed on.
    private static var unusable: AcquirerLinkError {
        AcquirerLinkError(
            code: .unusableCertificates,
            reason: "the link's certificates or key can't be used; check that they are PEM, belong together and that "
                + "the server's name is a DNS name")
    }

    func clientHandler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: self.context, serverHostname: self.serverName)
    }

    func serverHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: self.context) }
}
