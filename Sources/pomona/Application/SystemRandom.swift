//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's random source.
enum SystemRandom {
    /// The most that `getentropy` gives at once (POSIX.1-2024, `GETENTROPY_MAX`).
    private static let bytesMax = 256

    /// One call of the system for each draw: Swift's generator makes one for every eight bytes, which were twenty a payment.
    static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var start = 0
        while start < count {
            let part = min(self.bytesMax, count - start)
            let status = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { getentropy($0 + start, part) } ?? 0
            }
            // A kernel that does not know the call. Swift's generator has a way for each, and does not return without.
            if status != 0 {
                var generator = SystemRandomNumberGenerator()
                for index in start..<start + part { bytes[index] = generator.next() }
            }
            start += part
        }
        return bytes
    }
}
