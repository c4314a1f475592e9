//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// All that can be asked for.
enum AdminEndpoints {
    static let all: [Endpoint] = {
        let groups: [[Endpoint]] = [
            merchants, accounts, acquirers, routes, certificates, payments, events,
            reports, watch, home, live, exports, settlements, catalog,
            audit, system, dataKeys, tokens, signIn, ownAccount, people,
            approvals, domains, registrations, problems,
        ]
        return groups.flatMap(\.self)
    }()
}
