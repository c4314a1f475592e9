//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts

/// Where listeners listen, each at a place of its own.
extension ServeConfiguration {
    /// That no two listeners want the same port of the same address: the second would find it taken, and the start blame
    /// another program.
    ///
    /// - Throws: ``CommandFailure`` `configuration_value_invalid`, which names both keys.
    static func checkPlaces(_ values: ConfigurationValues) throws(CommandFailure) {
        var places: [(key: ConfigurationKey, host: String, port: Int64)] = []
        let keys: [(host: ConfigurationKey, port: ConfigurationKey)] = [
            (.httpHost, .httpPort), (.httpsHost, .httpsPort), (.adminHost, .adminPort), (.metricsHost, .metricsPort),
        ]
        let hasHTTP = try values.flag(.httpEnabled)
        for (hostKey, portKey) in keys where portKey != .httpPort || hasHTTP {
            // 0 takes a free one.
            guard let port = try values.integer(portKey), port != 0 else { continue }
            let host = try values.required(hostKey)
            if let other = places.first(where: { $0.port == port && Self.collide($0.host, host) }) {
                throw ConfigurationValues.failure(
                    .configurationValueInvalid,
                    "\(other.key.name) and \(portKey.name) must not be the same: both would listen on port \(port) of \(host)."
                )
            }
            places.append((portKey, host, port))
        }
    }

    /// Whether two sockets cannot listen on one port of these. Names are not looked up: each may lead anywhere, but only equal
    /// ones lead to the same for certain.
    private static func collide(_ first: String, _ second: String) -> Bool {
        if first.lowercased() == second.lowercased() { return true }
        let addresses = [IPAddress(first), IPAddress(second)]
        if let address = addresses[0], address == addresses[1] { return true }
        // "::" takes what comes by IPv4, too (RFC 3493, section 5.3).
        if addresses.contains(where: { $0 == Self.anyIPv6 }) { return true }
        return addresses.contains { $0 == Self.anyIPv4 } && addresses.allSatisfy { $0?.isIPv6 != true }
    }

    private static let anyIPv4 = IPAddress("0.0.0.0")
    private static let anyIPv6 = IPAddress("::")
}
