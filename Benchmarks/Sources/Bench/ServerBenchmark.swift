//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import StrictJSON

/// The program as a user runs it: start-up, memory, and payments over HTTP.
struct ServerBenchmark {
    /// The built `pomona`.
    let executable: URL
    let directory: URL
    /// How many payments are made before memory is read again.
    let paymentsCount: Int

    func run() async throws -> [Row] {
        // The first start makes keys and certificates; what counts is every later one.
        try await self.withServer { _ in }
        var starts: [Double] = []
        for _ in 0..<7 { starts.append(try await self.withServer { $0.readySeconds }) }
        let start = Row(
            "server.start", "start to ready, existing data directory", [Measure(starts.median * 1000, "ms")],
            floor: Measure(300, "ms"), ratios: starts.map { 0.3 / $0 })
        let loaded = try await self.withServer { server in
            let idle = try server.residentMegabytes()
            let shop = try Shop(server)
            let floor = try RSASignatures.perSecond()
            let seconds = try await Harness.seconds { try await shop.pay(self.paymentsCount) }
            let rate = Double(self.paymentsCount) / seconds
            return (idle: idle, loaded: try server.residentMegabytes(), rate: rate, floor: floor)
        }
        return [
            start,
            Row(
                "server.memory.idle", "resident memory, idle", [Measure(loaded.idle, "MB")], floor: Measure(60, "MB"),
                ratios: [60 / loaded.idle]),
            Row(
                "server.memory.loaded", "resident memory after \(self.paymentsCount) payments",
                [Measure(loaded.loaded, "MB")], floor: Measure(loaded.idle, "MB", note: "idle"),
                ratios: [loaded.idle / loaded.loaded]),
            Row(
                "server.orders", "AlphaPay orders created and paid over HTTP, client on the same cores",
                [Measure(loaded.rate, "/s")],
                floor: Measure(loaded.floor / 4, "/s", note: "(4 RSA-2048 signatures each)"),
                ratios: [loaded.rate / (loaded.floor / 4)]),
        ]
    }

    @discardableResult
    private func withServer<Value>(_ body: (RunningServer) async throws -> Value) async throws -> Value {
        let server = try RunningServer(executable: self.executable, directory: self.directory)
        defer { server.stop() }
        return try await body(server)
    }
}

/// `pomona sandbox` as a process of its own.
struct RunningServer {
    let process: Process
    let readySeconds: Double
    let announcement: JSON

    /// - Parameter options: more of the command's.
    init(executable: URL, directory: URL, options: [String] = []) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments =
            ["sandbox", "--no-shop", "--port", "0", "--tls-port", "0", "--data", directory.path, "--json"] + options
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        var line = Data()
        let seconds = try Harness.seconds {
            try process.run()
            while !line.contains(0x0A) {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { throw BenchError("pomona sandbox ended before it was ready") }
                line += more
            }
        }
        self.process = process
        self.readySeconds = seconds
        self.announcement = try JSON.parse(line)
    }

    func stop() {
        self.process.terminate()
        self.process.waitUntilExit()
    }

    /// What the process has used of the processors since its start, in user space and in the kernel (proc(5), stat).
    func processorSeconds() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(self.process.processIdentifier)/stat", encoding: .utf8)
        // The command's name may hold anything; after its last parenthesis the fields begin with the third.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ").dropFirst()
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
        guard ticks.count == 2 else { throw BenchError("the processor time cannot be read") }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func residentMegabytes() throws -> Double {
        try ProcessMemory.megabytes("VmRSS", of: self.process.processIdentifier)
    }
}

/// What the kernel says of a process's memory (proc(5), status).
enum ProcessMemory {
    /// - Parameter name: "VmRSS" for what is resident, "VmHWM" for the most that has been.
    static func megabytes(_ name: String, of process: Int32) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
            let kilobytes = line.split(separator: " ").dropFirst().compactMap({ Double($0) }).first
        else { throw BenchError("\(name) cannot be read") }
        return kilobytes / 1024
    }
}
