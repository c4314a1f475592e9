//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
import Money
import Payments
public import StrictJSON

extension PossibleActs {
    /// For each act what it can take, or as `refused` the rule that refuses it, or "notOffered".
    public var view: JSONObject {
        var object = JSONObject()
        object["capture"] = self.capture.view { capture in
            [
                "upTo": .string(capture.upTo.decimalText), "inParts": .bool(capture.isInParts),
                "mayBeFinal": .bool(capture.mayBeFinal),
            ]
        }
        object["void"] = self.void.view { void in
            [
                "operation": .string(void.operation.text), "sale": .bool(void.isSale),
                "amount": .string(void.amount.decimalText),
            ]
        }
        object["refund"] = self.refund.view { refund in
            [
                "upTo": .string(refund.upTo.decimalText), "inParts": .bool(refund.isInParts),
                "total": .string(refund.total.decimalText),
                "captures": .array(
                    refund.captures.map { left in
                        ["capture": .string(left.capture.text), "left": .string(left.left.decimalText)]
                    }),
            ]
        }
        return object
    }
}

extension PossibleActs.Possibility {
    fileprivate func view(_ write: (Bounds) -> JSON) -> JSON {
        switch self {
        case .possible(let bounds): write(bounds)
        case .refused(let refusal): ["refused": .string(refusal.rawValue)]
        case .notOffered: ["refused": "notOffered"]
        }
    }
}

extension OperationOutcome {
    /// What an operator's act has come to.
    ///
    /// - Parameter merchant: whose payment it is, by name.
    public func view(merchant: String) -> JSONObject {
        var object = JSONObject()
        object["operation"] = .object(self.operation.view)
        object["payment"] = .object(self.payment.summaryView(merchant: merchant))
        object["repeated"] = .bool(self.isRepeat)
        return object
    }
}
