//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Payments

/// A gateway in front of a vendor's stand-in, with a shop that pays through it.
public protocol StandInShop: Sendable {
    func authorize(_ minorUnits: Int64, sale: Bool) async throws -> OperationOutcome
    func capture(_ minorUnits: Int64, of id: PaymentID) async throws -> OperationOutcome
    func refund(_ minorUnits: Int64, of id: PaymentID) async throws -> OperationOutcome
    /// Of an authorization.
    func void(_ id: PaymentID) async throws -> OperationOutcome
}

/// What a gateway asks a stand-in for, with the payment that it follows.
public enum StandInStep: CaseIterable, Sendable {
    case authorization
    case sale
    case capture
    case refund
    case void

    /// What comes before it.
    ///
    /// - Returns: the payment that it follows; `nil` where it opens one.
    public func begin(_ shop: some StandInShop) async throws -> PaymentID? {
        switch self {
        case .authorization, .sale: nil
        case .capture, .void: try await shop.authorize(1000, sale: false).payment.id
        case .refund: try await shop.authorize(1000, sale: true).payment.id
        }
    }

    public func run(_ shop: some StandInShop, _ id: PaymentID?) async throws -> OperationOutcome {
        switch (self, id) {
        case (.capture, let id?): try await shop.capture(1000, of: id)
        case (.refund, let id?): try await shop.refund(300, of: id)
        case (.void, let id?): try await shop.void(id)
        default: try await shop.authorize(1000, sale: self == .sale)
        }
    }
}
