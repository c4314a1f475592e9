//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses
import Testing

@testable import pomona

/// Code that only the start has needed.
struct ProgramCodeTests {
    @Test func codeOfAServerIsGivenBackWhenItListens() async throws {
        let folder = try CliFolder()
        let gateway = try await GatewayProcess("gateway", data: folder.file("data"), in: folder)
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        var (now, peak): (Int64, Int64)
        // It happens just after the first line.
        repeat {
            now = gateway.memoryKilobytes("VmRSS") ?? 0
            peak = gateway.memoryKilobytes("VmHWM") ?? 0
            await Task.yield()
        } while now * 4 > peak * 3 && ContinuousClock.now < end
        #expect(now > 0 && now * 4 <= peak * 3, "\(now) of \(peak) kB")
        // It comes back as it is needed.
        #expect(try await CliTool.bash("curl --silent --fail '\(gateway.url)/healthz'").exitCode == 0)
        #expect(await gateway.stop() == 0)
    }

    @Test(
        arguments: [
            (
                "55d0c0000000-55d0c2000000 r-xp 00000000 08:01 123456      /usr/bin/pomona",
                0x55d0_c000_0000..<0x55d0_c200_0000
            ),
            ("7f00-8000 r-xp 00000000 08:01 1 /usr/lib/a library.so", 0x7f00..<0x8000),
        ] as [(Substring, Range<UInt>)])
    func codeOfAFileIsFound(_ line: Substring, _ range: Range<UInt>) {
        #expect(ProgramCode.code(line) == range)
    }

    @Test(
        arguments: [
            "55d0c0000000-55d0c2000000 rw-p 00000000 08:01 123456 /usr/bin/pomona",
            "55d0c0000000-55d0c2000000 r--p 00000000 08:01 123456 /usr/bin/pomona",
            "7ffc1000-7ffc3000 r-xp 00000000 00:00 0 [vdso]", "7ffc1000-7ffc3000 r-xp 00000000 00:00 0",
            "8000-7f00 r-xp 0 0 1 /a",
            "x-y r-xp 0 0 1 /a", "",
        ] as [Substring])
    func nothingElseIs(_ line: Substring) {
        #expect(ProgramCode.code(line) == nil)
    }
}
