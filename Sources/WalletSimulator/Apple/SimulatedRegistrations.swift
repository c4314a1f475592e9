//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import StrictJSON

/// Plays Apple's end of the "Apple Pay Web Merchant Registration API": platform integrators register merchants and their
/// domains. As in Apple's sandbox, the file on a domain is not read.
public struct SimulatedRegistrations: Hashable, Sendable {
    /// What can be asked; the raw value is the last fixed part of the path.
    public enum Endpoint: String, CaseIterable, Hashable, Sendable {
        case registerMerchant
        case unregisterMerchant
        /// The merchant's identifier follows.
        case merchant

        public var path: String { "/paymentservices/\(self.rawValue)" }
    }

    /// What an integrator's identifier begins with.
    static let integratorPrefix = "platformintegrator."
    private static let domainNamesMax = 99
    private static let identifierBytesMax = 1024

    struct Merchant: Hashable, Sendable {
        var name: String
        var domainNames: [String]
        /// SHA-256 of the identifier.
        var encryptTo: String
        var url: String?
    }

    /// By the integrator's identifier, and what it calls the merchant.
    private var merchants: [String: [String: Merchant]] = [:]

    public init() {}

    /// The domains of a merchant, lower-case; `nil` for one that the integrator has not registered.
    func domains(of identifier: String, by integrator: String) -> Set<String>? {
        self.merchants[integrator]?[identifier].map { Set($0.domainNames.map { $0.lowercased() }) }
    }

    /// - Parameters:
    ///   - clientCertificateDER: what the TLS client has proved to have the key of; `nil` if it has shown none.
    ///   - merchant: whom ``Endpoint/merchant`` asks for.
    public mutating func answer(
        _ endpoint: Endpoint, clientCertificateDER: [UInt8]?, merchant: String? = nil, body: [UInt8],
        authority: TestAuthority, now: Date
    ) -> SimulatedMerchantValidation.Answer {
        guard let clientCertificateDER,
            let identity = MerchantIdentity(
                certificateDER: clientCertificateDER, authority: authority, now: now),
            identity.merchantIdentifier.hasPrefix(Self.integratorPrefix)
        else { return .failure(401, "Unauthorized") }
        let integrator = identity.merchantIdentifier
        do throws(Malformed) {
            switch endpoint {
            case .merchant: return try self.details(of: merchant ?? "", by: integrator)
            case .registerMerchant: return try self.register(try Self.object(body), by: integrator)
            case .unregisterMerchant: return try self.unregister(try Self.object(body), by: integrator)
            }
        } catch {
            return .failure(400, error.what)
        }
    }

    // MARK: - The three calls

    private func details(
        of identifier: String, by integrator: String
    ) throws(Malformed) -> SimulatedMerchantValidation.Answer {
        guard let merchant = self.merchants[integrator]?[identifier] else {
            throw Malformed(what: "merchant is not registered")
        }
        var object = JSONObject()
        object["domainNames"] = .array(merchant.domainNames.map { .string($0) })
        object["partnerMerchantName"] = .string(merchant.name)
        object["partnerInternalMerchantIdentifier"] = .string(identifier)
        object["partnerMerchantValidationURI"] = "/.well-known/apple-developer-merchantid-domain-association"
        object["encryptTo"] = .string(merchant.encryptTo)
        object["merchantUrl"] = merchant.url.map { .string($0) }
        return SimulatedMerchantValidation.Answer(status: 200, json: .object(object))
    }

    private mutating func register(
        _ body: JSON, by integrator: String
    ) throws(Malformed) -> SimulatedMerchantValidation.Answer {
        let identifier = try Self.identifier(in: body)
        let names = try Self.domainNames(in: body)
        let recipient = try Self.text("encryptTo", in: body)
        guard recipient.hasPrefix("merchant.") || recipient.hasPrefix(Self.integratorPrefix) else {
            throw Malformed(what: "encryptTo is no identifier")
        }
        let earlier = self.merchants[integrator]?[identifier]?.domainNames ?? []
        let all = earlier + names.filter { !earlier.contains($0) }
        guard all.count <= Self.domainNamesMax else { throw Malformed(what: "too many domainNames") }
        self.merchants[integrator, default: [:]][identifier] = Merchant(
            name: try Self.text("partnerMerchantName", in: body), domainNames: all,
            encryptTo: MerchantIdentity.hash(of: recipient), url: body["merchantUrl"]?.string)
        return SimulatedMerchantValidation.Answer(status: 200, json: .object(JSONObject()))
    }

    private mutating func unregister(
        _ body: JSON, by integrator: String
    ) throws(Malformed) -> SimulatedMerchantValidation.Answer {
        let identifier = try Self.identifier(in: body)
        let names = try Self.domainNames(in: body)
        _ = try Self.text("reason", in: body)
        guard var merchant = self.merchants[integrator]?[identifier] else {
            throw Malformed(what: "merchant is not registered")
        }
        guard names.allSatisfy(merchant.domainNames.contains) else {
            throw Malformed(what: "a domain is not registered")
        }
        merchant.domainNames.removeAll { names.contains($0) }
        self.merchants[integrator]?[identifier] = merchant.domainNames.isEmpty ? nil : merchant
        return SimulatedMerchantValidation.Answer(status: 200, json: .object(JSONObject()))
    }

    // MARK: - Reading

    private struct Malformed: Error {
        let what: String
    }

    private static func object(_ body: [UInt8]) throws(Malformed) -> JSON {
        guard let json = try? JSON.parse(body), json.object != nil else {
            throw Malformed(what: "invalid or Malformed Json Received")
        }
        return json
    }

    private static func text(_ name: String, in body: JSON) throws(Malformed) -> String {
        guard let text = body[name]?.string, !text.isEmpty, text.utf8.count <= self.identifierBytesMax else {
            throw Malformed(what: "\(name) is missing or too long")
        }
        return text
    }

    /// Apple's characters: a-zA-Z0-9~-_+&@$!|,.;
    private static func identifier(in body: JSON) throws(Malformed) -> String {
        let identifier = try self.text("partnerInternalMerchantIdentifier", in: body)
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~-_+&@$!|,.;".utf8)
        guard identifier.utf8.allSatisfy(allowed.contains) else {
            throw Malformed(what: "partnerInternalMerchantIdentifier has other characters than it may")
        }
        return identifier
    }

    private static func domainNames(in body: JSON) throws(Malformed) -> [String] {
        guard let values = body["domainNames"]?.array else { throw Malformed(what: "domainNames is missing") }
        let names = values.compactMap(\.string).filter { name in
            !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
        }
        guard !names.isEmpty, names.count == values.count, Set(names).count == names.count else {
            throw Malformed(what: "domainNames must be host names, each of them once")
        }
        return names
    }
}

// MARK: - Kept

extension SimulatedRegistrations {
    /// Of what ``json`` gave; what is none of it is left out.
    public init(_ json: JSON) {
        for (integrator, merchants) in json.object?.members ?? [] {
            for (identifier, one) in merchants.object?.members ?? [] {
                guard let name = one["name"]?.string, let recipient = one["encryptTo"]?.string else { continue }
                self.merchants[integrator, default: [:]][identifier] = Merchant(
                    name: name, domainNames: (one["domainNames"]?.array ?? []).compactMap(\.string),
                    encryptTo: recipient, url: one["url"]?.string)
            }
        }
    }

    public var json: JSON {
        var all = JSONObject()
        for (integrator, merchants) in self.merchants.sorted(by: { $0.key < $1.key }) {
            var own = JSONObject()
            for (identifier, merchant) in merchants.sorted(by: { $0.key < $1.key }) {
                var object = JSONObject()
                object["name"] = .string(merchant.name)
                object["domainNames"] = .array(merchant.domainNames.map { .string($0) })
                object["encryptTo"] = .string(merchant.encryptTo)
                object["url"] = merchant.url.map { .string($0) }
                own[identifier] = .object(object)
            }
            all[integrator] = .object(own)
        }
        return .object(all)
    }
}
