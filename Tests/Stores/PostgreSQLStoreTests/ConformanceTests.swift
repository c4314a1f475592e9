//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import PostgreSQLStore
import StoreConformance
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ConformanceTests {
    /// - Parameter gatheredMin: with 1 all that is written goes through what several calls would share.
    @Test(arguments: StoreLaw.allCases, [2, 1]) func obeys(_ law: StoreLaw, gatheredMin: Int) async throws {
        var settings = PostgreSQLSettings.patient
        settings.gatheredMin = gatheredMin
        try await StoreConformance { [settings] check in
            try await withStore(settings) { store, _ in try await check(store) }
        }.check(law)
    }
}
