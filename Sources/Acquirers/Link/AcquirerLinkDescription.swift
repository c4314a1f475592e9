//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import StrictJSON

/// What an acquirer at the other end of a link is called and can do.
public struct AcquirerLinkDescription: Hashable, Sendable {
    public let name: AcquirerName
    public let capabilities: AcquirerCapabilities

    public init(name: AcquirerName, capabilities: AcquirerCapabilities) {
        self.name = name
        self.capabilities = capabilities
    }

    init(_ reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.name = AcquirerName(try reader.text("name"))
        let instrument: AcquirerCapabilities.Instrument = try reader.choice("instrument")
        var networks: Set<CardNetwork> = []
        for text in try reader.texts("networks") {
            guard let network = CardNetwork(rawValue: text) else { throw LinkViolation("bad_networks") }
            networks.insert(network)
        }
        self.capabilities = AcquirerCapabilities(
            instrument: instrument, answersQueries: try reader.flag("answersQueries"), networks: networks,
            adjustsAuthorizations: try reader.flag("adjustsAuthorizations"),
            verifiesCards: try reader.flag("verifiesCards"))
        try reader.end()
    }

    /// Always the same bytes for the same description: both sides prove them.
    var json: JSON {
        [
            "name": .string(self.name.text), "instrument": .string(self.capabilities.instrument.rawValue),
            "networks": .array(self.capabilities.networks.map(\.rawValue).sorted().map(JSON.string)),
            "answersQueries": .bool(self.capabilities.answersQueries),
            "adjustsAuthorizations": .bool(self.capabilities.adjustsAuthorizations),
            "verifiesCards": .bool(self.capabilities.verifiesCards),
        ]
    }
}
