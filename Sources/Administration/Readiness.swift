//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// What a merchant lacks to take payments, or to take them on web pages too (``isForWeb``).
public enum MissingPart: Hashable, Sendable {
    /// No dialect knows the merchant.
    case dialectAccount
    /// No contract with an acquirer.
    case acquirerAccount
    /// The acquirer account that routes lead to, or the only one, is suspended.
    case acquirerResumption(account: String)
    /// There is an active acquirer account, and no route leads to one; named where there is one alone.
    case route(account: String?)
    /// Nothing opens tokens: no signing request has been made.
    case processingKey
    /// A signing request has been made, and Apple's certificate is not here yet.
    case processingCertificate(merchantIdentifier: String)
    /// Apple's certificate is here and not used.
    case processingActivation(merchantIdentifier: String, credential: String)
    /// The certificate has expired.
    case processingExpired(merchantIdentifier: String)
    /// The merchant is suspended.
    case resumption
    /// The merchant is closed, and nothing can be provided.
    case closure
    /// Nothing says to Apple who asks for payment sheets on web pages; the merchant identifier where there is one.
    case identityKey(merchantIdentifier: String?)
    case identityCertificate(merchantIdentifier: String)
    case identityActivation(merchantIdentifier: String, credential: String)
    case identityExpired(merchantIdentifier: String)
    /// No domain is registered.
    case domain

    /// Whether only payments on web pages need it. Who takes payments in apps, or hands in what his own server has opened,
    /// is ready without.
    public var isForWeb: Bool {
        switch self {
        case .dialectAccount, .acquirerAccount, .acquirerResumption, .route, .processingKey, .processingCertificate,
            .processingActivation, .processingExpired, .resumption, .closure:
            false
        case .identityKey, .identityCertificate, .identityActivation, .identityExpired, .domain: true
        }
    }
}

extension MissingPart {
    /// In a sentence.
    public var text: String {
        switch self {
        case .dialectAccount: "The merchant has no account in any dialect."
        case .acquirerAccount: "The merchant has no account with an acquirer."
        case .acquirerResumption(let account):
            "The acquirer account \(account), which payments would take, is suspended."
        case .route: "No route leads to an active acquirer account."
        case .processingKey: "There is no key that opens Apple Pay tokens."
        case .processingCertificate(let identifier):
            "Apple's Payment Processing Certificate for \(identifier) has not been imported. Hand the signing request in at "
                + "Apple's developer portal."
        case .processingActivation(let identifier, _): "The certificate for \(identifier) is imported and not in use."
        case .processingExpired(let identifier):
            "The certificate for \(identifier) has expired. Tokens that still come for its key are opened until it is retired."
        case .resumption: "The merchant is suspended."
        case .closure: "The merchant is closed, for ever."
        case .identityKey: "Apple opens no payment sheet on web pages: there is no Merchant Identity Certificate."
        case .identityCertificate(let identifier):
            "Apple's Merchant Identity Certificate for \(identifier) has not been imported. Hand the signing request in at "
                + "Apple's developer portal."
        case .identityActivation(let identifier, _):
            "The Merchant Identity Certificate for \(identifier) is imported and not in use."
        case .identityExpired(let identifier): "The Merchant Identity Certificate for \(identifier) has expired."
        case .domain: "No domain is registered on which Apple Pay is shown."
        }
    }

    /// The command that provides it, without the program's name and the data directory: ["route", "set", …]. What it cannot
    /// know is in capital letters.
    public func command(for merchant: Merchant) -> [String] {
        let target = ["--merchant", merchant.name]
        return switch self {
        case .dialectAccount: ["account", "create"] + target + ["--dialect", "DIALECT"]
        case .acquirerAccount: ["acquirer", "add"] + target + ["--name", "NAME", "--connector", "CONNECTOR"]
        case .acquirerResumption(let account): ["acquirer", "resume"] + target + ["--name", account]
        case .route(let account): ["route", "set"] + target + ["--acquirer", account ?? "NAME"]
        case .processingKey: Self.request(.paymentProcessing, "MERCHANT_IDENTIFIER", for: merchant)
        case .processingExpired(let identifier): Self.request(.paymentProcessing, identifier, for: merchant)
        case .identityKey(let identifier):
            Self.request(.merchantIdentity, identifier ?? "MERCHANT_IDENTIFIER", for: merchant)
        case .identityExpired(let identifier): Self.request(.merchantIdentity, identifier, for: merchant)
        case .processingCertificate, .identityCertificate: ["certificate", "import"] + target + ["FILE"]
        case .processingActivation(_, let credential), .identityActivation(_, let credential):
            ["certificate", "activate"] + target + [String(credential.prefix(16))]
        case .resumption: ["merchant", "resume", merchant.name]
        case .closure: ["merchant", "create"]
        case .domain:
            // The simulated Apple reads no file, and setup asks for none.
            merchant.mode == .sandbox ? ["setup"] : ["domain", "add"] + target + ["--host", "HOST", "--file", "FILE"]
        }
    }

    /// Of a sandbox merchant setup certifies keys by the simulated Apple; nobody has to go to the portal.
    private static func request(
        _ purpose: AppleCredential.Purpose, _ identifier: String, for merchant: Merchant
    ) -> [String] {
        switch merchant.mode {
        case .sandbox: ["setup"]
        case .live:
            [
                "certificate", "csr", "--merchant", merchant.name, "--purpose", purpose.name, "--merchant-identifier",
                identifier,
            ]
        }
    }
}

extension Administration {
    /// What a merchant lacks to take payments, in the order in which it is best provided. Empty for one that is ready.
    ///
    /// - Throws: `StoreError`.
    public func missingParts(of merchant: Merchant) async throws -> [MissingPart] {
        let now = self.gateway.now()
        return try await self.read { reader in
            let state = try reader.merchant(merchant.id)?.state
            guard state != .closed else { return [.closure] }
            var missing: [MissingPart] = []
            if try reader.accounts(of: merchant.id).isEmpty { missing.append(.dialectAccount) }
            let accounts = try reader.acquirerAccounts(of: merchant.id)
            if let part = Self.missingPart(of: try reader.routes(of: merchant.id), to: accounts) {
                missing.append(part)
            }
            let credentials = try reader.appleCredentials(of: merchant.id).filter { $0.purpose == .paymentProcessing }
            let isHeldElsewhere = accounts.contains {
                $0.state == .active && !KeyCustody($0.settings).merchantIdentifiers.isEmpty
            }
            if credentials.contains(where: { $0.state != .retired }) || !isHeldElsewhere {
                missing += CredentialLack.all(among: credentials, at: now).map(\.processing)
            }
            if state == .suspended { missing.append(.resumption) }
            return missing
        }
    }

    /// What a merchant lacks besides to take payments on web pages: a certificate with which the gateway asks Apple for
    /// sessions, and a domain.
    ///
    /// - Throws: `StoreError`.
    public func missingPartsForWeb(of merchant: Merchant) async throws -> [MissingPart] {
        let now = self.gateway.now()
        return try await self.read { reader in
            guard try reader.merchant(merchant.id)?.state != .closed else { return [] }
            let credentials = try reader.appleCredentials(of: merchant.id)
            let identities = credentials.filter { $0.purpose == .merchantIdentity }
            let held = try reader.acquirerAccounts(of: merchant.id).flatMap {
                KeyCustody($0.settings).merchantIdentifiers.sorted()
            }
            // A request may be a mistake; what works is none.
            let named = credentials.last { $0.works(at: now) } ?? credentials.last { $0.state != .retired }
            let identifier = named?.merchantIdentifier ?? held.first
            let missing = CredentialLack.all(among: identities, at: now).map { $0.identity(of: identifier) }
            return missing + (try reader.domains(of: merchant.id).isEmpty ? [.domain] : [])
        }
    }

    private static func missingPart(of routes: [Route], to accounts: [AcquirerAccount]) -> MissingPart? {
        let active = accounts.filter { $0.state == .active }
        let routed = routes.compactMap { route in accounts.first { $0.id == route.account } }
        guard !routed.contains(where: { $0.state == .active }) else { return nil }
        guard !accounts.isEmpty else { return .acquirerAccount }
        if let account = routed.first ?? (active.isEmpty ? accounts.first : nil) {
            return .acquirerResumption(account: account.name)
        }
        return .route(account: active.count == 1 ? active.first?.name : nil)
    }
}

extension AppleCredential {
    /// Whether it is in use, and Apple takes it.
    func works(at now: Timestamp) -> Bool { self.isInUse && self.notAfter ?? now >= now }
}

/// What the credentials of one purpose lack.
private enum CredentialLack {
    case key
    case certificate(String)
    case activation(String, credential: String)
    case expired(String)

    /// For each merchant identifier what its newest credential lacks. Nothing once one works, for whichever: another
    /// identifier may be on its way, or mistyped, and keeps nobody from being paid.
    static func all(among credentials: [AppleCredential], at now: Timestamp) -> [CredentialLack] {
        let kept = credentials.filter { $0.state != .retired }
        guard !kept.isEmpty else { return [.key] }
        guard !kept.contains(where: { $0.works(at: now) }) else { return [] }
        return Set(kept.map(\.merchantIdentifier)).sorted().compactMap { identifier in
            guard let newest = kept.last(where: { $0.merchantIdentifier == identifier }) else { return nil }
            switch newest.state {
            case .requested: return .certificate(identifier)
            case .imported: return .activation(identifier, credential: newest.id)
            case .active, .retired: return .expired(identifier)
            }
        }
    }

    var processing: MissingPart {
        switch self {
        case .key: .processingKey
        case .certificate(let identifier): .processingCertificate(merchantIdentifier: identifier)
        case .activation(let identifier, let id):
            .processingActivation(merchantIdentifier: identifier, credential: id)
        case .expired(let identifier): .processingExpired(merchantIdentifier: identifier)
        }
    }

    /// - Parameter known: the merchant identifier that the merchant uses, if there is one.
    func identity(of known: String?) -> MissingPart {
        switch self {
        case .key: .identityKey(merchantIdentifier: known)
        case .certificate(let identifier): .identityCertificate(merchantIdentifier: identifier)
        case .activation(let identifier, let id): .identityActivation(merchantIdentifier: identifier, credential: id)
        case .expired(let identifier): .identityExpired(merchantIdentifier: identifier)
        }
    }
}
