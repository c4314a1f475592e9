//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import StoreConformance
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: StoreLaw.allCases) func obeys(_ law: StoreLaw) async throws {
        try await StoreConformance { check in try await check(MemoryStore()) }.check(law)
    }
}
