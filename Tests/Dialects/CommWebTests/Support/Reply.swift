//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON

/// An answer, read strictly: JSON or a form, by what it says of itself.
struct Reply: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]
    /// By dotted paths; numbers as they were written.
    let fields: [String: String]
    /// `nil` for a form.
    let json: JSON?

    init(_ response: WireResponse) throws {
        self.status = response.status.code
        self.headers = response.headers
        self.bytes = response.body
        switch response.headers[.contentType] {
        case "application/json;charset=UTF-8":
            let json = try JSON.parse(response.body)
            self.json = json
            self.fields = Self.flat(json, "")
        case "application/x-www-form-urlencoded;charset=UTF-8":
            let form = try FormFields(
                body: response.body, contentType: response.headers[.contentType], limits: FormLimits(fieldsMax: 4096))
            self.json = nil
            self.fields = Dictionary(
                uniqueKeysWithValues: try form.names.map { ($0, try form.text($0, as: .utf8) ?? "") })
        default: throw Failure(description: "the answer has no content type of the dialect's")
        }
    }

    subscript(path: String) -> String? { self.fields[path] }

    var text: String { String(decoding: self.bytes, as: UTF8.self) }

    /// "SUCCESS APPROVED", or the error's "INVALID_REQUEST FIELD_INVALID order.amount INVALID".
    var summary: String {
        if self["result"] == "ERROR" {
            return ["error.cause", "error.supportCode", "error.field", "error.validationType"]
                .compactMap { self[$0] }.joined(separator: " ")
        }
        return ["result", "response.gatewayCode"].compactMap { self[$0] }.joined(separator: " ")
    }

    /// "captured/refunded of authorized: STATUS".
    var order: String {
        let sums = ["totalCapturedAmount", "totalRefundedAmount", "totalAuthorizedAmount"].map {
            self["order." + $0] ?? self[$0] ?? "-"
        }
        return "\(sums[0])/\(sums[1]) of \(sums[2]): \(self["order.status"] ?? self["status"] ?? "-")"
    }

    private static func flat(_ json: JSON, _ path: String) -> [String: String] {
        switch json {
        case .object(let object):
            var all: [String: String] = [:]
            for (name, value) in object.members {
                all.merge(self.flat(value, path.isEmpty ? name : "\(path).\(name)")) { $1 }
            }
            return all
        case .array(let elements):
            return elements.enumerated().reduce(into: [:]) { all, element in
                all.merge(self.flat(element.element, "\(path)[\(element.offset)]")) { $1 }
            }
        case .null: return [path: "null"]
        case .bool(let flag): return [path: flag ? "true" : "false"]
        case .number(let text), .string(let text): return [path: text]
        }
    }
}
