//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Foundation

/// `pomona demo`: one payment from the phone to the ledger and back to the shop, on real cryptography, in one process.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Watch Apple Pay tokens being verified, decrypted, authorized, captured, refunded and booked.",
        discussion: """
            A gateway with its server, a shop that signs its calls, a pretend iPhone and a pretend bank, all in this \
            process. Every step is checked; exit code 1 if anything is not as it should be. Nothing leaves this \
            machine.
            """)

    @Option(
        help: ArgumentHelp("Keep the data in this directory; a temporary one is removed at the end.", valueName: "dir"))
    var data: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            if let data = self.data {
                try await DemoStory.run(in: DataDirectory(path: data), isTemporary: false, on: console)
                return
            }
            let path = NSTemporaryDirectory() + "pomona-demo-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: path) }
            try await DemoStory.run(in: DataDirectory(path: path), isTemporary: true, on: console)
        }
    }
}
