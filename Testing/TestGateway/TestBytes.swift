//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Synchronization

/// Bytes that look random and are the same for the same seed: SHA-256 over the seed and a counter, each call continuing
/// the stream.
final class TestBytes: Sendable {
    private let seed: UInt64
    private let counter = Mutex<UInt64>(0)

    init(seed: UInt64) {
        self.seed = seed
    }

    func next(_ count: Int) -> [UInt8] {
        var output: [UInt8] = []
        while output.count < count {
            let block = self.counter.withLock { value in
                value += 1
                return value
            }
            let input = [self.seed, block].flatMap { word in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
            }
            output += requestDigest(input)
        }
        return Array(output.prefix(count))
    }
}
