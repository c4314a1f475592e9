//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
public import Payments

/// The wire language of PAYONE's Server API, channel "post-gateway": a form in, `key=value` lines or JSON out, always
/// with HTTP status 200; and TransactionStatus notifications.
///
/// docs/dialects/payone.md says what is the vendor's and what is this gateway's choice.
public struct PAYONE: Dialect {
    public static let dialectName = DialectName("payone")

    /// The same request has the same answer for ever, and another one with its number is refused.
    public static let namingClaims: Set<String> = [Self.sequenceOperation]

    /// A token has 4 to 8 KiB; a basket of some hundred articles comes on top of it.
    static let bodyBytesMax = 256 * 1024

    public private(set) var routes: [WireRoute] = []
    let gateway: Gateway
    let limits: CallerLimits

    public init(gateway: Gateway, limits: CallerLimits = .none) {
        self.gateway = gateway
        self.limits = limits
        // Made once: the server looks a route up for every request. Some clients append the request's name to the path;
        // it is the parameter that decides.
        let handler = self
        let paths: [PathPattern] = ["/post-gateway/", "/post-gateway", "/post-gateway/{request}"]
        self.routes = paths.map { path in
            WireRoute(method: .post, path: path, bodyBytesMax: Self.bodyBytesMax) { request, _ in
                await handler.handle(request)
            }
        }
    }

    public var name: DialectName { Self.dialectName }

    public var pathPrefixes: [String] { ["/post-gateway"] }

    /// Reported like every error, with HTTP status 200: clients read the body only.
    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        var language = CustomerLanguage.fallback
        var name: RequestName?
        // Not when overloaded: to read the form would be more work than the request was refused for.
        if failure != .overloaded, let form = try? ReceivedForm(request) {
            language = CustomerLanguage(of: form) ?? .fallback
            name = try? form.requestName()
        }
        let error = PAYONEError(failure)
        return Answer(error, language, of: name).response(ReplyFormat(of: request)).explaining(failure)
            .refused(as: WireRefusal(error.code))
    }
}
