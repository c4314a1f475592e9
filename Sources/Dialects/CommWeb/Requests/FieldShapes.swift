//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import StrictJSON

extension RequestFields {
    /// The fields with a value of their own. The token is not among them: what is wrong with it is reported where it is
    /// read.
    static let valuePaths: Set<String> = Set(
        [
            "agreement.id", "agreement.type", "apiOperation", "correlationId", "order.id",
            "order.amount", "order.currency", "order.walletProvider",
            "order.certainty", "order.acceptPartialAmount", "order.reference", "order.description",
            "order.statementDescriptor.name", "order.notificationUrl", "transaction.id", "transaction.amount",
            "transaction.currency",
            "transaction.source", "transaction.reference", SubsequentFields.targetPath, "posTerminal.location",
            "responseControls.sensitiveData", "session.id", "session.version", "session.authenticationLimit",
            "sourceOfFunds.type", CardFields.numberPath, CardFields.securityCodePath, CardFields.cryptogramPath,
            CardFields.prefix + "expiry.month", CardFields.prefix + "expiry.year", CardFields.prefix + "nameOnCard",
            CardFields.devicePrefix + "cryptogramFormat", CardFields.devicePrefix + "eciIndicator",
            CardFields.nestedPrefix + "onlinePaymentCryptogram", CardFields.nestedPrefix + "eciIndicator",
        ]
            + ContactFields.paths + DeviceFields.limits.map { "device." + $0.name })

    /// The objects that those stand in.
    private static let objectPaths: Set<String> = Set(Self.valuePaths.flatMap(Self.ancestors))

    /// Refuses an object where a value belongs, and a value where an object does. Nobody reads such a field, so that
    /// it would be as if it were left out: a REFUND would give back another capture than the client meant.
    func checkShapes() throws(CommWebError) {
        // Where a value stands at its own path there is nothing to refuse: usually that is so of all.
        for (path, value) in self.sorted.reveal()
        where path != CardFields.tokenPath && !Self.valuePaths.contains(path) {
            if Self.objectPaths.contains(path) {
                throw .invalid(path, "must be an object, and is \(value.kind)")
            }
            if let valuePath = Self.ancestors(of: path).first(where: Self.valuePaths.contains) {
                throw .invalid(valuePath, "must be a value, and is an object")
            }
        }
    }

    /// "a.b.c" is under "a.b" and "a".
    private static func ancestors(of path: String) -> [String] {
        var ancestors: [String] = []
        var rest = path[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            ancestors.append(String(rest))
        }
        return ancestors
    }
}
