//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

/// Which credentials have been used, as this process has seen it. Noting a use touches memory alone, and no more of it
/// than so many credentials take; what is worth writing is written beside the way of payments, of each credential at
/// most once in ten minutes.
final class CredentialSightings: Sendable {
    /// How long after a use of a credential was written the next one is, if there was one.
    static let intervalMilliseconds: Int64 = 600_000
    private static let entriesMax = 10_000

    /// A credential of an account. It is the same one when it stands in another place of the account.
    struct Name: Hashable, Sendable {
        let merchant: MerchantID
        let dialect: DialectName
        /// A hash that is keyed anew in every process (`Hasher`): it is of no use to anybody else.
        private let mark: Int

        init(_ merchant: MerchantID, _ dialect: DialectName, credential: String) {
            self.merchant = merchant
            self.dialect = dialect
            var hasher = Hasher()
            hasher.combine(credential)
            self.mark = hasher.finalize()
        }
    }

    /// A use that is to be written.
    struct Sighting: Sendable {
        let name: Name
        /// Where the credential stood when it was used.
        let place: String
        let use: CredentialUse
    }

    private struct Entry {
        var place: String
        var use: CredentialUse
        var written: CredentialUse?
        var writtenAt: Timestamp?

        func isQuiet(at now: Timestamp) -> Bool {
            guard let writtenAt else { return false }
            return (0..<CredentialSightings.intervalMilliseconds).contains(now.milliseconds(since: writtenAt))
        }
    }

    private let entries = Mutex<[Name: Entry]>([:])

    /// A credential was used. What there is no room for is not noted: a later use will be.
    func note(_ name: Name, at place: String, _ use: CredentialUse) {
        self.entries.withLock { entries in
            if entries[name] != nil {
                entries[name]?.place = place
                entries[name]?.use = use
            } else if entries.count < Self.entriesMax {
                entries[name] = Entry(place: place, use: use)
            }
        }
    }

    /// What is to be written now. What was written long ago, and has not been used since, is forgotten.
    func due(at now: Timestamp, limit: Int) -> [Sighting] {
        self.entries.withLock { entries in
            var due: [Sighting] = []
            for (name, entry) in entries where !entry.isQuiet(at: now) {
                if entry.written == entry.use {
                    entries[name] = nil
                } else if due.count < limit {
                    due.append(Sighting(name: name, place: entry.place, use: entry.use))
                }
            }
            return due
        }
    }

    func wrote(_ sighting: Sighting, at now: Timestamp) {
        self.entries.withLock { entries in
            entries[sighting.name]?.written = sighting.use
            entries[sighting.name]?.writtenAt = now
        }
    }
}
