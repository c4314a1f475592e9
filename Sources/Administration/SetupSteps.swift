//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import StrictJSON

/// A step on the way to a merchant's first payment.
public struct SetupStep: Hashable, Sendable {
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case merchant
        case account
        case acquirer
        case route
        case processingCertificate
        case identityCertificate
        case domain
    }

    /// Who is to do something next.
    public enum Waiting: String, Hashable, Sendable, CaseIterable {
        case nobody
        case `operator`
        /// It has the signing request.
        case apple
    }

    public let name: Name
    /// Whether only payments on web pages need it.
    public let isForWeb: Bool
    /// What is lacking, in the order in which it is best provided.
    public let missing: [MissingPart]

    public var isDone: Bool { self.missing.isEmpty }

    public var waitsFor: Waiting {
        switch self.missing.first {
        case nil: .nobody
        case .processingCertificate, .identityCertificate: .apple
        default: .operator
        }
    }

    public var view: JSON {
        [
            "step": .string(self.name.rawValue), "done": .bool(self.isDone), "forWeb": .bool(self.isForWeb),
            "waitsFor": .string(self.waitsFor.rawValue), "text": .string(self.missing.first?.text ?? ""),
            "parts": .array(self.missing.map { .object($0.view) }),
        ]
    }
}

/// All steps of a merchant, done or not.
public struct SetupSteps: Hashable, Sendable {
    public let steps: [SetupStep]

    /// Whether payments in apps can be taken.
    public var isReady: Bool { self.steps.allSatisfy { $0.isDone || $0.isForWeb } }
    /// Whether payments on web pages can, too.
    public var isReadyForWeb: Bool { self.steps.allSatisfy(\.isDone) }

    public func view(merchant: String) -> JSONObject {
        JSONObject([
            (name: "merchant", value: .string(merchant)), (name: "ready", value: .bool(self.isReady)),
            (name: "readyForWeb", value: .bool(self.isReadyForWeb)),
            (name: "steps", value: .array(self.steps.map(\.view))),
        ])
    }
}

extension Administration {
    /// What is done and what is not, on the way to a merchant's first payment.
    ///
    /// - Throws: `StoreError`.
    public func setupSteps(of merchant: Merchant) async throws -> SetupSteps {
        let missing =
            try await self.missingParts(of: merchant)
            + self.missingPartsForWeb(of: merchant)
        return SetupSteps(
            steps: SetupStep.Name.allCases.map { name in
                SetupStep(
                    name: name, isForWeb: name == .identityCertificate || name == .domain,
                    missing: missing.filter { $0.step == name })
            })
    }
}

extension MissingPart {
    /// To which step it belongs.
    fileprivate var step: SetupStep.Name {
        switch self {
        case .dialectAccount: .account
        case .acquirerAccount, .acquirerResumption: .acquirer
        case .route: .route
        case .processingKey, .processingCertificate, .processingActivation, .processingExpired: .processingCertificate
        case .resumption, .closure: .merchant
        case .identityKey, .identityCertificate, .identityActivation, .identityExpired: .identityCertificate
        case .domain: .domain
        }
    }
}
