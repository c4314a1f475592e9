//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments

extension Administration {
    /// What a merchant lacks, and routes and accounts that lead nowhere.
    func examineRoutes(of merchant: Merchant) async throws -> [Finding] {
        let missing = try await self.missingParts(of: merchant).map { part in
            Finding(missing: part, of: merchant)
        }
        let (routes, accounts) = try await self.read { reader in
            (try reader.routes(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        var findings = missing
        for (index, route) in routes.enumerated() {
            guard let account = accounts.first(where: { $0.id == route.account }) else { continue }
            if account.state == .suspended {
                findings.append(Self.suspended(account, route, of: merchant))
            }
            let earlier = routes[..<index].first { other in
                other.condition.covers(route.condition)
                    && accounts.contains { $0.id == other.account && $0.state == .active }
            }
            // What an acquirer did not process takes the next route that fits, and so one to another account is a
            // fallback.
            if let earlier, earlier.account == route.account {
                findings.append(Self.covered(route, by: earlier, account, of: merchant))
            }
        }
        let used = Set(routes.map(\.account))
        findings += accounts.filter { $0.state == .active && !used.contains($0.id) }.map { account in
            Finding(
                .route, "account_without_route", .notice, merchant: merchant.name, subject: account.name,
                "No route leads to the acquirer account \(account.name).", because: "No payment takes it.",
                advice: "Set a route to it, or suspend it.",
                command: ["route", "set", "--merchant", merchant.name, "--acquirer", account.name])
        }
        if findings.isEmpty {
            findings.append(
                Finding(
                    .route, "routes_sound", .good, merchant: merchant.name,
                    "It has all that it needs to take payments.",
                    because: "Each payment takes the first route that fits."))
        }
        return findings
    }

    private static func suspended(_ account: AcquirerAccount, _ route: Route, of merchant: Merchant) -> Finding {
        Finding(
            .route, "route_to_suspended_account", .warning, merchant: merchant.name, subject: String(route.number),
            "Route \(route.number) leads to \(account.name), which is suspended.",
            because: "Payments pass it over, and take the next route that fits or none.",
            advice: "Resume the account, or remove the route.",
            command: ["acquirer", "resume", "--merchant", merchant.name, "--name", account.name])
    }

    private static func covered(
        _ route: Route, by earlier: Route, _ account: AcquirerAccount, of merchant: Merchant
    ) -> Finding {
        Finding(
            .route, "route_never_taken", .notice, merchant: merchant.name, subject: String(route.number),
            "Route \(route.number) is never taken: route \(earlier.number) leads to \(account.name) too, and fits "
                + "whatever it fits.",
            because: "It says something that does not happen.", advice: "Remove one of the two.",
            command: ["route", "list", "--merchant", merchant.name])
    }

    /// Whether the acquirers can be reached and take the credentials.
    func examineAcquirers(of merchant: Merchant) async throws -> [Finding] {
        var findings: [Finding] = []
        for account in try await self.read({ try $0.acquirerAccounts(of: merchant.id) }) where account.state == .active
        {
            do {
                findings += try await self.checkAcquirerAccount(account).map { found in
                    Finding(
                        .acquirer, found.isGood ? "acquirer_good" : "acquirer_fails", found.isGood ? .good : .failure,
                        merchant: merchant.name, subject: account.name,
                        "\(account.name) (\(account.connector)), \(found.subject): \(found.text)",
                        because: "What its acquirer refuses, a merchant is not paid.",
                        advice: found.isGood ? nil : "Look at its settings and secrets.",
                        command: found.isGood
                            ? nil : ["acquirer", "settings", "--merchant", merchant.name, "--name", account.name])
                }
            } catch let error as AdministrationError {
                findings.append(Self.unopened(account, of: merchant, error.message))
            } catch is VaultError {
                findings.append(
                    Self.unopened(account, of: merchant, "its settings or secrets are not as they were sealed"))
            }
        }
        return findings
    }

    private static func unopened(_ account: AcquirerAccount, of merchant: Merchant, _ text: String) -> Finding {
        Finding(
            .acquirer, "acquirer_not_opened", .failure, merchant: merchant.name, subject: account.name,
            "The acquirer account \(account.name) cannot be opened: \(text).",
            because: "No payment can take it.", advice: "Make the account anew, or bring its connector back.",
            command: ["acquirer", "list", "--merchant", merchant.name])
    }
}

extension Route.Condition {
    /// Whether it fits whatever the other one fits.
    fileprivate func covers(_ other: Route.Condition) -> Bool {
        func holds<Value: Equatable>(_ own: Value?, _ others: Value?) -> Bool { own == nil || own == others }
        guard holds(self.dialect, other.dialect), holds(self.network, other.network),
            holds(self.currency, other.currency)
        else { return false }
        let least = self.minorUnitsMin.map { own in other.minorUnitsMin.map { own <= $0 } ?? false } ?? true
        let most = self.minorUnitsMax.map { own in other.minorUnitsMax.map { own >= $0 } ?? false } ?? true
        return least && most
    }
}

extension Finding {
    fileprivate init(missing part: MissingPart, of merchant: Merchant) {
        let (area, code, advice): (Area, String, String) =
            switch part {
            case .dialectAccount: (.merchant, "account_missing", "Make one for the API that its shop speaks.")
            case .acquirerAccount: (.acquirer, "acquirer_missing", "Add the contract that it has.")
            case .route: (.route, "route_missing", "Set one.")
            case .processingKey: (.certificate, "processing_key_missing", "Make a signing request.")
            case .processingCertificate: (.certificate, "certificate_missing", "Import what comes back.")
            case .processingActivation: (.certificate, "certificate_not_active", "Activate it.")
            case .processingExpired:
                (
                    .certificate, "certificate_expired",
                    "Make a signing request, and hand it in at Apple's developer portal."
                )
            case .resumption: (.merchant, "merchant_suspended", "Resume it, or close it for ever.")
            case .acquirerResumption: (.route, "route_missing", "Resume it, or set a route to another.")
            case .closure: (.merchant, "merchant_closed", "Make a new one.")
            case .identityKey, .identityCertificate, .identityActivation, .identityExpired:
                (.certificate, "identity_missing", "Provide it, if there are web pages with Apple Pay.")
            case .domain: (.domain, "domain_missing", "Register one, if there are web pages with Apple Pay.")
            }
        let isMeant = part == .resumption || part == .closure || part.isForWeb
        self.init(
            area, code, isMeant ? .notice : .failure, merchant: merchant.name, part.text,
            because: part.isForWeb ? "It takes no payments on web pages." : "It cannot take payments.", advice: advice,
            command: part.command(for: merchant))
    }
}
