//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses

/// What stands between a program and its C library (Testing/ChaosShim): sets its clock and fills its disk.
final class FaultShim: Sendable {
    private let folder: String

    private init(folder: String) {
        self.folder = folder
    }

    /// Builds it.
    /// - Returns: `nil` where there is no C compiler, or the system is none that preloads libraries.
    static func build(source: URL?) async throws -> FaultShim? {
        #if os(Linux)
        guard let source, let compiler = Self.compiler() else { return nil }
        // The database's server has another user.
        let folder = Self.openPlace() + "/pomona-chaos-shim-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let run = ProgramProcess("compiler", program: compiler, logPath: folder + "/compiler.log")
        let shim = FaultShim(folder: folder)
        let isBuilt = try await run.run(["-shared", "-fPIC", "-O2", "-o", shim.library, source.path, "-ldl"])
        guard isBuilt else { throw ChaosError("The shim cannot be built:\n\(run.log.suffix(2000))") }
        return shim
        #else
        return nil
        #endif
    }

    private static func compiler() -> URL? {
        ["cc", "gcc", "clang"].lazy.compactMap { SearchPath.find($0) }.first.map { URL(fileURLWithPath: $0) }
    }

    /// A temporary directory that every user can get to.
    private static func openPlace() -> String {
        for place in ["/tmp", "/var/tmp"] where FileManager.default.isWritableFile(atPath: place) { return place }
        return FileManager.default.temporaryDirectory.path
    }

    private var library: String { self.folder + "/shim.so" }

    /// Of one program, or of all processes of a server.
    func makeControl(_ name: String) throws -> FaultControl {
        let path = "\(self.folder)/\(name).control"
        try Data(count: 4096).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let control = try FaultControl(path: path)
        try control.setBudget(nil)
        return control
    }

    /// Of a program that a control is to govern, "NAME=VALUE".
    func environment(_ control: FaultControl) -> [String] {
        ["LD_PRELOAD=\(self.library)", "CHAOS_CONTROL=\(control.path)"]
    }

    func remove() { try? FileManager.default.removeItem(atPath: self.folder) }
}

/// What the shim of a program reads: the layout is `struct control` of Testing/ChaosShim/chaosshim.c.
final class FaultControl: Sendable {
    let path: String

    init(path: String) throws {
        self.path = path
    }

    /// How far the program's clock is from the true time.
    func setClock(offsetMilliseconds: Int64) throws { try self.write(offsetMilliseconds * 1_000_000, at: 0) }

    /// - Parameter bytes: how many may still be written; `nil` for any number.
    func setBudget(_ bytes: Int64?) throws { try self.write(bytes ?? -1, at: 8) }

    /// How many writes have found the disk full.
    var refusalsCount: Int64 {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: self.path)), bytes.count >= 24 else { return 0 }
        return bytes[bytes.startIndex + 16..<bytes.startIndex + 24].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    private func write(_ value: Int64, at offset: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: self.path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: withUnsafeBytes(of: value.littleEndian) { Data($0) })
        try file.close()
    }
}
