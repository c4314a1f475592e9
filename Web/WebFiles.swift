//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// The files that run in a browser: the web SDK, the wallet, the demo shop and the portal, read once.
///
/// They stand in a directory beside the program. The build makes it, "pomona_WebFiles.resources", and whoever installs
/// the program copies it along. The accessor that the build generates is not used: it knows the build's path and ends
/// the process when the directory is not there.
public struct WebFiles: Sendable {
    /// By their paths from the directory on: "sdk/tpdirect.js".
    public let files: [String: [UInt8]]

    /// The directory's name, as Swift's build writes it.
    public static let directoryName = "pomona_WebFiles.resources"
    /// The folders that are read; nothing else that may lie in the directory is.
    public static let folders = ["sdk", "shop", "wallet", "portal"]
    private static let filesMax = 500
    private static let fileBytesMax = 4 << 20

    public init(files: [String: [UInt8]]) {
        self.files = files
    }

    /// Reads a directory. Hidden files, links out of it and what is too large are not taken.
    ///
    /// - Throws: ``WebFilesError`` `directory_missing`, `file_unreadable`, `too_many_files`, `file_too_large`.
    public init(directory: URL) throws(WebFilesError) {
        var files: [String: [UInt8]] = [:]
        for folder in Self.folders {
            let root = directory.appendingPathComponent(folder, isDirectory: true)
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isDirectory), isDirectory.boolValue,
                let names = FileManager.default.enumerator(atPath: root.path)
            else {
                throw WebFilesError(
                    code: "directory_missing",
                    message: "The folder \(folder) is not in \(directory.path). Build the program again.")
            }
            for case let name as String in names {
                guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { continue }
                let url = root.appendingPathComponent(name, isDirectory: false)
                guard try Self.isPlainFile(url) else { continue }
                guard files.count < Self.filesMax else {
                    throw WebFilesError(
                        code: "too_many_files", message: "There are more than \(Self.filesMax) files to serve.")
                }
                files["\(folder)/\(name)"] = try Self.bytes(of: url)
            }
        }
        self.files = files
    }

    /// The files beside the running program.
    ///
    /// - Throws: ``WebFilesError`` `directory_missing`, which says where it was looked for; and what reading throws.
    public static func beside(program: URL = Self.program) throws(WebFilesError) -> WebFiles {
        let places = [
            program.deletingLastPathComponent(),
            // As packages for systems lay programs out: bin/pomona and share/pomona/.
            program.deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("share/pomona", isDirectory: true),
        ].map { $0.appendingPathComponent(Self.directoryName, isDirectory: true) }
        guard let directory = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw WebFilesError(
                code: "directory_missing",
                message: "The pages of the portal, the shop, the wallet and the web SDK are not there: no "
                    + places.map(\.path).joined(separator: " and no ")
                    + ". Copy \(Self.directoryName) from the build to the program's directory.")
        }
        return try WebFiles(directory: directory)
    }

    /// The running program, links followed.
    public static var program: URL {
        // Linux; elsewhere the name that the program was called by.
        let linked = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: linked ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? "pomona")
            .resolvingSymlinksInPath()
    }

    private static func isPlainFile(_ url: URL) throws(WebFilesError) -> Bool {
        do {
            let type = try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
            return type == .typeRegular
        } catch {
            throw WebFilesError(code: "file_unreadable", message: "\(url.path) cannot be read.")
        }
    }

    private static func bytes(of url: URL) throws(WebFilesError) -> [UInt8] {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw WebFilesError(code: "file_unreadable", message: "\(url.path) cannot be read.")
        }
        guard data.count <= Self.fileBytesMax else {
            throw WebFilesError(
                code: "file_too_large", message: "\(url.path) has more than \(Self.fileBytesMax) bytes.")
        }
        return Array(data)
    }
}

/// Why the files could not be read.
public struct WebFilesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable: "directory_missing".
    public let code: String
    /// What is wrong and what to do.
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }
}
