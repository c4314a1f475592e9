//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A JSON object that is written by the dotted paths of its values, as the references of acquirers name them:
/// "order.amount".
public struct JSONFields: Sendable {
    public private(set) var object = JSONObject()

    public init() {}

    public init(_ json: JSON) {
        self.object = json.object ?? JSONObject()
    }

    /// Sets a value; `nil` sets nothing, so that no empty object is left behind.
    public mutating func set(_ path: String, _ value: JSON?) {
        guard let value else { return }
        Self.set(path.split(separator: ".")[...], value, in: &self.object)
    }

    public mutating func set(_ path: String, _ text: String?) {
        self.set(path, text.map { JSON.string($0) })
    }

    public var json: JSON { .object(self.object) }

    private static func set(_ path: ArraySlice<Substring>, _ value: JSON, in object: inout JSONObject) {
        guard let first = path.first else { return }
        let name = String(first)
        guard path.count > 1 else {
            object[name] = value
            return
        }
        var inner = object[name]?.object ?? JSONObject()
        self.set(path.dropFirst(), value, in: &inner)
        object[name] = .object(inner)
    }
}

extension JSON {
    /// The value at a dotted path.
    public subscript(path path: String) -> JSON? {
        path.split(separator: ".").reduce(Optional(self)) { json, name in json?[String(name)] }
    }
}
