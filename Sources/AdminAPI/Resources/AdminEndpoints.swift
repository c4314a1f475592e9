//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// All that can be asked for.
enum AdminEndpoints {
    static func all(_ house: House) -> [Endpoint] {
        let groups: [[Endpoint]] = [
            self.merchants, self.accounts, self.acquirers, self.routes, self.certificates, self.payments, self.events,
            self.reports, self.watch, self.home, self.live, self.exports, self.settlements, self.catalog,
            self.audit, self.system, self.tokens, self.signIn, self.ownAccount, self.people,
            self.approvals, self.domains, self.registrations,
        ]
        return groups.flatMap(\.self)
    }
}
