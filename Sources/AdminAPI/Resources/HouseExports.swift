//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Payments

extension AdminEndpoints {
    /// Of what is no money.
    static let houseExports: [Endpoint] = [
        Self.export("events", "Webhooks to merchants, newest first.", .webhooksRead, Self.eventFilters) { call in
            let administration = call.administration
            return try await call.rows(EventRow.self, of: "events", from: try await call.eventQuery()) { place in
                let page = try await administration.eventRows(place)
                return (page.rows, page.next)
            }
        },
        Self.export(
            "people", "The people who administer, oldest first; nothing that they sign in with.", .peopleRead,
            Self.peopleFilters
        ) { call in
            try await call.rows(PersonRow.self, of: "people", from: 0) { _ in
                let rows = try await call.administration.read { reader in
                    try call.filteredPeople(in: reader).map { PersonRow(try PersonView(of: $0, in: reader)) }
                }
                return (rows, nil)
            }
        },
        Self.export(
            "tokens", "Access tokens, oldest first; never their secrets.", .peopleRead, Self.tokenFilters
        ) { call in
            let (tokens, names) = (try await call.filteredTokens(), try await call.merchantNames())
            return try await call.rows(TokenRow.self, of: "tokens", from: 0) { _ in
                (tokens.map { TokenRow($0, names) }, nil)
            }
        },
        Self.export("merchants", "Merchants, oldest first.", .merchantsRead, Self.merchantFilters) { call in
            try await call.rows(MerchantRow.self, of: "merchants", from: 0) { _ in
                (try await call.filteredMerchants().map { MerchantRow($0) }, nil)
            }
        },
        Self.export(
            "approvals", "What waits for a second person, or has: newest first.", .merchantsRead, Self.approvalFilters
        ) { call in
            let administration = call.administration
            let query = try await call.approvalQuery()
            return try await call.rows(ApprovalRow.self, of: "approvals", from: query) { place in
                let page = try await administration.approvalRows(place)
                return (page.rows, page.next)
            }
        },
        Self.export("alarms", "Alarms, newest first: what is wrong now, and what was.", .systemRead, []) { call in
            try call.checkSeesAll()
            let administration = call.administration
            return try await call.rows(AlarmRow.self, of: "alarms", from: AlarmID?.none) { place in
                let page = try await administration.alarmRows(before: place)
                return (page.rows, page.next.map { .some($0) })
            }
        },
    ]
}
