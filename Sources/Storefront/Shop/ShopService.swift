//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
import StrictJSON
public import WebFiles

/// The demo shop: its pages at "/" and "/shop", its server, and the inbox of its notifications. Only ever in a sandbox.
///
/// | method | path | |
/// |---|---|---|
/// | GET | /, /shop/FILE | pages |
/// | GET | /shop/api/config | payment services, products |
/// | POST | /shop/api/merchant-session | a merchant session through a payment service |
/// | POST | /shop/api/orders | an order |
/// | POST | /shop/api/orders/{id}/pay, capture, refund, void | what is done with it |
/// | GET | /shop/api/orders/{id}/exchange?after=N | what happened since |
/// | POST | /shop/notifications/{dialect} | where payment services send notifications |
public struct ShopService: WireService {
    public let label = "shop"
    public let pathPrefixes = ["/shop", "/"]
    public let routes: [WireRoute]

    private static let bodyBytesMax = 64 * 1024

    public init(files: WebFiles, parts: ShopParts) {
        let shop = Shop(parts)
        self.routes = Self.pages(files) + Self.api(shop) + [Self.inbox(shop)]
    }

    private static func pages(_ files: WebFiles) -> [WireRoute] {
        files.files.sorted { $0.key < $1.key }.filter { $0.key.hasPrefix("shop/") }.flatMap { path, bytes in
            let file = StaticFile(name: path, bytes: bytes)
            let root = path == "shop/index.html" ? file.routes(at: "/", headers: PageHeaders.page) : []
            return root + file.routes(at: "/" + path, headers: PageHeaders.page)
        }
    }

    private static func api(_ shop: Shop) -> [WireRoute] {
        var routes = [
            WireRoute(method: .get, path: "/shop/api/config", bodyBytesMax: 0) { _, _ in
                JSONAnswer.response(shop.config())
            },
            self.post("/shop/api/merchant-session") { body, _ throws(APIError) in
                try await shop.merchantSession(body)
            },
            self.post("/shop/api/orders") { body, _ throws(APIError) in try await shop.order(body) },
            self.post("/shop/api/orders/{id}/pay") { body, id throws(APIError) in try await shop.pay(id, body) },
            WireRoute(method: .get, path: "/shop/api/orders/{id}", bodyBytesMax: 0) { _, values in
                await JSONAnswer.answering { () throws(APIError) in try await shop.standing(values["id"] ?? "") }
            },
            WireRoute(method: .get, path: "/shop/api/orders/{id}/exchange", bodyBytesMax: 0) { request, values in
                await JSONAnswer.answering { () throws(APIError) in
                    try await shop.exchange(values["id"] ?? "", after: try Self.after(request.query))
                }
            },
        ]
        for operation in [ShopOperation.capture, .refund, .void] {
            routes.append(
                self.post(PathPattern("/shop/api/orders/{id}/\(operation.rawValue)")) { _, id throws(APIError) in
                    try await shop.follow(operation, id)
                })
        }
        return routes
    }

    /// Takes JSON only, so that a page of another origin cannot have a browser post here (Fetch, "CORS-safelisted
    /// request-header").
    private static func post(
        _ path: PathPattern, _ body: @escaping @Sendable (JSON, _ id: String) async throws(APIError) -> JSON
    ) -> WireRoute {
        WireRoute(method: .post, path: path, bodyBytesMax: self.bodyBytesMax) { request, values in
            await JSONAnswer.answering { () throws(APIError) in
                guard MediaType.isUTF8(request.headers[.contentType] ?? "", "application/json") else {
                    throw APIError(
                        .unsupportedMediaType, "not_json", "The body must be JSON, with Content-Type application/json.")
                }
                return try await body(try JSONAnswer.object(request), values["id"] ?? "")
            }
        }
    }

    private static func after(_ query: String?) throws(APIError) -> Int {
        guard let query, !query.isEmpty else { return 0 }
        guard query.hasPrefix("after="), let number = Int(query.dropFirst(6)), number >= 0 else {
            throw .malformed("The query must be after=N with a whole number.")
        }
        return number
    }

    private static func inbox(_ shop: Shop) -> WireRoute {
        WireRoute(method: .post, path: "/shop/notifications/{dialect}", bodyBytesMax: self.bodyBytesMax) {
            request, values in
            await shop.take(request, from: values["dialect"] ?? "")
        }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        JSONAnswer.response(to: failure)
    }
}
