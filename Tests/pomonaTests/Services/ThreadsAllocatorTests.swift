//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import pomona

struct ThreadsAllocatorTests {
    #if os(Linux)
    @Test func cachesAreBounded() {
        #expect(ThreadsAllocator.boundCaches(environment: [:]) == ThreadsAllocator.cachedBytesMax)
    }

    @Test func anOperatorsOwnBoundIsLeftAlone() {
        let before = ThreadsAllocator.boundCaches(environment: [ThreadsAllocator.variable: "1"])
        #expect(before != nil)
        #expect(ThreadsAllocator.boundCaches(environment: [ThreadsAllocator.variable: "1"]) == before)
    }
    #endif
}
