//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
import StrictJSON
public import WebFiles

/// The wallet for browsers that have none: its script and its API, for pages of any origin. Only ever in a sandbox.
///
/// | method | path | |
/// |---|---|---|
/// | GET | /wallet/FILE | the script |
/// | GET | /wallet/api/cards | cards, and where the simulated Apple is |
/// | POST | /wallet/api/sessions | opens a sheet with a merchant session |
/// | POST | /wallet/api/payments | pays in that sheet: gives a token |
public struct WalletService: WireService {
    public let label = "wallet"
    public let pathPrefixes = ["/wallet"]
    public let routes: [WireRoute]

    /// A merchant session has a signature of some kilobytes.
    private static let bodyBytesMax = 64 * 1024

    public init(files: WebFiles, parts: WalletParts) {
        let wallet = Wallet(parts)
        var routes: [WireRoute] = []
        for (path, bytes) in files.files.sorted(by: { $0.key < $1.key }) where path.hasPrefix("wallet/") {
            routes += StaticFile(name: path, bytes: bytes).routes(at: "/" + path, headers: PageHeaders.shared)
        }
        routes.append(
            WireRoute(method: .get, path: "/wallet/api/cards", bodyBytesMax: 0) { _, _ in
                JSONAnswer.response(await wallet.cards(), headers: PageHeaders.sharedAPI)
            })
        routes.append(
            Self.post("/wallet/api/sessions") { body throws(APIError) in try wallet.checkSession(body) })
        routes.append(Self.post("/wallet/api/payments") { body throws(APIError) in try wallet.pay(body) })
        for (path, methods) in [("cards", "GET"), ("sessions", "POST"), ("payments", "POST")] {
            routes.append(
                WireRoute(method: .options, path: PathPattern("/wallet/api/\(path)"), bodyBytesMax: 0) { _, _ in
                    WireResponse(status: .noContent, headers: PageHeaders.preflight(methods: methods))
                })
        }
        self.routes = routes
    }

    private static func post(
        _ path: PathPattern, _ body: @escaping @Sendable (JSON) throws(APIError) -> JSON
    ) -> WireRoute {
        WireRoute(method: .post, path: path, bodyBytesMax: self.bodyBytesMax) { request, _ in
            await JSONAnswer.answering(headers: PageHeaders.sharedAPI) { () throws(APIError) in
                try body(try JSONAnswer.object(request))
            }
        }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        JSONAnswer.response(to: failure, headers: PageHeaders.sharedAPI)
    }
}
