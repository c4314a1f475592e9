//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import StrictJSON

/// An answer of the dialect, read strictly, whichever of the two shapes it has.
struct Reply: Hashable, Sendable {
    /// By their names as lines.
    let pairs: [String: String]
    let text: String

    /// The names of the pairs in JSON.
    private static let jsonNames = [
        "Status": "status", "TxId": "txid", "UserId": "userid", "SettleAccount": "settleaccount",
        "ErrorCode": "errorcode", "ErrorMessage": "errormessage", "CustomerMessage": "customermessage",
        "applepay_payment_session": "add_paydata[applepay_payment_session]",
    ]

    init(_ response: WireResponse) throws {
        self.text = String(decoding: response.body, as: UTF8.self)
        guard response.status == .ok else { throw ShapeBroken("the HTTP status is \(response.status.code)") }
        switch response.headers[.contentType] {
        case "text/plain; charset=UTF-8": self.pairs = try Self.lines(self.text)
        case "application/json; charset=UTF-8": self.pairs = try Self.members(try JSON.parse(response.body))
        default: throw ShapeBroken("the Content-Type is another one")
        }
        try self.checkShape()
    }

    subscript(name: String) -> String? { self.pairs[name] }

    var status: String { self.pairs["status"] ?? "" }
    var txid: String { self.pairs["txid"] ?? "" }
    var errorCode: Int? { self.pairs["errorcode"].flatMap { Int($0) } }
    var message: String { self.pairs["errormessage"] ?? "" }

    private static func lines(_ text: String) throws -> [String: String] {
        guard text.hasSuffix("\n") else { throw ShapeBroken("the last line does not end") }
        var pairs: [String: String] = [:]
        for (index, line) in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let equals = line.firstIndex(of: "=") else { throw ShapeBroken("a line has no \"=\"") }
            let name = String(line[..<equals])
            guard index > 0 || name == "status" else { throw ShapeBroken("the first line is not the status") }
            guard pairs.updateValue(String(line[line.index(after: equals)...]), forKey: name) == nil else {
                throw ShapeBroken("\(name) stands there twice")
            }
        }
        return pairs
    }

    private static func members(_ json: JSON) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for (name, value) in json.object?.members ?? [] {
            if ["Error", "AddPayData"].contains(name) {
                pairs.merge(try self.members(value)) { $1 }
            } else {
                guard let plain = self.jsonNames[name], let text = value.string else {
                    throw ShapeBroken("\(name) is not known, or no string")
                }
                pairs[plain] = text
            }
        }
        return pairs
    }

    private func checkShape() throws {
        let names = Set(self.pairs.keys)
        let isFitting =
            switch self.status {
            case "APPROVED", "PENDING":
                names == ["status", "txid", "userid"] || names == ["status", "txid", "settleaccount"]
            case "OK": names == ["status", "add_paydata[applepay_payment_session]"]
            case "ERROR": names == ["status", "errorcode", "errormessage", "customermessage"]
            default: false
            }
        guard isFitting else { throw ShapeBroken("\(self.status) with \(names.sorted().joined(separator: ", "))") }
        for name in ["txid", "userid"] {
            guard let id = self.pairs[name] else { continue }
            guard (9...12).contains(id.utf8.count), id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw ShapeBroken("\(name) is not NUMERIC(9..12)")
            }
        }
        guard self.status == "ERROR" else { return }
        let code = self.pairs["errorcode"] ?? ""
        guard (1...6).contains(code.utf8.count), Int(code) != nil, (1...1024).contains(self.message.count),
            (1...1024).contains(self.pairs["customermessage"]?.count ?? 0)
        else { throw ShapeBroken("an error's parts are not as long as they may be") }
    }
}
