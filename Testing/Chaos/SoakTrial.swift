//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What memory a gateway has after each minute of a load of all dialects that goes on and on.
public struct SoakTrial: Sendable {
    public struct Report: Sendable {
        /// Before the load.
        public var idleKilobytes: Int64 = 0
        /// After each minute.
        public var minutes: [Minute] = []
        public var isLedgerSound = false

        public struct Minute: Sendable {
            public let kilobytes: Int64
            /// Requests that the shops had answered definitely until then.
            public let answersCount: Int

            var text: String { "\(self.kilobytes / 1000) MB, \(self.answersCount) answers" }
        }

        public var lines: [String] {
            guard let last = self.minutes.last else { return ["no minute has passed"] }
            let secondHalf = self.minutes.suffix(from: self.minutes.count / 2)
            return [
                "before the load \(self.idleKilobytes / 1000) MB",
                "after \(self.minutes.count / 2 + 1) min: \(secondHalf.first?.text ?? "-")",
                "after \(self.minutes.count) min: \(last.text)",
                "the most of the second half: \((secondHalf.map(\.kilobytes).max() ?? 0) / 1000) MB",
                "pomona ledger check: \(self.isLedgerSound ? "sound" : "fails")",
            ]
        }
    }

    private let settings: ChaosSettings
    private let minutesCount: Int

    /// - Parameters:
    ///   - settings: of these the program, the store, the seed, the shops and the log.
    ///   - minutesCount: how long the load goes on.
    public init(_ settings: ChaosSettings, minutesCount: Int) {
        self.settings = settings
        self.minutesCount = minutesCount
    }

    public func run() async throws -> Report {
        let listener = try await WebhookListener()
        return try await Cluster.measuring(self.settings, notifyURL: listener.url) { cluster in
            let report = try await self.measure(cluster, listener)
            await listener.close()
            return report
        }
    }

    private func measure(_ cluster: Cluster, _ listener: WebhookListener) async throws -> Report {
        let receipts = Receipts()
        let shops = try Shops.ofAllDialects(cluster, receipts: receipts, notifyURL: listener.url)
        listener.read(with: shops.clients)
        let gateway = cluster.gateways[0].process
        var report = Report()
        report.idleKilobytes = gateway.memoryKilobytes ?? 0
        let load = Task { [settings] in
            try await shops.trade(0..<settings.shopsCount, seed: settings.seed)
        }
        for minute in 1...self.minutesCount {
            await Timer.pause(milliseconds: 60_000)
            guard let kilobytes = gateway.memoryKilobytes else { throw ChaosError("The gateway has ended.") }
            let now = Report.Minute(kilobytes: kilobytes, answersCount: receipts.all.count - receipts.openCount)
            report.minutes.append(now)
            self.settings.log("after \(minute) min: \(now.text)")
        }
        shops.closeUp()
        try await load.value
        let check = ProgramProcess(
            "ledger check", program: self.settings.program, logPath: cluster.folder + "/commands.log")
        report.isLedgerSound = try await check.run(["ledger", "check", "--data", cluster.dataPath])
        return report
    }
}
