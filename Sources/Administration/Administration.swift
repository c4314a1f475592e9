//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Payments

/// What an operator does: merchants, their accounts with dialects and acquirers, their routes. Every act is one commit,
/// and stands in the audit log.
///
/// Dialects cannot import it: whoever has a merchant's password administers nothing.
public struct Administration: Sendable {
    let gateway: Gateway

    public init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    /// The merchant of that name.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `StoreError`.
    public func merchant(named name: String) async throws -> Merchant {
        try await self.gateway.store.read { try Self.merchant(named: name, in: $0) }
    }

    static func merchant(named name: String, in reader: any StoreReader) throws -> Merchant {
        if let merchant = try reader.merchant(named: name) { return merchant }
        let names = try reader.merchants().map(\.name)
        let known = names.isEmpty ? "it has none yet" : "it has " + names.joined(separator: ", ")
        throw AdministrationError(.merchantUnknown, "The store has no merchant named \(name); \(known).")
    }

    static func merchant(_ id: MerchantID, in reader: any StoreReader) throws -> Merchant {
        guard let merchant = try reader.merchant(id) else {
            throw AdministrationError(.merchantUnknown, "The store has no merchant with the id \(id).")
        }
        return merchant
    }

    /// 1–64 lower-case letters, digits and hyphens: what commands call a thing.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

extension Gateway {
    /// The operator's side of this gateway.
    public var administration: Administration { Administration(self) }
}

/// Why an act of the operator's was refused. Nothing was done.
public struct AdministrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case merchantUnknown = "merchant_unknown"
        case merchantNameTaken = "merchant_name_taken"
        case merchantNameMalformed = "merchant_name_malformed"
        case displayNameMalformed = "display_name_malformed"
        case countryUnknown = "country_unknown"
        case merchantClosed = "merchant_closed"
        case acquirerUnknown = "acquirer_unknown"
        case acquirerNameTaken = "acquirer_name_taken"
        case acquirerNameMalformed = "acquirer_name_malformed"
        case connectorUnknown = "connector_unknown"
        case settingUnknown = "setting_unknown"
        case settingInvalid = "setting_invalid"
        case settingMissing = "setting_missing"
        case secretUnknown = "secret_unknown"
        case secretInvalid = "secret_invalid"
        case secretMissing = "secret_missing"
        case acceptorInvalid = "acceptor_invalid"
        case accountNotAllowed = "account_not_allowed"
        case routeInvalid = "route_invalid"
        case routeUnknown = "route_unknown"
        case accountExists = "account_exists"
        case accountUnknown = "account_unknown"
        case accountKeyTaken = "account_key_taken"
    }

    public let code: Code
    /// What was wrong, and what to do. Never a secret.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }
}
