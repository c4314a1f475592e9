//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOSSL
public import Redaction

/// Whom a connector trusts, and who it is: the authorities of this machine, and the account's own where it has some.
public struct UpstreamTLS: Sendable {
    /// Why a PEM text is of no use.
    public enum Problem: Error, Hashable, Sendable {
        case trustRoot
        case clientCertificate
        case clientKey
    }

    let configuration: TLSConfiguration

    /// TLS 1.2 or later (RFC 9325, section 3.1.1), the system's authorities, the host's name checked (RFC 9525).
    public static let system = UpstreamTLS(configuration: UpstreamTLS.base)

    private static var base: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    private init(configuration: TLSConfiguration) {
        self.configuration = configuration
    }

    /// - Parameters:
    ///   - trustRootPEM: authorities that are trusted beside the system's.
    ///   - identity: the client's certificate, with those of its intermediates, and its key.
    public init(
        trustRootPEM: String? = nil,
        identity: (certificatePEM: Redacted<String>, privateKeyPEM: Redacted<String>)? = nil
    ) throws(Problem) {
        var configuration = Self.base
        if let trustRootPEM {
            configuration.additionalTrustRoots = [
                .certificates(try Self.certificates(trustRootPEM, else: .trustRoot))
            ]
        }
        if let identity {
            configuration.certificateChain = try Self.certificates(
                identity.certificatePEM.reveal(), else: .clientCertificate
            ).map { .certificate($0) }
            configuration.privateKey = .privateKey(try Self.key(identity.privateKeyPEM.reveal()))
        }
        self.configuration = configuration
    }

    private static func certificates(
        _ pem: String, else problem: Problem
    ) throws(Problem) -> [NIOSSLCertificate] {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
            throw problem
        }
        return certificates
    }

    private static func key(_ pem: String) throws(Problem) -> NIOSSLPrivateKey {
        guard let key = try? NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem) else { throw .clientKey }
        return key
    }
}
