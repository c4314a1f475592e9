//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// All that can be asked for.
enum AdminEndpoints {
    static func all(_ house: House) -> [Endpoint] {
        let groups: [[Endpoint]] = [
            self.merchants, self.accounts, self.acquirers, self.routes, self.certificates, self.payments, self.events,
            self.reports, self.watch, self.system, self.tokens,
        ]
        return groups.flatMap(\.self)
    }
}
