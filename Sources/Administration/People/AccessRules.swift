//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Who may give what away.
extension Access {
    /// - Throws: ``AdministrationError`` `access_not_allowed`.
    func checkAdministersPeople() throws(AdministrationError) {
        guard self.allows(.peopleWrite) else {
            throw AdministrationError(
                .accessNotAllowed, "People and access tokens are for those who have \(Scope.peopleWrite.rawValue).")
        }
    }

    /// Whether somebody who has this may make, change or end something that has the other.
    ///
    /// - Throws: ``AdministrationError`` `access_not_allowed`.
    func checkGiving(_ other: Access) throws(AdministrationError) {
        try self.checkAdministersPeople()
        guard self.covers(other) else {
            throw AdministrationError(
                .accessNotAllowed, "Nobody gives away, changes or ends what may do more than he may himself.")
        }
    }

    /// Whether somebody who has this may say by which identity at a provider people are known: with it the person of whoever has
    /// that identity is chosen, of all people of the house.
    ///
    /// - Throws: ``AdministrationError`` `access_not_allowed`.
    func checkGivesIdentities() throws(AdministrationError) {
        guard self.merchants == nil else {
            throw AdministrationError(
                .accessNotAllowed, "By which external identity somebody is known is set by those who see all merchants."
            )
        }
    }

    /// The merchants' names, for the audit log; `nil` for all.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`.
    func merchantNames(in reader: any StoreReader) throws -> String? {
        guard let merchants = self.merchants else { return nil }
        guard !merchants.isEmpty else { return "none" }
        return try merchants.map { try Administration.merchant($0, in: reader).name }.sorted().joined(separator: " ")
    }
}
