//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Synchronization

/// Where the simulator takes transaction identifiers, cryptograms and content keys from.
///
/// Private keys never come from here: they come from the system's generator, or are passed in.
public struct RandomSource: Sendable {
    private let generate: @Sendable (_ count: Int) -> [UInt8]

    /// - Parameter generate: returns as many bytes as it is asked for; called from any thread.
    public init(_ generate: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.generate = generate
    }

    /// The system's generator.
    public static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The same bytes for the same seed: SHA-256 over the seed and a counter. For tests that must repeat; each call
    /// continues the stream.
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let counter = Mutex<UInt64>(0)
        return RandomSource { count in
            var output: [UInt8] = []
            while output.count < count {
                let block = counter.withLock { value in
                    value += 1
                    return value
                }
                let input = [seed, block].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
                output.append(contentsOf: SHA256.hash(data: input))
            }
            return Array(output.prefix(count))
        }
    }

    func bytes(_ count: Int) -> [UInt8] {
        self.generate(count)
    }
}
