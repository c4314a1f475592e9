//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// A kind of reference by which a dialect has the store look operations up: one that it writes, or the operation of a claim
/// whose key names what was claimed (``IdempotencyKey/reference``).
public struct ReferenceKind: Sendable {
    /// "txid".
    public let name: String
    private let value: @Sendable (String) -> String?

    /// - Parameter value: the reference's value for what a shop has in hand; `nil` for what cannot be one. Without it, the
    ///   text itself.
    public init(_ name: String, value: @escaping @Sendable (String) -> String? = { $0 }) {
        self.name = name
        self.value = value
    }

    /// What the text is stored as.
    public func value(of text: String) -> String? { self.value(text) }
}

extension AccountPlan {
    /// Every way in which an operation of this dialect may be called so. Each is a look-up by an index, of one merchant's
    /// operations or of all merchants' at once; those of all dialects are one question to a store.
    public func references(_ text: String) -> [PaymentQuery.DialectReference] {
        self.referenceKinds.compactMap { kind in
            kind.value(of: text).map { PaymentQuery.DialectReference(self.dialect, kind: kind.name, value: $0) }
        }
    }
}

extension PaymentQuery.OperationName {
    /// By one of the dialects.
    public static func dialects(_ plans: some Sequence<AccountPlan>, calling text: String) -> Self {
        .dialects(plans.flatMap { $0.references(text) })
    }
}
