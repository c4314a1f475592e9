//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What the kernel says about this process, under the names that Prometheus' client libraries use.
struct ProcessMetrics: Sendable {
    /// Seconds since the epoch.
    let startTimeSeconds: Int64

    func exposition() -> String {
        var text = ""
        for metric in MetricDescription.process {
            guard let value = self.value(of: metric.name) else { continue }
            text += "# HELP \(metric.name) \(metric.meaning)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            text += "\(metric.name) \(value)\n"
        }
        return text
    }

    private func value(of name: String) -> String? {
        switch name {
        case "process_cpu_seconds_total": Self.cpuSeconds
        case "process_open_fds": Self.openFileDescriptorsCount.map { String($0) }
        case "process_resident_memory_bytes": Self.residentBytes.map { String($0) }
        case "process_start_time_seconds": String(self.startTimeSeconds)
        default: nil
        }
    }

    /// proc(5), /proc/pid/statm: the second number is the resident set in pages. `nil` where there is no such file.
    static var residentBytes: Int64? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return nil }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    static var openFileDescriptorsCount: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }

    /// Milliseconds are enough, and are written without arithmetic in floating point.
    private static var cpuSeconds: String? {
        var usage = rusage()
        #if canImport(Glibc)
        let isRead = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
        #else
        let isRead = getrusage(RUSAGE_SELF, &usage) == 0
        #endif
        guard isRead else { return nil }
        let microseconds =
            (Int64(usage.ru_utime.tv_sec) + Int64(usage.ru_stime.tv_sec)) * 1_000_000
            + Int64(usage.ru_utime.tv_usec) + Int64(usage.ru_stime.tv_usec)
        let milliseconds = microseconds / 1000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
