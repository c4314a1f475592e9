//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import StrictJSON

/// Plays Apple's end of merchant validation: who asks with which certificate for which domain, and gets a session or
/// Apple's refusal. Pure: the clock and the random bytes are passed in, and the TLS is the caller's.
///
/// The shapes are those of "Requesting an Apple Pay payment session" and "Merchant session" (Apple Pay on the Web). Who
/// may show the button where is listed in ``Registrations``, as merchants register it in Apple's developer portal.
public struct SimulatedMerchantValidation: Sendable {
    /// The two addresses that Apple has for it.
    public enum Endpoint: String, CaseIterable, Hashable, Sendable {
        /// Today's. Takes merchantIdentifier, displayName, initiative and initiativeContext.
        case paymentSession
        /// The one before it. Takes merchantIdentifier, domainName and displayName.
        case startSession

        public var path: String { "/paymentservices/\(self.rawValue)" }
    }

    /// The registered domains, lower-case, by merchant identifier.
    public typealias Registrations = [String: Set<String>]

    /// What is sent back: an HTTP status and an object.
    public struct Answer: Hashable, Sendable {
        public let status: Int
        public let json: JSON

        public init(status: Int, json: JSON) {
            self.status = status
            self.json = json
        }

        /// An error as Apple writes it: both members are texts.
        static func failure(_ status: Int, _ message: String) -> Answer {
            Answer(
                status: status,
                json: [
                    "statusMessage": .string("Payment Services Exception \(message)"),
                    "statusCode": .string("\(status)"),
                ])
        }
    }

    /// Apple's bound for what the sheet shows.
    static let displayNameCharactersMax = 64

    let authority: TestAuthority
    let registrations: Registrations
    let platforms: SimulatedRegistrations

    /// - Parameter platforms: whom platform integrators have registered.
    public init(
        authority: TestAuthority, registrations: Registrations,
        platforms: SimulatedRegistrations = SimulatedRegistrations()
    ) {
        self.authority = authority
        self.registrations = registrations
        self.platforms = platforms
    }

    /// - Parameters:
    ///   - clientCertificateDER: what the TLS client has proved to have the key of; `nil` if it has shown none.
    ///   - body: the request's, JSON.
    ///   - random: That many bytes, for the session's identifier and nonce.
    /// - Throws: only when the authority cannot sign, which its certificates' validity or the clock may cause.
    public func answer(
        _ endpoint: Endpoint, clientCertificateDER: [UInt8]?, body: [UInt8], now: Date, random: (Int) -> [UInt8]
    ) throws -> Answer {
        guard let clientCertificateDER else {
            return .failure(401, "the client has shown no certificate")
        }
        guard let identity = MerchantIdentity(certificateDER: clientCertificateDER, authority: self.authority, now: now)
        else {
            return .failure(401, "the client's certificate is no valid merchant identity certificate")
        }
        let request: SessionRequest
        do throws(SessionRequest.Malformed) {
            request = try SessionRequest(body, endpoint: endpoint)
        } catch {
            return .failure(400, "merchantId=\(identity.hash) \(error.what)")
        }
        let asked = request.merchantIdentifier
        let isOwn = asked == identity.merchantIdentifier || asked.uppercased() == identity.hash
        let registered = self.platforms.domains(of: asked, by: identity.merchantIdentifier)
        guard isOwn || registered != nil else {
            return .failure(
                417,
                "merchantId=\(identity.hash) unauthorized to process transactions on behalf of "
                    + "merchantId=\(MerchantIdentity.hash(of: asked)) reason=the certificate is another merchant's")
        }
        guard let domains = registered ?? self.registrations[identity.merchantIdentifier] else {
            return .failure(
                417,
                "merchantId=\(identity.hash) unauthorized reason=it is not registered for Apple Pay on the web")
        }
        guard domains.contains(request.domainName.lowercased()) else {
            return .failure(400, "merchantId=\(identity.hash) not registered for domain=\(request.domainName)")
        }
        let session = try SimulatedMerchantSession.make(
            merchantIdentifierHash: isOwn ? identity.hash : MerchantIdentity.hash(of: asked),
            domainName: request.domainName, displayName: request.displayName,
            authority: self.authority, now: now, random: random)
        return Answer(status: 200, json: session)
    }
}

/// What a merchant's server asks for, by either endpoint.
private struct SessionRequest {
    struct Malformed: Error {
        let what: String
    }

    let merchantIdentifier: String
    let domainName: String
    let displayName: String

    init(_ body: [UInt8], endpoint: SimulatedMerchantValidation.Endpoint) throws(Malformed) {
        guard let json = try? JSON.parse(body), json.object != nil else {
            throw Malformed(what: "body is no JSON object")
        }
        func text(_ name: String) throws(Malformed) -> String {
            guard let text = json[name]?.string, !text.isEmpty else { throw Malformed(what: "\(name) is missing") }
            return text
        }
        self.merchantIdentifier = try text("merchantIdentifier")
        self.displayName = try text("displayName")
        guard self.displayName.count <= SimulatedMerchantValidation.displayNameCharactersMax else {
            throw Malformed(what: "displayName is too long")
        }
        switch endpoint {
        case .paymentSession:
            guard try text("initiative") == "web" else { throw Malformed(what: "initiative is not web") }
            self.domainName = try text("initiativeContext")
        case .startSession: self.domainName = try text("domainName")
        }
    }
}
