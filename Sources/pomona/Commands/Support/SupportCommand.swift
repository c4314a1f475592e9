//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import StrictJSON
import Time

/// `pomona support`.
struct SupportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Collect what somebody needs who is to help.",
        subcommands: [SupportBundleCommand.self])
}

/// `pomona support bundle`.
struct SupportBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Write versions, configuration, findings, metrics and the last refusals and alarms into one file.",
        usage: "pomona support bundle [--data <dir>] [--config <config>] [--metrics <url>] [--output <file>]",
        discussion: """
            The file is JSON, for people to read before they hand it on. It has no password, key, token or card number: what may \
            hold one is not taken, and all that is taken is looked through once more for what looks like one. It names merchants, \
            hosts and the addresses of callers that were refused. A part that cannot be had says why.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Where the server's metrics are: http://127.0.0.1:8080/metrics.", valueName: "url"))
    var metrics: String?

    @Option(help: ArgumentHelp("The file to make; pomona-support-TIME.json here if left out.", valueName: "file"))
    var output: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            let now = Timestamp.now()
            let bundle = SupportBundle(
                directory: self.directory.directory, configPath: self.directory.config, metricsURL: self.metrics,
                now: now)
            let compact = now.rfc3339Seconds.filter { $0 != "-" && $0 != ":" }
            let path = FileSystem.absolutePath(self.output ?? "pomona-support-\(compact).json")
            guard !FileSystem.exists(path) else {
                throw CommandFailure(
                    .fileNotWritable, stage: .input, "\(path) is there already. Name another file with --output.")
            }
            let (json, hiddenCount) = await bundle.make()
            try FileSystem.writePrivate(json.text(pretty: true) + "\n", to: path)
            console.line("Written to \(path), for its owner alone. Read it before you hand it on.")
            if hiddenCount > 0 {
                let texts = Text.count(hiddenCount, "text")
                console.line("Taken out of \(texts): what looked like a secret or a card number.")
            }
        }
    }
}
