//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@testable import pomona

/// A shop's API and the service that its money goes through.
struct MatrixPair: Hashable, Sendable, CustomStringConvertible {
    let dialect: String
    let service: UpstreamService

    var description: String { "\(self.dialect) in, \(self.service.rawValue) out" }

    static let dialects = ["alphapay", "commweb", "payone", "radial", "tappay"]

    static let all = UpstreamService.allCases.flatMap { service in
        Self.dialects.map { MatrixPair(dialect: $0, service: service) }
    }

    /// AlphaPay is paid in Canadian dollars and in nothing else, TapPay in four currencies of which PAYONE's usual one is none.
    var currency: String? {
        switch self.service {
        case .alphapay: "CAD"
        case .tappay where self.dialect != "alphapay": "USD"
        default: nil
        }
    }
}

/// What a cell of the matrix shows.
enum MatrixLaw: String, Hashable, Sendable, CaseIterable {
    /// Taken at once, or by a capture of all.
    case sale
    case captureInParts
    case refund
    case void
    case decline
    /// The service has done it, and its answer never arrives.
    case lostAnswer

    /// Why a cell cannot exist; `nil` for one that does.
    func obstacle(_ pair: MatrixPair) -> String? {
        if pair.service == .payone, !Self.namesNetworks(pair.dialect) {
            return "PAYONE demands the card's network, and \(pair.dialect) requests carry the sealed token without it"
        }
        if pair.service == .tappay, pair.dialect == "alphapay" {
            return "AlphaPay merchants are paid in Canadian dollars, which TapPay does not take"
        }
        if pair.service == .alphapay, pair.dialect == "tappay" {
            return "AlphaPay pays in Canadian dollars, which TapPay merchants do not take"
        }
        if pair.service == .radial, Self.sellsOnly(pair.dialect) {
            return "\(pair.dialect) takes money at once, radial only reserves it"
        }
        switch self {
        case .sale, .refund, .decline, .lostAnswer:
            return Self.sellsOnly(pair.dialect) || !Self.sellsOnly(pair.service.rawValue)
                || Self.canSell(pair.dialect)
                ? nil : "\(pair.service) takes money at once, \(pair.dialect) only reserves it"
        case .captureInParts:
            if Self.sellsOnly(pair.dialect) { return "\(pair.dialect) takes money at once" }
            if pair.dialect == "tappay" { return "a TapPay merchant captures all" }
            if Self.sellsOnly(pair.service.rawValue) { return "\(pair.service) takes money at once" }
            return pair.service == .tappay ? "TapPay captures all" : nil
        case .void:
            if Self.sellsOnly(pair.dialect) { return "\(pair.dialect) gives no authorization back" }
            return Self.sellsOnly(pair.service.rawValue) ? "\(pair.service) takes money at once" : nil
        }
    }

    /// Whether a payment is captured with its authorization, and cannot be only reserved.
    private static func sellsOnly(_ name: String) -> Bool { name == "alphapay" }

    /// Whether its requests say of which network a token is that only the service can open.
    private static func namesNetworks(_ dialect: String) -> Bool { ["alphapay", "payone"].contains(dialect) }

    /// Whether a shop that speaks it can take the money at once.
    private static func canSell(_ dialect: String) -> Bool { dialect != "radial" }
}

/// One cell.
struct MatrixCell: Hashable, Sendable, CustomStringConvertible {
    let pair: MatrixPair
    let law: MatrixLaw

    var description: String { "\(self.pair): \(self.law.rawValue)" }

    static let all = MatrixPair.all.flatMap { pair in MatrixLaw.allCases.map { MatrixCell(pair: pair, law: $0) } }

    static let possible = Self.all.filter { $0.law.obstacle($0.pair) == nil }
}
