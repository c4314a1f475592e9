//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Redaction
import Time

/// When the credentials of a merchant's accounts were last used, and by whom.
public struct CredentialUses: Sendable {
    static let max = 10_000

    private let uses: [String: CredentialUse]

    /// - Throws: `StoreError`.
    public init(of merchant: MerchantID, in reader: any StoreReader) throws {
        let seen = try reader.observations(.credentialUse, of: merchant, subject: nil, limit: Self.max)
        self.uses = Dictionary(seen.compactMap { one in CredentialUse(one).map { (one.subject, $0) } }) { $1 }
    }

    /// - Parameter place: the name of the account's secret, or of its setting, that holds the credential.
    func use(of place: String, _ dialect: DialectName) -> CredentialUse? {
        self.uses[CredentialUse.subject(dialect, place)]
    }
}

/// What an account holds, open: its settings, and those of its secrets that are known, by name.
struct AccountContent {
    private var values: [String: String]

    init(settings: [String: String], secrets: [String: Redacted<String>] = [:]) {
        self.values = secrets.mapValues { $0.reveal() }.merging(settings) { $1 }
    }

    var places: Set<String> { Set(self.values.keys) }

    subscript(place: String) -> String? { self.values[place] }
}

extension Administration {
    /// Has what was seen of an account's credentials follow them to the places in which they stand now. Of what has
    /// just come nothing was seen.
    func moveUses(
        of account: MerchantAccount, from before: AccountContent, to after: AccountContent,
        in transaction: any StoreTransaction
    ) throws {
        let merchant = account.merchantID
        let all = try transaction.observations(.credentialUse, of: merchant, subject: nil, limit: CredentialUses.max)
        let prefix = CredentialUse.subject(account.dialect, "")
        let seen = Dictionary(
            all.filter { $0.subject.hasPrefix(prefix) }.map { (String($0.subject.dropFirst(prefix.count)), $0) }
        ) { $1 }
        guard !seen.isEmpty else { return }
        for place in after.places.union(seen.keys).sorted() where before[place] != after[place] {
            let origin = seen.keys.sorted().first { after[place] != nil && before[$0] == after[place] }
            let subject = CredentialUse.subject(account.dialect, place)
            if let use = origin.flatMap({ seen[$0] }).flatMap(CredentialUse.init) {
                try transaction.upsert(use.observation(of: merchant, subject))
            } else if seen[place] != nil {
                try transaction.upsert(CredentialUse.none(of: merchant, subject, since: self.gateway.now()))
            }
        }
    }
}
