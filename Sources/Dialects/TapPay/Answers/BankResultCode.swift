//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

extension Payment {
    /// `bank_result_code` of an operation: what the bank has answered (ISO 8583:1987, field 39). Of what came to nothing after
    /// it was approved acquirers often report a reason and no code: then it is that of the reason, for the approval's would
    /// say that it stands.
    func bankResultCode(of operation: Operation?) -> String {
        guard let operation else { return "" }
        if let code = operation.answer.responseCode { return code }
        guard self.end(of: operation) != nil, case .failed(.declined(let reason)) = operation.state else { return "" }
        return reason.responseCode
    }
}
