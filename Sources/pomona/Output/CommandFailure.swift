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
import StoreRows
import StrictJSON
import WalletSimulator

/// Why a command did not do what it was asked: exit code 1.
///
/// A wrong command line is not one of these: that is a `ValidationError` of the argument parser, exit code 64 (EX_USAGE
/// of sysexits).
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of what failed, in snake case: a ``Code``, or what a room of the house calls it.
    let code: String
    /// Where it failed: a ``Stage``, or a stage of a token's road.
    let stage: String
    /// What was wrong and what to do, without data.
    let message: String
    /// Each thing that was wrong, where a whole file was looked through.
    var problems: [SetupProblem] = []
    /// Which of several acts it was, by a stable name; `nil` where there is one alone.
    var part: String?
    /// The command that does that act by itself.
    var command: String?

    init(_ code: Code, stage: Stage, _ message: String) {
        self.init(of: code.rawValue, stage: stage, message)
    }

    /// - Parameter code: what the room that the failure comes from calls it.
    init(of code: String, stage: Stage, _ message: String) {
        self.init(code: code, stage: stage.rawValue, message: message)
    }

    private init(code: String, stage: String, message: String) {
        self.code = code
        self.stage = stage
        self.message = message
    }

    func isA(_ code: Code) -> Bool { self.code == code.rawValue }

    var description: String { "\(self.code) (\(self.stage)): \(self.message)" }

    var json: JSON {
        var error = JSONObject()
        error["code"] = .string(self.code)
        error["stage"] = .string(self.stage)
        error["message"] = .string(self.message)
        if !self.problems.isEmpty { error["problems"] = .array(self.problems.map(\.json)) }
        error["part"] = self.part.map { .string($0) }
        error["command"] = self.command.map { .string($0) }
        return ["error": .object(error)]
    }
}

extension CommandFailure {
    /// The failure that an error stands for. What is not known by type is reported by its type alone: its text might
    /// carry data.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as TokenError:
            self.init(code: error.code.rawValue, stage: error.stage.rawValue, message: error.message)
        case let error as SimulatorError: self.init(of: error.code.rawValue, stage: .mint, error.message)
        case let error as StoreError: self.init(of: error.stableCode, stage: .store, "\(error).")
        case let error as StoreCopyError: self.init(of: error.code.rawValue, stage: .store, error.message)
        case let error as GatewayRefusal: self.init(error)
        case let error as AdministrationError:
            self.init(of: error.code.rawValue, stage: error.code.stage, error.message)
        case let error as AccountPlanError: self.init(of: error.code.rawValue, stage: .input, error.message)
        case let error as VaultError: self.init(of: error.code.rawValue, stage: .store, "\(error).")
        case let error as MerchantRegistrationFailure:
            self.init(of: "apple_\(error.reason.rawValue)", stage: .onboarding, error.text)
        case let error as AcquirerLinkError:
            self.init(of: "acquirer_\(error.code.text)", stage: .acquirer, "\(error.reason).")
        case let error as JSONError: self.init(of: error.code.rawValue, stage: .input, "\(error).")
        default:
            self.init(
                .unexpected, stage: .internal,
                "Something failed that should not have (\(type(of: error))). Please report it with the command line.")
        }
    }

    private init(_ refusal: GatewayRefusal) {
        if case .token(let error) = refusal {
            self.init(error)
        } else {
            self.init(.refused, stage: .payment, refusal.explanation)
        }
    }
}

extension AdministrationError.Code {
    /// What is looked up is the store's, and what certificates are refused for is said where a merchant is onboarded.
    fileprivate var stage: CommandFailure.Stage {
        switch self {
        case .merchantUnknown, .eventUnknown: .store
        case .certificateOfNeitherKind, .certificateHasNoKey, .keyDoesNotFit, .merchantIdentifierDiffers,
            .certificateExpired, .certificateNotYetValid, .certificateNotOfApple, .certificateUnknown,
            .certificateNotImported, .certificateInUse:
            .onboarding
        default: .administration
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
