//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes

/// A request as it came over the wire, wholly read. What a dialect signs or verifies is here byte by byte.
public struct WireRequest: Sendable {
    public var method: HTTPRequest.Method
    /// The path as it was written, still percent-encoded, without the query: "/api/v2.0/payments/refund".
    public var path: String
    /// What follows the question mark, as it was written; `nil` if there is none.
    public var query: String?
    public var headers: HTTPFields
    /// The host that the client asks for, with the port if it named one: "shop.example.com:8443" (RFC 9110, section 7.2).
    public var authority: String?
    public var body: [UInt8]
    /// The other side's address, where it is known: "192.0.2.7".
    public var remoteAddress: String?
    /// The certificate with which the client proved itself in the TLS handshake.
    public var clientCertificate: ClientCertificate?

    public init(
        method: HTTPRequest.Method, path: String, query: String? = nil, headers: HTTPFields = HTTPFields(),
        authority: String? = nil, body: [UInt8] = [], remoteAddress: String? = nil,
        clientCertificate: ClientCertificate? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.authority = authority
        self.body = body
        self.remoteAddress = remoteAddress
        self.clientCertificate = clientCertificate
    }
}

/// A certificate that a client has shown in the TLS handshake (RFC 8446, section 4.4.2), together with the proof that it
/// has the key. Whether the certificate is anybody's is for the dialect to say, by its fingerprint.
public struct ClientCertificate: Hashable, Sendable {
    /// SHA-256 of its DER, in lower-case hexadecimal.
    public let sha256: String
    /// Empty where only the fingerprint is known.
    public let der: [UInt8]

    public init(sha256: String, der: [UInt8] = []) {
        self.sha256 = sha256
        self.der = der
    }
}

/// What is sent back.
public struct WireResponse: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: [UInt8]
    /// What follows as it is made, in the place of ``body``.
    public var stream: WireStream?
    /// That the call was refused and nothing of it was done; every refusal is counted and logged by it. `nil` for an
    /// answer to what was done, a decline of the bank's among them.
    public var refusal: WireRefusal?
    /// Who called, by an id that the program has made: for the log.
    public var caller: String?

    public init(status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
