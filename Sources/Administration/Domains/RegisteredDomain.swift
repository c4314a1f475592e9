//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
public import Payments
public import StrictJSON
public import Time

/// A domain with the file that is served for it, and all merchants who share both.
public struct RegisteredDomain: Hashable, Sendable {
    /// Apple's files are about 9 KB.
    public static let fileBytesMax = 64 * 1024
    /// Where Apple reads the file ("Configuring Your Environment", Apple Pay on the Web).
    public static let filePath = "/.well-known/apple-developer-merchantid-domain-association"

    public let host: WellKnownHost
    /// The merchants' names, sorted; at least one.
    public let merchants: [String]
    /// The file as Apple gave it: the one that is served.
    public let file: String
    /// By the first of them.
    public let registeredAt: Timestamp
    /// The latest.
    public let check: MerchantDomain.Check?
    /// What each of them has registered, by the merchants' names.
    private var registrations: [String: MerchantDomain] = [:]

    /// The same, as some of its merchants see it.
    public func of(_ merchants: [String]) -> RegisteredDomain {
        RegisteredDomain(
            host: self.host, merchants: merchants, file: self.file, registeredAt: self.registeredAt, check: self.check)
    }

    /// The same, with what one of its merchants has registered himself: a sandbox merchant shares the name alone with a live
    /// one, whose file is none of its business.
    public func asRegistered(by merchant: String) -> RegisteredDomain {
        guard let own = self.registrations[merchant] else { return self }
        return RegisteredDomain(
            host: self.host, merchants: self.merchants, file: own.file, registeredAt: own.registeredAt,
            check: own.check)
    }

    public init(
        host: WellKnownHost, merchants: [String], file: String, registeredAt: Timestamp,
        check: MerchantDomain.Check? = nil
    ) {
        self.host = host
        self.merchants = merchants
        self.file = file
        self.registeredAt = registeredAt
        self.check = check
    }

    /// - Parameters:
    ///   - registrations: of one domain.
    ///   - merchants: all.
    init?(_ registrations: [MerchantDomain], _ merchants: [MerchantID: Merchant]) {
        // What Apple reads stands before what nobody reads.
        let served = registrations.first { merchants[$0.merchantID]?.mode == .live } ?? registrations.first
        guard let served, let host = WellKnownHost(served.name) else { return nil }
        self.init(
            host: host, merchants: registrations.compactMap { merchants[$0.merchantID]?.name }.sorted(),
            file: served.file,
            registeredAt: registrations.map(\.registeredAt).min() ?? served.registeredAt,
            check: registrations.compactMap(\.check).max { $0.at < $1.at })
        for registration in registrations {
            guard let name = merchants[registration.merchantID]?.name else { continue }
            self.registrations[name] = registration
        }
    }

    /// What stands for Apple's file in a sandbox, whose simulated Apple reads none. Merchants may share the domain.
    public static func standIn(for host: WellKnownHost) -> [UInt8] {
        Array("The sandbox's stand-in for the domain association file of \(host.name)\n".utf8)
    }

    /// Without the file itself, which anybody can read where it is served.
    public var view: JSONObject {
        var object = JSONObject()
        object["host"] = .string(self.host.name)
        object["merchants"] = .array(self.merchants.map { .string($0) })
        object["bytes"] = JSON(self.file.utf8.count)
        object["fileSHA256"] = .string(Hex.encode(Array(SHA256.hash(data: Data(self.file.utf8)))))
        object["registeredAt"] = .string(self.registeredAt.description)
        object["check"] = self.check.map { .object($0.view) } ?? .null
        return object
    }
}

extension MerchantDomain.Check {
    fileprivate var view: JSONObject {
        var object = JSONObject()
        object["at"] = .string(self.at.description)
        object["good"] = .bool(self.isGood)
        object["code"] = .string(self.code)
        object["text"] = .string(self.text)
        object["action"] = .string(orNull: self.advice)
        return object
    }
}
