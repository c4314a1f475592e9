//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import ArgumentParser
import Money
public import Payments

/// As words of a command line, each by its raw value.
extension Role: ExpressibleByArgument {}

extension Scope: ExpressibleByArgument {}

extension FirstCredential: ExpressibleByArgument {}

extension Access {
    /// Of whoever runs commands on the data directory: he has the store and the master key in his hands.
    static let operatorsOwn = Access(.owner)
}

/// Who somebody is at an OpenID Connect provider.
struct IdentityOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The OpenID Connect provider that knows the person: its issuer.", valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("Who the person is there: the claim sub.", valueName: "text"))
    var subject: String?

    var identity: ExternalIdentity? {
        guard let issuer, let subject else { return nil }
        return ExternalIdentity(issuer: issuer, subject: subject)
    }

    func validate() throws {
        guard (self.issuer == nil) == (self.subject == nil) else {
            throw ValidationError("--issuer and --subject go together.")
        }
        guard self.issuer?.isEmpty != true, self.subject?.isEmpty != true else {
            throw ValidationError("--issuer and --subject are not empty.")
        }
    }
}

/// What is said of people in words of the command line.
enum PersonArguments {
    /// Merchants by their names; `nil` where none is named, for all.
    ///
    /// - Throws: `AdministrationError` `merchant_unknown`, `StoreError`.
    static func merchants(_ names: [String], _ administration: Administration) async throws -> Set<MerchantID>? {
        guard !names.isEmpty else { return nil }
        return try await administration.read { reader in
            Set(try names.map { try Administration.merchant(named: $0, in: reader).id })
        }
    }

    /// CAD=100.00, one for each currency; `nil` where there is none.
    ///
    /// - Throws: ``CommandFailure`` `argument_malformed`, `currency_unknown`, `amount_malformed`.
    static func limits(_ words: [String]) throws(CommandFailure) -> [Currency: Int64]? {
        guard !words.isEmpty else { return nil }
        var limits: [Currency: Int64] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw CommandFailure(
                    .argumentMalformed, stage: .input, "A limit of refunds is written CAD=100.00: currency, amount.")
            }
            let currency = try RouteArguments.currency(parts[0])
            limits[currency] = try RouteArguments.money(parts[1], currency).minorUnits
        }
        return limits
    }
}
