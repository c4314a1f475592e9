//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import NIOCore
import NIOPosix

/// Time as the machine has it: what this program does to others takes real time.
enum Timer {
    static var nowMilliseconds: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
    static var nowMicroseconds: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1000) }

    static func pause(milliseconds: Int64) async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try? await loop.scheduleTask(in: .milliseconds(milliseconds)) {}.futureResult.get()
    }

    /// Tries again and again, a moment apart.
    /// - Throws: what the last try threw, when the time is up.
    static func retrying<Value>(
        milliseconds: Int64, _ body: () async throws -> Value
    ) async throws -> Value {
        let end = self.nowMilliseconds + milliseconds
        while true {
            do {
                return try await body()
            } catch {
                guard self.nowMilliseconds < end, !Task.isCancelled else { throw error }
                await self.pause(milliseconds: 100)
            }
        }
    }
}
