//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

@testable import pomona

/// What systemd hears of a service of `Type=notify`.
struct ServiceManagerTests {
    /// The socket that NOTIFY_SOCKET names.
    private final class Manager {
        let path: String
        private let descriptor: Int32

        /// - Parameter path: of a file, or a name that begins with "@".
        init(_ path: String) throws {
            self.path = path
            self.descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var name = Array(path.utf8)
            if name.first == UInt8(ascii: "@") { name[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(self.descriptor, $0, length) == 0 }
            }
            try #require(isBound)
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(
                self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(self.descriptor) }

        func message() -> String {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(self.descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test(arguments: [true, false]) func notifiesByFileAndByName(isFile: Bool) throws {
        let folder = try CliFolder()
        let manager = try Manager(isFile ? folder.file("n") : "@pomona-\(UUID())")
        let service = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": manager.path]))
        service.notify(.ready)
        #expect(manager.message() == "READY=1")
        service.notify(.stopping)
        #expect(manager.message() == "STOPPING=1")
    }

    @Test func nobodyIsNotifiedWhereNobodyAsks() throws {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]) == nil)
        // Nobody listens, and a name that is too long for a socket.
        let folder = try CliFolder()
        for path in [folder.file("none"), "/" + String(repeating: "a", count: 200)] {
            try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path])).notify(.ready)
        }
    }

    @Test func serviceIsReadyWhenItListensAndSaysThatItEnds() async throws {
        let folder = try CliFolder()
        let manager = try Manager(folder.file("n"))
        let gateway = try await GatewayProcess(
            "gateway", data: folder.file("data"), in: folder, environment: ["NOTIFY_SOCKET=\(manager.path)"])
        #expect(manager.message() == "READY=1")
        #expect(await gateway.stop() == 0)
        #expect(manager.message() == "STOPPING=1")
    }
}
