//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Settings

/// IPv4 networks, as an account's setting names them: "185.60.20.0/24, 54.246.203.105".
struct SenderNetworks: Sendable {
    private static let prefixLengthMin = 8

    private let networks: [IPNetwork]

    init?(_ text: String) {
        let elements = SettingRules.elements(text)
        self.networks = elements.compactMap { element in
            guard !element.contains(":"), let network = IPNetwork(element), network.startsAtItsAddress else {
                return nil
            }
            return network.prefixLength >= Self.prefixLengthMin ? network : nil
        }
        guard self.networks.count == elements.count else { return nil }
    }

    static let rule: SettingDescription.Rule = { value in
        SenderNetworks(value) == nil
            ? "must be IPv4 addresses or networks such as 185.60.20.0/24, separated by commas" : nil
    }

    /// A sender that is not known is in none.
    func contain(_ address: String?) -> Bool {
        guard let address = address.flatMap(IPAddress.init) else { return false }
        return self.networks.contains { $0.contains(address) }
    }
}
