//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Foundation
import StrictJSON
import Time
import X509

/// A merchant session that the simulated Apple gave out: what the wallet reads when a page hands it over.
///
/// It has the members of Apple's. Its signature is a CMS in hexadecimal digits by the certificate that also signs
/// tokens, as Apple's is. What Apple signs is not documented; here it is the line "pomona merchant session v1" and then
/// every signed member in the order of ``signedMembers``: its UTF-8 bytes, after their count as four bytes, the highest
/// first. Numbers are signed as they are written, in decimal digits.
public struct SimulatedMerchantSession: Hashable, Sendable {
    /// SHA-256 of the merchant identifier, 64 upper-case hexadecimal digits: sessions never name the identifier itself.
    public let merchantIdentifierHash: String
    /// Unlike any other session's.
    public let merchantSessionIdentifier: String
    /// 8 hexadecimal digits.
    public let nonce: String
    /// "shop.example.com".
    public let domainName: String
    /// What the sheet shows.
    public let displayName: String
    /// Milliseconds since the epoch.
    public let epochTimestamp: Int64
    /// Milliseconds since the epoch.
    public let expiresAt: Int64

    /// Apple's documentation says that a session expires after five minutes.
    public static let lifetimeSeconds: Int64 = 300

    /// Whether the session is of that merchant.
    public func belongs(to merchantIdentifier: String) -> Bool {
        self.merchantIdentifierHash == MerchantIdentity.hash(of: merchantIdentifier)
    }
}

// MARK: - Making

extension SimulatedMerchantSession {
    /// The members that are signed, in this order.
    static let signedMembers = [
        "epochTimestamp", "expiresAt", "merchantSessionIdentifier", "nonce", "merchantIdentifier", "domainName",
        "displayName", "operationalAnalyticsIdentifier", "retries", "pspId",
    ]

    private static let label = "pomona merchant session v1"

    static func make(
        merchantIdentifierHash: String, domainName: String, displayName: String, authority: TestAuthority, now: Date,
        random: (Int) -> [UInt8]
    ) throws -> JSON {
        let time = Int64((now.timeIntervalSince1970 * 1000).rounded(.down))
        var session = JSONObject()
        session["epochTimestamp"] = JSON(time)
        session["expiresAt"] = JSON(time + Self.lifetimeSeconds * 1000)
        session["merchantSessionIdentifier"] = .string(
            "SSH\(Hex.encode(random(16), isUpperCase: true))_\(merchantIdentifierHash)")
        session["nonce"] = .string(Hex.encode(random(4)))
        session["merchantIdentifier"] = .string(merchantIdentifierHash)
        session["domainName"] = .string(domainName)
        session["displayName"] = .string(displayName)
        session["operationalAnalyticsIdentifier"] = .string("\(displayName):\(merchantIdentifierHash)")
        session["retries"] = 0
        session["pspId"] = .string(merchantIdentifierHash)
        var options = MintOptions()
        options.hasDefiniteLengths = true
        let signature = TokenSignature(
            message: try Self.message(of: .object(session)),
            chain: try SigningChain(authority: authority, version: .ecV1, signingTime: now, options: options),
            signingTime: CivilTime(now), options: options)
        session["signature"] = .string(Hex.encode(try signature.bytes()))
        return .object(session)
    }

    /// What is signed of a session.
    private static func message(of session: JSON) throws(SimulatorError) -> [UInt8] {
        var message = Array(self.label.utf8) + [0x0A]
        for name in self.signedMembers {
            guard let member = session[name], let text = member.string ?? member.integer.map({ "\($0)" }) else {
                throw Self.forged("lacks \(name), or has it in another form")
            }
            let bytes = Array(text.utf8)
            message += withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) }
            message += bytes
        }
        return message
    }
}

// MARK: - Verifying

extension SimulatedMerchantSession {
    /// A session is a few thousand bytes.
    private static let bytesMax = 64 * 1024

    /// Reads a session that a page hands over, and believes it only if the authority's simulated Apple gave it out, to
    /// this host, and it has not expired. Whether it has been used before is for the wallet to remember, by
    /// ``merchantSessionIdentifier``.
    ///
    /// - Parameters:
    ///   - bytes: the session, JSON.
    ///   - host: the page's host name, without port: "localhost".
    /// - Throws: ``SimulatorError`` `session_forged` when it is not the authority's, or not a session at all;
    ///   `session_expired`; `domain_differs`.
    public static func verify(
        _ bytes: some Collection<UInt8>, host: String, now: Date, authority: TestAuthority
    ) throws(SimulatorError) -> SimulatedMerchantSession {
        guard let json = try? JSON.parse(bytes, limits: JSONLimits(bytesMax: self.bytesMax)) else {
            throw self.forged("is no JSON")
        }
        let message = try self.message(of: json)
        guard let signature = json["signature"]?.string.flatMap({ Hex.decode($0) }),
            let content = try? DetachedSignature(signature),
            content.isValid(for: message, by: authority.leafCertificate.publicKey)
        else { throw self.forged("has no valid signature of this sandbox's Apple") }
        guard let session = SimulatedMerchantSession(signed: json) else { throw self.forged("is incomplete") }
        let time = Int64((now.timeIntervalSince1970 * 1000).rounded(.down))
        guard (session.epochTimestamp...max(session.epochTimestamp, session.expiresAt)).contains(time) else {
            throw SimulatorError(
                .sessionExpired, "The merchant session is not valid now: it lasts five minutes. Ask for a new one.")
        }
        guard session.domainName.lowercased() == host.lowercased() else {
            throw SimulatorError(
                .domainDiffers,
                "The merchant session is for another domain than the page's. Ask for one with the page's host name.")
        }
        return session
    }

    private init?(signed json: JSON) {
        guard let hash = json["merchantIdentifier"]?.string,
            let identifier = json["merchantSessionIdentifier"]?.string, let nonce = json["nonce"]?.string,
            let domainName = json["domainName"]?.string, let displayName = json["displayName"]?.string,
            let epochTimestamp = json["epochTimestamp"]?.integer, let expiresAt = json["expiresAt"]?.integer
        else { return nil }
        self.init(
            merchantIdentifierHash: hash, merchantSessionIdentifier: identifier, nonce: nonce, domainName: domainName,
            displayName: displayName, epochTimestamp: epochTimestamp, expiresAt: expiresAt)
    }

    private static func forged(_ what: String) -> SimulatorError {
        SimulatorError(
            .sessionForged,
            "The merchant session \(what). Hand on what the gateway answered, unchanged, from this sandbox.")
    }
}
