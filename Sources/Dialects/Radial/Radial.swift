//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
public import Payments

/// The wire language of Radial's Payment Service: XML over POST, with a key for each store.
///
/// docs/dialects/radial.md says what is the vendor's and what is this gateway's choice; docs/dialects/radial.xsd has
/// the messages of both directions.
public struct Radial: Dialect {
    public static let dialectName = DialectName("radial")

    /// No request of this dialect is larger; an Apple Pay token has 4 to 8 KiB.
    static let bodyBytesMax = 64 * 1024

    public private(set) var routes: [WireRoute] = []
    let gateway: Gateway
    let authenticator: Authenticator

    public init(gateway: Gateway, limits: CallerLimits = .none) {
        self.gateway = gateway
        self.authenticator = Authenticator(gateway: gateway, dialect: Self.dialectName, limits: limits)
        // Made once: the server looks a route up for every request.
        let handler = self
        self.routes = Endpoint.allCases.map { endpoint in
            WireRoute(
                method: .post, path: PathPattern("/{version}/stores/{storeId}/payments/" + endpoint.rawValue),
                bodyBytesMax: Self.bodyBytesMax
            ) { request, parameters in await handler.handle(request, parameters, endpoint) }
        }
    }

    public var name: DialectName { Self.dialectName }

    public var pathPrefixes: [String] { Self.prefixes }

    /// v1.0 to v3.9: the vendor's documents and clients use v1.0 and its neighbors.
    private static let prefixes = (1...3).flatMap { major in (0...9).map { "/v\(major).\($0)" } }

    /// Besides, everything below "/v…/stores", whatever version: who asks for one that there is not gets a Fault too.
    public func owns(_ path: String) -> Bool {
        let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count >= 3, parts[0].isEmpty, parts[1].hasPrefix("v"), parts[2] == "stores" { return true }
        return self.hasPrefix(of: path)
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        let fault = RadialFault(wire: failure)
        return self.response(fault).explaining(failure).refused(as: WireRefusal(fault.code))
    }
}
