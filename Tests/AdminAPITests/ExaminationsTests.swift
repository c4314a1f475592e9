//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Synchronization
import Testing
import Time

@testable import AdminAPI

/// How often others are asked is not how often somebody looks.
@Suite struct ExaminationsTests {
    @Test func othersAreAskedOnceInAWhile() async throws {
        let examinations = Examinations()
        let asked = Mutex<[String]>([])
        let shop = MerchantID(at: Timestamp(seconds: 1), random: [1])
        let begin = Timestamp(seconds: 1000)
        func look(
            _ merchant: MerchantID?, after seconds: Int64, seen: Set<MerchantID>? = nil
        ) async throws -> [Finding] {
            try await examinations.findings(
                of: .init(merchant: merchant, seen: seen), at: begin.adding(seconds: seconds)
            ) {
                asked.withLock { $0.append("\(merchant?.text ?? "house") \(seconds)") }
                return [Finding(.acquirer, "acquirer_good", .good, "\(seconds)", because: "")]
            }
        }
        let first = try await look(shop, after: 0)
        #expect(try await look(shop, after: 9) == first)
        #expect(try await look(nil, after: 9) != first, "the house has its own")
        #expect(try await look(shop, after: 8, seen: [shop]) != first, "and so has whoever sees less")
        #expect(try await look(shop, after: 10) != first)
        // A clock that was set back keeps nobody waiting.
        _ = try await look(shop, after: -5)
        #expect(
            asked.withLock { $0 } == [
                "\(shop.text) 0", "house 9", "\(shop.text) 8", "\(shop.text) 10", "\(shop.text) -5",
            ])
    }
}
