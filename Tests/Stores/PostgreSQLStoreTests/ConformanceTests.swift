//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StoreConformance
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ConformanceTests {
    @Test(arguments: StoreLaw.allCases) func obeys(_ law: StoreLaw) async throws {
        try await StoreConformance { check in
            try await withStore { store, _ in try await check(store) }
        }.check(law)
    }
}
