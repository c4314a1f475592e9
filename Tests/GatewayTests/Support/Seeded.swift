//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import TestRandom
import Time

extension SeededRandom {
    mutating func isTrue(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Bytes from a seed, for a gateway's random source.
final class SeededBytes: Sendable {
    private let generator: Mutex<SeededRandom>

    init(seed: UInt64) {
        self.generator = Mutex(SeededRandom(seed: seed))
    }

    func bytes(_ count: Int) -> [UInt8] {
        self.generator.withLock { generator in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }
}

/// Holds tasks until it is opened; also for tasks that are cancelled.
func sleepForEver() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
}
