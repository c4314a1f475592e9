//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a call needs of the merchant that it is for: accounts with the gateway, accounts with acquirers, routes, keys.
public protocol MerchantReading {
    func merchant(_ id: MerchantID) throws -> Merchant?
    func merchant(named name: String) throws -> Merchant?
    /// All merchants, oldest first.
    func merchants() throws -> [Merchant]
    /// The account that the wire calls so, by its key or an alias.
    func account(dialect: DialectName, key: String) throws -> MerchantAccount?
    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount?
    /// The merchant's accounts in dialects, by the dialects' names.
    func accounts(of merchant: MerchantID) throws -> [MerchantAccount]
    func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount?
    /// The merchant's accounts with acquirers, oldest first.
    func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount]
    /// The merchant's routes, by their numbers.
    func routes(of merchant: MerchantID) throws -> [Route]
    /// The merchant's Apple credentials, oldest first; of all merchants for `nil`.
    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential]
}
