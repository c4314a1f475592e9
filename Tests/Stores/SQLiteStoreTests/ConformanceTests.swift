//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SQLiteStore
import StoreConformance
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: StoreLaw.allCases) func obeys(_ law: StoreLaw) async throws {
        try await StoreConformance { check in
            try await withDirectory { try await $0.withStore { try await check($0) } }
        }.check(law)
    }
}
