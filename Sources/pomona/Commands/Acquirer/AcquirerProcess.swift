//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Hosts
import Logging
import Payments
import SimulatorAcquirer
import StrictJSON
import UnixSignals

/// The simulated acquirer's process, from its first look at the data directory to its end.
///
/// Whoever holds the directory's lock is the active one, and nobody else listens. The kernel holds it for as long as the process
/// lives, so that there is never a second one: one that hangs keeps it until somebody ends it.
struct AcquirerProcess: Sendable {
    /// Between two tries of a standby.
    static let standbyPauseMilliseconds: Int64 = 100

    let host: String
    let port: Int
    let directory: DataDirectory
    let tls: LinkTLSFiles?
    /// Whether it waits for a directory that another process has.
    let isStandby: Bool
    let isJSON: Bool

    /// Waits and serves until it is asked to end.
    /// - Throws: ``CommandFailure`` `directory_in_use`, unless it is a standby; what can't be read, written or listened on.
    func run(_ console: Console) async throws {
        // Before it is reported ready: whoever stops it then gets an orderly end.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { break } }
            group.addTask { try await self.live(console) }
            // A signal, or what keeps it from serving.
            try await group.next()
            group.cancelAll()
            try await group.next()
        }
    }

    private func live(_ console: Console) async throws {
        let surroundings = Surroundings.system
        try self.directory.create()
        try self.directory.checkPermissions()
        // A standby finds out what it lacks before it is needed.
        let tls = try self.tls?.server()
        guard let lock = try await self.lock(surroundings, console) else { return }
        defer { lock.release() }
        let logger = surroundings.logger("pomona", level: .info)
        let secret = try self.directory.loadOrCreateLinkSecret(random: surroundings.random)
        let book = try SimulatorBook.open(
            path: self.directory.acquirerStorePath,
            newID: AcquirerBookID(at: surroundings.clock(), random: surroundings.random(10)))
        let server = AcquirerLinkServer(
            SimulatorConnector(
                book: book, life: SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep)),
            secret: secret, tls: tls, signOff: try self.directory.signOffRecord(),
            surroundings: AcquirerLinkSurroundings(sleep: surroundings.sleep, random: surroundings.random),
            logger: logger)
        self.announce(try await server.listen(host: self.host, port: self.port), console)
        await server.run()
        // A connector without connections of its own has nothing to run.
        for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
        await server.stop()
        try book.close()
    }

    /// - Returns: `nil` where it was asked to end before it could take over.
    private func lock(_ surroundings: Surroundings, _ console: Console) async throws -> DirectoryLock? {
        var isWaiting = false
        while !Task.isCancelled {
            do throws(CommandFailure) {
                return try self.directory.lock()
            } catch {
                guard self.isStandby, error.isA(.directoryInUse) else { throw error }
            }
            if !isWaiting { self.announceStandby(console) }
            isWaiting = true
            try? await surroundings.sleep(Self.standbyPauseMilliseconds)
        }
        return nil
    }

    // MARK: - Announcements

    private func announce(_ port: Int, _ console: Console) {
        let address = "tcp://\(HostAndPort.urlHost(self.host)):\(port)"
        if self.isJSON {
            let line: JSON = [
                "ready": true, "acquirer": .string(address), "secret": .string(self.directory.linkSecretPath),
                "book": .string(self.directory.acquirerStorePath),
            ]
            console.line(line.text())
        } else {
            console.line("The simulated acquirer listens on \(address).")
            console.line("  Secret of the link   \(self.directory.linkSecretPath)")
            console.line("  Its book             \(self.directory.acquirerStorePath)")
        }
    }

    private func announceStandby(_ console: Console) {
        let address = "tcp://\(HostAndPort.urlHost(self.host)):\(self.port)"
        if self.isJSON {
            console.line((["ready": false, "standby": true, "acquirer": .string(address)] as JSON).text())
        } else {
            console.line("Another process has \(self.directory.path). When it ends, this one takes over on \(address).")
        }
    }
}
