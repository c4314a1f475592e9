//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON

/// Lays exchanges out as text: requests as they stand on the wire, bodies so that they can be read.
struct TranscriptText {
    var replacer: TranscriptReplacer

    mutating func text(of scene: TranscriptScene, _ exchanges: [Exchange]) -> String {
        var text = "# \(scene.summary)\n"
        for (index, exchange) in exchanges.enumerated() {
            text += "\n### \(index + 1)\n\n"
            switch exchange {
            case .call(let request, let response):
                text += self.request(request) + "\n" + self.response(response)
            case .notification(let notification, let target, let status, let body):
                let headers = notification.headers.map { ($0.name, $0.value) }
                text += self.message("\(notification.method) \(target) HTTP/1.1", headers, notification.body)
                text += "\n" + self.message("HTTP/1.1 \(status)", [], body)
            }
        }
        return text
    }

    private mutating func request(_ request: WireRequest) -> String {
        let target = request.path + (request.query.map { "?" + $0 } ?? "")
        return self.message(
            "\(request.method.rawValue) \(target) HTTP/1.1", request.headers.map { ($0.name.rawName, $0.value) },
            request.body)
    }

    private mutating func response(_ response: WireResponse) -> String {
        self.message(
            "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)",
            response.headers.map { ($0.name.rawName, $0.value) }, response.body)
    }

    private mutating func message(_ start: String, _ headers: [(String, String)], _ body: [UInt8]) -> String {
        var text = self.replacer.replaced(start) + "\n"
        var mediaType = ""
        for (name, value) in headers {
            if name.lowercased() == "content-type" { mediaType = value.lowercased() }
            text += self.replacer.replaced("\(name): \(value)") + "\n"
        }
        guard !body.isEmpty else { return text }
        return text + "\n" + Self.laidOut(self.replacer.replaced(Self.characters(body)), mediaType) + "\n"
    }

    /// UTF-8, or else Latin-1 (ISO 8859-1), in which every byte is a character.
    private static func characters(_ body: [UInt8]) -> String {
        String(validating: body, as: UTF8.self)
            ?? String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    }

    /// Bodies that nobody would read are shown by their length.
    private static func laidOut(_ body: String, _ mediaType: String) -> String {
        guard body.utf8.count <= 16_384 else { return "<\(body.utf8.count) bytes>" }
        if let json = try? JSON.parse(body), json.object != nil || json.array != nil { return json.text(pretty: true) }
        if body.hasPrefix("<") { return Self.elements(body) }
        if mediaType.contains("x-www-form-urlencoded") {
            return body.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "\n&")
        }
        return Self.visible(body)
    }

    /// A line for each element; nothing else is changed.
    private static func elements(_ body: String) -> String {
        Self.visible(body.replacing("><", with: ">\n<"))
    }

    /// Control characters but the line feed by their number, so that a transcript stays a text.
    private static func visible(_ body: String) -> String {
        var text = ""
        for scalar in body.unicodeScalars {
            switch scalar.value {
            case 0x0A: text.unicodeScalars.append(scalar)
            case 0x0D: text += "<CR>"
            case 0x00..<0x20, 0x7F..<0xA0: text += "<0x\(String(scalar.value, radix: 16))>"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
