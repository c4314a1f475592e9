//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// What was seen.
extension Trial {
    func observationsAreReplacedAndListed() async throws {
        let (first, second) = (self.make.merchant(), self.make.merchant())
        func seen(
            _ merchant: Merchant, _ subject: String, _ number: Int, _ facts: [String: String] = [:],
            kind: Observation.Kind = .keyUse
        ) -> Observation {
            Observation(
                kind: kind, merchantID: merchant.id, subject: subject, number: number, at: self.make.time(),
                facts: facts)
        }
        // They outlive what they are about, and may come before it.
        let kept = [
            seen(first, "Key", 0, ["quote": "“ü”\n", "empty": ""]), seen(first, "Key", 1), seen(first, "key", 0),
        ]
        let others = [seen(second, "Key", 0), seen(first, "Key", 0, kind: .delivery)]
        let replaced = seen(first, "Key", 1, ["gone": "yes"])
        try await self.store.write { transaction in
            try transaction.upsert(replaced)
            for observation in (kept + others).reversed() { try transaction.upsert(observation) }
        }
        try await self.expectStored(kept, "a merchant's") {
            try $0.observations(.keyUse, of: first.id, subject: nil, limit: 10)
        }
        try await self.expectStored(Array(kept.prefix(2)), "a subject's") {
            try $0.observations(.keyUse, of: first.id, subject: "Key", limit: 10)
        }
        try await self.expectStored([kept[0]], "so many") {
            try $0.observations(.keyUse, of: first.id, subject: "Key", limit: 1)
        }
        try await self.expectStored([others[1]], "another kind's") {
            try $0.observations(.delivery, of: first.id, subject: nil, limit: 10)
        }
        try await self.expectStored([Observation](), "another subject's") {
            try $0.observations(.credentialUse, of: first.id, subject: "Key", limit: 10)
        }
    }
}
