//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments

/// `pomona merchant`: what a merchant's accounts say.
struct MerchantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant", abstract: "Make, show, change, suspend and close merchants.",
        subcommands: [
            MerchantCreateCommand.self, MerchantListCommand.self, MerchantShowCommand.self,
            MerchantChangeCommand.self, MerchantSuspendCommand.self, MerchantResumeCommand.self,
            MerchantCloseCommand.self, MerchantSettingsCommand.self, MerchantAffiliatesCommand.self,
            MerchantRegistrationCommand.self, MerchantRegisterCommand.self, MerchantUnregisterCommand.self,
        ])
}

/// Whose account, and in which dialect.
enum MerchantAccounts {
    /// How long a running server may go by what it has read of an account before.
    static let heededWithinSeconds = GatewaySettings().accountCacheSeconds

    static let heededSentence =
        "A server that runs on the data directory applies the change within \(heededWithinSeconds) seconds."

    /// The merchant's account in the dialect; in its only one if none is named.
    ///
    /// - Throws: ``CommandFailure`` `merchant_unknown`, `dialect_unknown`, `account_unknown`, `account_ambiguous`.
    static func account(
        of name: String, dialect: String?, in reader: any StoreReader
    ) throws -> MerchantAccount {
        let merchant = try Administration.merchant(named: name, in: reader)
        if let dialect { _ = try DialectModule.required(dialect) }
        let accounts = try reader.accounts(of: merchant.id)
        let known = accounts.map(\.dialect.text).joined(separator: ", ")
        if let dialect {
            if let account = accounts.first(where: { $0.dialect.text == dialect }) { return account }
            throw CommandFailure(
                .accountUnknown, stage: .store,
                "\(name) has no account in \(dialect)"
                    + (accounts.isEmpty ? ", and in no other dialect." : "; it has one in \(known)."))
        }
        guard let account = accounts.first else {
            throw CommandFailure(.accountUnknown, stage: .store, "\(name) has no account in any dialect.")
        }
        guard accounts.count == 1 else {
            throw CommandFailure(
                .accountAmbiguous, stage: .input,
                "\(name) has accounts in \(known): say which with --dialect.")
        }
        return account
    }
}
