//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// One run of a command: how long it took, and the most memory that it ever had.
struct MeasuredRun {
    let megabytes: Double
    let seconds: Double

    static func of(_ executable: URL, _ arguments: [String]) async throws -> MeasuredRun {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        var peak = 0.0
        let seconds = try await Harness.seconds {
            try process.run()
            // The high-water mark goes with the process: what is read last before its end counts.
            while process.isRunning {
                peak = max(peak, (try? ProcessMemory.megabytes("VmHWM", of: process.processIdentifier)) ?? 0)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        guard process.terminationStatus == 0 else {
            throw BenchError("pomona \(arguments.prefix(2).joined(separator: " ")) failed")
        }
        return MeasuredRun(megabytes: peak, seconds: seconds)
    }
}
