//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON

/// The requests of one operation, as they stand in a file beside the tests.
///
/// `POMONA_RECORD_TRANSCRIPTS=1` writes the files anew; then read what was written.
enum GoldenRequests {
    struct Differs: Error, CustomStringConvertible {
        let description: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Requests")

    static var isRecording: Bool { ProcessInfo.processInfo.environment["POMONA_RECORD_TRANSCRIPTS"] == "1" }

    static func compare(_ requests: [StubRequest], with name: String) throws {
        let text = JSON.array(try requests.map(self.json)).text(pretty: true) + "\n"
        let file = self.folder.appending(path: name + ".json")
        if self.isRecording {
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
    static var names: Set<String> {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.folder.path())) ?? []
        return Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    }

    private static func json(_ request: StubRequest) throws -> JSON {
        var object = JSONObject()
        object["method"] = .string(request.method)
        object["path"] = .string(request.path)
        var headers = JSONObject()
        // What the HTTP client adds is its own affair, and the password is nobody's.
        for name in ["Accept", "Authorization", "Content-Type", "User-Agent"] {
            guard let value = request.header(name) else { continue }
            headers[name] = .string(name == "Authorization" ? "Basic [redacted]" : value)
        }
        object["headers"] = .object(headers)
        if !request.body.isEmpty { object["body"] = try JSON.parse(request.body) }
        return .object(object)
    }
}
