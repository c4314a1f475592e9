//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import TestGateway

/// A driver that reads AlphaPay wrongly, or repeats requests as others: what a broken dialect looks like to the suite.
struct SpoiledDriver: DialectDriver {
    let base = AlphaPayDriver()
    var reading: @Sendable (DialectAnswer) -> DialectAnswer = { $0 }
    var repeating: @Sendable (WireRequest, DialectShop) throws -> WireRequest = { request, shop in
        try AlphaPayDriver().renewed(request, in: shop)
    }
    var wrapping: @Sendable (any Dialect) -> any Dialect = { $0 }
    var noticing: @Sendable (DialectNotice) -> DialectNotice = { $0 }
    var acknowledgement: (status: Int, body: String) = AlphaPayDriver().acknowledgement
    var placeholders: [TranscriptPlaceholder] = AlphaPayDriver().placeholders

    var lacks: [DialectCapability: String] { self.base.lacks }
    var currency: Currency { self.base.currency }
    var foreignCurrency: Currency { self.base.foreignCurrency }
    var unknownPaths: [String] { self.base.unknownPaths }
    var unknownMethods: [HTTPRequest.Method] { self.base.unknownMethods }
    var unacknowledged: [String] { self.base.unacknowledged }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) throws -> any Dialect {
        self.wrapping(self.base.makeDialect(gateway, limits: limits))
    }

    var provesEachRequest: Bool { self.base.provesEachRequest }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await self.base.addMerchant(to: test, name: name)
    }

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        try await self.base.request(call, in: shop)
    }

    func client(in shop: DialectShop) throws -> AlphaPayClient { try self.base.client(in: shop) }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        self.reading(try self.base.read(response, to: request, of: call, in: shop))
    }

    func renewed(_ request: WireRequest, in shop: DialectShop) throws -> WireRequest {
        try self.repeating(request, shop)
    }

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        try self.base.withWrongCredentials(request, in: shop)
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        try await self.base.conflicting(with: request, of: call, in: shop)
    }

    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView {
        try self.base.view(of: late, payment, in: shop)
    }

    func read(_ delivered: Delivered, in shop: DialectShop) throws -> DialectNotice {
        self.noticing(try self.base.read(delivered, in: shop))
    }
}
