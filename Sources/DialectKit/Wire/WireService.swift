//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes

/// Something that answers requests: a dialect, or pages beside the dialects.
///
/// The server looks a request up with ``match(method:path:)``, reads the body up to the route's bound, and calls the
/// route; whatever goes wrong before that, the service answers in its own shape with ``answer(to:request:)``.
public protocol WireService: Sendable {
    /// For logs and metrics.
    var label: String { get }
    /// Each pair of method and path stands here once.
    var routes: [WireRoute] { get }
    /// The paths under which every request is this service's, also one that fits no route: "/api/v2.0/payments". No two
    /// services share one; "/" takes what no service before it owns.
    var pathPrefixes: [String] { get }

    /// Whether "a//b/" is "a/b", as the vendor's own servers have it. Unless the service says so, it is not.
    var mergesSlashes: Bool { get }

    /// Whether every request of a path is this service's. Unless the service says more, a path that lies under one of its
    /// prefixes, by whole segments.
    func owns(_ path: String) -> Bool

    /// The answer to a request that reached no route, or whose route did not come to its end.
    ///
    /// The request's body may be empty or cut.
    func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse
}

/// Why a request reached no route, or why its route was given up.
public enum WireFailure: Hashable, Sendable {
    case pathUnknown
    /// The path is known, the method not.
    case methodNotAllowed(allowed: [HTTPRequest.Method])
    /// The body is longer than the route takes.
    case bodyTooLarge(bytesMax: Int)
    /// The body did not arrive in time or in full. Nothing has been begun.
    case bodyIncomplete
    /// The route took too long. What it has begun goes on, and its outcome can be asked for.
    case timedOut
    /// There are too many requests at once, or the server is about to stop. Nothing has been begun.
    case overloaded

    /// What HTTP calls it, for services whose answers have no shape of their own.
    public var status: HTTPResponse.Status {
        switch self {
        case .pathUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .bodyIncomplete: .badRequest
        case .timedOut: .gatewayTimeout
        case .overloaded: .serviceUnavailable
        }
    }
}

extension WireResponse {
    /// With the headers that HTTP wants with a failure, whatever the body: which methods there are (RFC 9110, section
    /// 15.5.6), or when to try again.
    public func explaining(_ failure: WireFailure) -> WireResponse {
        var response = self
        switch failure {
        case .methodNotAllowed(let allowed):
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        case .overloaded: response.headers[.retryAfter] = "1"
        case .pathUnknown, .bodyTooLarge, .bodyIncomplete, .timedOut: break
        }
        return response
    }
}

/// One entry of a service.
public struct WireRoute: Sendable {
    public let method: HTTPRequest.Method
    public let path: PathPattern
    public let bodyBytesMax: Int
    /// Never throws: whatever happens has an answer in the service's shape.
    public let handle: @Sendable (WireRequest, RouteParameters) async -> WireResponse

    public init(
        method: HTTPRequest.Method, path: PathPattern, bodyBytesMax: Int,
        handle: @escaping @Sendable (WireRequest, RouteParameters) async -> WireResponse
    ) {
        self.method = method
        self.path = path
        self.bodyBytesMax = bodyBytesMax
        self.handle = handle
    }
}

/// What a service has for a method and a path.
public enum RouteMatch: Sendable {
    case route(WireRoute, RouteParameters)
    case methodNotAllowed([HTTPRequest.Method])
    case pathUnknown
}

extension WireService {
    public var mergesSlashes: Bool { false }

    public func owns(_ path: String) -> Bool {
        self.hasPrefix(of: self.mergesSlashes ? PathPattern.mergingSlashes(path) : path)
    }

    /// Whether a path lies under one of the service's prefixes, by whole segments.
    public func hasPrefix(of path: String) -> Bool {
        let path = path.utf8
        let solidus = UInt8(ascii: "/")
        return self.pathPrefixes.contains { prefix in
            let prefix = prefix.utf8
            guard path.starts(with: prefix) else { return false }
            return path.count == prefix.count || prefix.last == solidus
                || path[path.index(path.startIndex, offsetBy: prefix.count)] == solidus
        }
    }

    /// The route for a method and a path; a path fits the first pattern that takes it.
    public func match(method: HTTPRequest.Method, path: String) -> RouteMatch {
        var allowed: [HTTPRequest.Method] = []
        let parts = PathPattern.split(path, mergesSlashes: self.mergesSlashes)
        for route in self.routes {
            guard let parameters = route.path.match(parts) else { continue }
            if route.method == method { return .route(route, parameters) }
            allowed.append(route.method)
        }
        return allowed.isEmpty ? .pathUnknown : .methodNotAllowed(allowed)
    }

    /// The answer to a request that has been read wholly: looks up the route, checks its bound, and calls it.
    public func respond(to request: WireRequest) async -> WireResponse {
        switch self.match(method: request.method, path: request.path) {
        case .route(let route, let parameters):
            guard request.body.count <= route.bodyBytesMax else {
                return await self.answer(to: .bodyTooLarge(bytesMax: route.bodyBytesMax), request: request)
            }
            return await route.handle(request, parameters)
        case .methodNotAllowed(let allowed):
            return await self.answer(to: .methodNotAllowed(allowed: allowed), request: request)
        case .pathUnknown: return await self.answer(to: .pathUnknown, request: request)
        }
    }
}
