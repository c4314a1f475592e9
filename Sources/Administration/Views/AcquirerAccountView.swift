//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import StrictJSON

extension AcquirerAccount {
    /// The secrets that it has, by name.
    public var secretNames: [String] { self.secrets.keys.filter { $0 != AccountSeal.secretName }.sorted() }

    /// - Parameter merchant: whose it is, by name.
    public func view(merchant: String) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["merchant"] = .string(merchant)
        object["name"] = .string(self.name)
        object["connector"] = .string(self.connector.text)
        object["mode"] = .string(self.mode.rawValue)
        object["state"] = .string(self.state.rawValue)
        object["acceptor"] = .object(JSONObject(texts: self.acceptor.values))
        object["settings"] = .object(JSONObject(texts: self.settings))
        object["secrets"] = .array(self.secretNames.map { .string($0) })
        return object
    }
}

extension ConnectorCommand {
    public var view: JSON {
        ["name": .string(self.name), "meaning": .string(self.meaning), "dangerous": .bool(self.isDangerous)]
    }
}

extension ConnectorFinding {
    public var view: JSONObject {
        var object = JSONObject()
        object["subject"] = .string(self.subject)
        object["good"] = .bool(self.isGood)
        object["text"] = .string(self.text)
        return object
    }
}

extension JSONObject {
    /// Texts by name, in the order of the names.
    public init(texts: [String: String]) {
        self.init(texts.sorted { $0.key < $1.key }.map { (name: $0.key, value: .string($0.value)) })
    }
}
