//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON

// What somebody asks to change: who approves it must see what it will be, and of what is replaced as a whole what it was when it
// was asked for. Of secrets the names alone.

extension Call {
    /// What is there now, where a call replaces the whole of it.
    func replacedByThis(_ names: [MerchantID: String]) async throws -> JSON? {
        switch self.endpoint.name {
        case "setApprovalPolicy":
            let owner = try await self.policyOwner()
            var policy = try await self.administration.read {
                try Administration.approvalPolicy(of: owner, in: $0).view(names)
            }
            policy["policy"] = nil
            return .object(policy)
        case "setRoutes":
            let merchant = try await self.merchant()
            return try await self.administration.read { try AdminEndpoints.view(of: merchant, in: $0)["data"] }
        default: return nil
        }
    }

    /// A policy as this call would have it: what is left out is none.
    var askedPolicy: JSON {
        [
            "refundsAbove": self.body["refundsAbove"] ?? .null, "aboveOwnLimit": .bool(self.flag("aboveOwnLimit")),
            "liveCredentials": .bool(self.flag("liveCredentials")), "routes": .bool(self.flag("routes")),
        ]
    }

    /// Settings and addresses with their values, and the names of secrets: `host to "gateway.example", the secret password`.
    var askedChanges: String {
        let settings = self.textChanges("settings").sorted { $0.key < $1.key }.map { name, value in
            value.map { "\(name) to \(JSON.string($0).text())" } ?? "\(name) to its default"
        }
        // What a new account's caller has chosen himself is a credential.
        let secrets = ["secrets", "chosen"].flatMap { self.textChanges($0).keys.sorted() }.map { "the secret \($0)" }
        let notifyURL = self.text("notifyURL").map { ["notifyURL to \(JSON.string($0).text())"] } ?? []
        let acceptor = self.body["acceptor"].map { ["the acceptor to \($0.inWords)"] } ?? []
        return (settings + notifyURL + secrets + acceptor).joined(separator: ", ")
    }
}

extension JSON {
    /// The value as part of a sentence, texts in quotes, so that nothing passes for another part of it.
    var inWords: String {
        switch self {
        case .null: "none"
        case .bool(let flag): flag ? "yes" : "no"
        case .object(let object):
            object.isEmpty
                ? "none"
                : object.members.map { "\($0.name) \($0.value.limitInWords($0.name) ?? $0.value.inWords)" }
                    .joined(separator: ", ")
        case .array(let values): values.isEmpty ? "none" : values.map(\.inWords).joined(separator: "; ")
        default: self.text()
        }
    }

    /// Of limits the empty ones hold everything back, and those that are not there nothing.
    private func limitInWords(_ name: String) -> String? {
        guard name == "refundsAbove" else { return nil }
        switch self {
        case .null: return "none, refunds need nobody"
        case .object(let limits) where limits.isEmpty: return "0, every refund"
        default: return nil
        }
    }
}
