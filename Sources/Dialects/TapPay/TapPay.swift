//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
public import Payments

/// The wire language of TapPay: JSON over POST, amounts in the currency's smallest unit as the bank counts it, business
/// errors with HTTP 200 and a `status` that is not 0.
///
/// It has two sides. The front end (an app, a browser) makes a *prime* of an Apple Pay token; the back end (the
/// merchant's server) pays with the prime and follows the trade up. docs/dialects/tappay.md says what is the vendor's
/// and what is this gateway's choice.
public struct TapPay: Dialect {
    public static let dialectName = DialectName("tappay")

    public private(set) var routes: [WireRoute] = []
    let gateway: Gateway
    let cards: BINTable
    let limits: CallerLimits

    /// - Parameter cards: what cards' first digits say of them.
    public init(gateway: Gateway, cards: BINTable = .standard, limits: CallerLimits = .none) {
        self.gateway = gateway
        self.limits = limits
        self.cards = cards
        // Made once: the server looks a route up for every request.
        self.routes = self.backEndRoutes + self.frontEndRoutes
    }

    public var name: DialectName { Self.dialectName }

    public var pathPrefixes: [String] { ["/tpc"] }
}

extension TapPay {
    /// An unknown path, a wrong method and a body that is too large are reported with the HTTP status of their kind; a
    /// request that took too long with 200, so that clients read that the outcome has to be asked for.
    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        let answer = TapPayFailure(failure)
        let response = Self.response(answer.members, status: Self.status(of: failure)).explaining(failure)
            .refused(as: WireRefusal(answer.code))
        // So that a page can read it.
        return request.path.hasPrefix("/tpc/applepay") ? Self.openedToPages(response) : response
    }

    private static func status(of failure: WireFailure) -> HTTPResponse.Status {
        switch failure {
        case .pathUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .bodyIncomplete: .requestTimeout
        case .timedOut: .ok
        case .overloaded: .serviceUnavailable
        }
    }
}
