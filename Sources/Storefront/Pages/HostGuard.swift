//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
import Hosts

/// The hosts by whose names a sandbox's pages are served.
///
/// A page of anybody's may have its own name resolve to this machine, and is then of one origin with whatever answers
/// here (DNS rebinding). It cannot change the name that the browser writes into Host.
public struct KnownHosts: Hashable, Sendable {
    private let names: Set<String>

    /// - Parameter names: beside addresses, "localhost" and the names below it, which nobody else can give out
    ///   (RFC 6761, section 6.3).
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.map(Self.plain))
    }

    /// - Parameter authority: what the request's Host says, with or without a port. Browsers always send one.
    public func contains(_ authority: String?) -> Bool {
        guard let authority else { return true }
        guard let place = HostAndPort(authority, allowsUnderscores: true) else { return false }
        let host = Self.plain(place.host)
        return ClientNetwork(host) != nil || host == "localhost" || host.hasSuffix(".localhost")
            || self.names.contains(host)
    }

    private static func plain(_ name: some StringProtocol) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

/// Serves a service's routes by the names of known hosts only.
public struct HostGuard: WireService {
    public let routes: [WireRoute]
    private let base: any WireService

    public init(_ base: any WireService, hosts: KnownHosts) {
        self.base = base
        self.routes = base.routes.map { route in
            WireRoute(method: route.method, path: route.path, bodyBytesMax: route.bodyBytesMax) { request, values in
                guard hosts.contains(request.authority) else { return Self.refusal }
                return await route.handle(request, values)
            }
        }
    }

    public var label: String { self.base.label }

    public var pathPrefixes: [String] { self.base.pathPrefixes }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        await self.base.answer(to: failure, request: request)
    }

    /// RFC 9110, section 15.5.20.
    private static var refusal: WireResponse {
        JSONAnswer.response(
            APIError(
                .misdirectedRequest, "host_unknown",
                "The shop is not served by this name. Open it by its address, by localhost or by this machine's name."))
    }
}
