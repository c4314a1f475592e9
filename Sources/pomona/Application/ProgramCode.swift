//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The program's own code, of which the start has needed most and service needs a part.
enum ProgramCode {
    /// Lets the system take back the pages of code that are mapped; those that are needed again come back with a fault, from
    /// the file or the page cache. Two thirds of what an idle gateway would have in memory are such pages.
    ///
    /// They are never written to, so that nothing is lost (madvise(2), MADV_DONTNEED of a private mapping); but for a
    /// debugger's breakpoints, and so a process that is traced keeps them.
    static func giveBack() {
        #if os(Linux)
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            status.contains("\nTracerPid:\t0\n"),
            let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        else { return }
        for line in maps.split(separator: "\n") {
            guard let range = Self.code(line), let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else {
                continue
            }
            _ = madvise(start, Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
        #endif
    }

    /// The addresses of a line of proc(5)'s maps, if it is code of a file:
    /// "55d0c0000000-55d0c2000000 r-xp 00000000 08:01 123456    /usr/bin/pomona".
    static func code(_ line: Substring) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }).hasPrefix("/") else {
            return nil
        }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
