//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import ApplePayToken
import DialectKit
import Gateway
import Payments
import StrictJSON
import WalletSimulator

/// Why a command did not do what it was asked: exit code 1.
///
/// A wrong command line is not one of these: that is a `ValidationError` of the argument parser, exit code 64 (EX_USAGE
/// of sysexits).
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of what failed, in snake case.
    let code: String
    /// Where it failed: a stage of the token's road, or input, data_directory, store, mint, ledger, payment, demo.
    let stage: String
    /// What was wrong and what to do, without data.
    let message: String

    init(_ code: String, stage: String, _ message: String) {
        self.code = code
        self.stage = stage
        self.message = message
    }

    var description: String { "\(self.code) (\(self.stage)): \(self.message)" }

    var json: JSON {
        [
            "error": [
                "code": .string(self.code), "stage": .string(self.stage), "message": .string(self.message),
            ]
        ]
    }
}

extension CommandFailure {
    /// The failure that an error stands for. What is not known by type is reported by its type alone: its text might
    /// carry data.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as TokenError:
            self.init(error.code.rawValue, stage: error.stage.rawValue, error.message)
        case let error as SimulatorError: self.init(error.code.rawValue, stage: "mint", error.message)
        case let error as StoreError: self.init(error.stableCode, stage: "store", "\(error).")
        case let error as StoreCopyError: self.init(error.code.rawValue, stage: "store", error.message)
        case let error as GatewayRefusal: self.init(error)
        case let error as OnboardingError: self.init(error.code.rawValue, stage: "onboarding", error.message)
        case let error as AdministrationError:
            self.init(error.code.rawValue, stage: "administration", error.message)
        case let error as AccountPlanError: self.init(error.code.rawValue, stage: "input", error.message)
        case let error as VaultError: self.init(error.code.rawValue, stage: "store", "\(error).")
        case let error as AcquirerLinkError:
            self.init("acquirer_\(error.code.text)", stage: "acquirer", "\(error.reason).")
        case let error as JSONError: self.init(error.code.rawValue, stage: "input", "\(error).")
        default:
            self.init(
                "unexpected", stage: "internal",
                "Something failed that should not have (\(type(of: error))). Please report it with the command line.")
        }
    }

    private init(_ refusal: GatewayRefusal) {
        if case .token(let error) = refusal {
            self.init(error)
        } else {
            self.init("refused", stage: "payment", refusal.explanation)
        }
    }
}

extension StoreError {
    fileprivate var stableCode: String {
        switch self {
        case .duplicate: "store_duplicate"
        case .conflict: "store_conflict"
        case .dataKeyGone: "store_data_key_gone"
        case .corrupt: "store_corrupt"
        case .unavailable: "store_unavailable"
        }
    }
}
