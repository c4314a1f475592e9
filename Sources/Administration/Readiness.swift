//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// What a merchant lacks to take payments.
public enum MissingPart: Hashable, Sendable {
    /// No dialect knows the merchant.
    case dialectAccount
    /// No contract with an acquirer.
    case acquirerAccount
    /// There are acquirer accounts, and no route leads to one that is active.
    case route
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
}

extension MissingPart {
    /// In a sentence.
    public var text: String {
        switch self {
        case .dialectAccount: "The merchant has no account in any dialect."
        case .acquirerAccount: "The merchant has no account with an acquirer."
        case .route: "No route leads to an active acquirer account."
        case .processingKey: "There is no key that opens Apple Pay tokens."
        case .processingCertificate(let identifier):
            "Apple's Payment Processing Certificate for \(identifier) has not been imported. Hand the signing request in at "
                + "Apple's developer portal."
        case .processingActivation(let identifier, _): "The certificate for \(identifier) is imported and not in use."
        case .processingExpired(let identifier): "The certificate for \(identifier) has expired."
        case .resumption: "The merchant is suspended."
        }
    }

    /// The command that provides it, without the program's name and the data directory: ["route", "set", …].
    ///
    /// - Parameter merchant: the merchant's name.
    public func command(for merchant: String) -> [String] {
        let target = ["--merchant", merchant]
        let request = ["certificate", "csr"] + target + ["--purpose", "payment-processing", "--merchant-identifier"]
        return switch self {
        case .dialectAccount: ["account", "create"] + target + ["--dialect", "DIALECT"]
        case .acquirerAccount: ["acquirer", "add"] + target + ["--name", "NAME", "--connector", "CONNECTOR"]
        case .route: ["route", "set"] + target + ["--acquirer", "NAME"]
        case .processingKey: request + ["merchant.…"]
        case .processingCertificate: ["certificate", "import"] + target + ["FILE"]
        case .processingActivation(_, let credential):
            ["certificate", "activate"] + target + [String(credential.prefix(8))]
        case .processingExpired(let identifier): request + [identifier]
        case .resumption: ["merchant", "resume", merchant]
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
            var missing: [MissingPart] = []
            if try reader.accounts(of: merchant.id).isEmpty { missing.append(.dialectAccount) }
            let accounts = try reader.acquirerAccounts(of: merchant.id)
            let active = Set(accounts.filter { $0.state == .active }.map(\.id))
            if accounts.isEmpty {
                missing.append(.acquirerAccount)
            } else if try !reader.routes(of: merchant.id).contains(where: { active.contains($0.account) }) {
                missing.append(.route)
            }
            let credentials = try reader.appleCredentials(of: merchant.id).filter { $0.purpose == .paymentProcessing }
            let isHeldElsewhere = accounts.contains {
                active.contains($0.id) && !KeyCustody($0.settings).merchantIdentifiers.isEmpty
            }
            if !credentials.isEmpty || !isHeldElsewhere {
                missing += Self.missingParts(among: credentials, at: now)
            }
            if try reader.merchant(merchant.id)?.state == .suspended { missing.append(.resumption) }
            return missing
        }
    }

    /// For each merchant identifier what its newest credential lacks, unless another one opens its tokens.
    private static func missingParts(
        among credentials: [AppleCredential], at now: Timestamp
    ) -> [MissingPart] {
        guard !credentials.isEmpty else { return [.processingKey] }
        var missing: [MissingPart] = []
        for identifier in Set(credentials.map(\.merchantIdentifier)).sorted() {
            let own = credentials.filter { $0.merchantIdentifier == identifier && $0.state != .retired }
            guard let newest = own.last else { continue }
            if own.contains(where: { $0.isInUse && $0.notAfter ?? now >= now }) { continue }
            switch newest.state {
            case .requested: missing.append(.processingCertificate(merchantIdentifier: identifier))
            case .imported:
                missing.append(.processingActivation(merchantIdentifier: identifier, credential: newest.id))
            case .active, .retired: missing.append(.processingExpired(merchantIdentifier: identifier))
            }
        }
        return missing
    }
}
