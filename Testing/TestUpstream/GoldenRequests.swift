//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
import StrictJSON

/// The requests of one operation, as they stand in a file beside a connector's tests.
///
/// `POMONA_RECORD_TRANSCRIPTS=1` writes the files anew; then read what was written.
public struct GoldenRequests: Sendable {
    public struct Differs: Error, CustomStringConvertible {
        public let description: String
    }

    private let folder: URL
    private let masked: Set<String>

    /// - Parameters:
    ///   - folder: where the files lie.
    ///   - masked: header fields that hold a secret, in lower case: that they are there is recorded, and their scheme.
    public init(folder: URL, masked: Set<String> = ["authorization"]) {
        self.folder = folder
        self.masked = masked
    }

    private static var isRecording: Bool { ProcessInfo.processInfo.environment["POMONA_RECORD_TRANSCRIPTS"] == "1" }

    public func compare(_ requests: [StubRequest], with name: String) throws {
        let text = JSON.array(try requests.map(self.json)).text(pretty: true) + "\n"
        let file = self.folder.appending(path: name + ".json")
        if Self.isRecording {
            try Data(text.utf8).write(to: file)
            return
        }
        guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
            throw Differs(description: "\(name).json is missing. Record it with POMONA_RECORD_TRANSCRIPTS=1.")
        }
        guard recorded == text else {
            throw Differs(description: "\(name).json is not what was sent, which is:\n\(text)")
        }
    }

    /// The names of the files that are there.
    public var names: Set<String> {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.folder.path())) ?? []
        return Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    }

    private static let ofTheTransport: Set = ["host", "content-length", "connection", "transfer-encoding"]

    private func json(_ request: StubRequest) throws -> JSON {
        var object = JSONObject()
        object["method"] = .string(request.method)
        object["path"] = .string(request.path)
        var headers = JSONObject()
        // What the HTTP client adds is its own affair, and the password is nobody's.
        for header in request.headers.sorted(by: { $0.name < $1.name }) {
            let name = header.name.lowercased()
            guard !Self.ofTheTransport.contains(name) else { continue }
            let scheme = header.value.hasPrefix("Basic ") ? "Basic " : ""
            headers[header.name] = .string(self.masked.contains(name) ? "\(scheme)[redacted]" : header.value)
        }
        object["headers"] = .object(headers)
        if !request.body.isEmpty {
            // A form has a line for each of its fields.
            let isForm = request.header("Content-Type") == "application/x-www-form-urlencoded"
            object["body"] =
                isForm
                ? .array(request.text.split(separator: "&").map { .string(String($0)) })
                : (try? JSON.parse(request.body)) ?? .string(request.text)
        }
        return .object(object)
    }
}
