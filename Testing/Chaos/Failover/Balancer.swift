//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import TestProcesses

/// A haproxy.
final class Balancer: Sendable {
    private let daemon: Daemon
    private let configurationPath: String
    private let address: String
    private let port: Int

    /// - Parameters:
    ///   - address: where its configuration has it listen.
    /// - Throws: ``ChaosError`` when it does not.
    init(configurationPath: String, address: String, port: Int) async throws {
        self.configurationPath = configurationPath
        self.address = address
        self.port = port
        self.daemon = Daemon(
            logPath: configurationPath + ".log", lastSignal: "TERM", removing: configurationPath + ".run")
        try await self.start()
    }

    func start() async throws {
        if self.daemon.isRunning { return }
        try self.daemon.start(["/usr/sbin/haproxy", "-db", "-f", self.configurationPath])
        try await Timer.retrying(milliseconds: 60_000) {
            let connection = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: self.address, port: self.port).get()
            guard let connection else { throw ChaosError("A haproxy does not start:\n\(self.log)") }
            try await connection.close()
        }
    }

    func kill() async throws { try await self.daemon.end(with: SIGKILL) }
    func stop() async throws { try await self.daemon.end(with: SIGTERM) }

    var log: String { self.daemon.log }
}
