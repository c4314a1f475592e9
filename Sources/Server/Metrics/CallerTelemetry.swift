//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Logging
public import Metrics

/// Counts who is made to wait, and logs what an operator should know of. Which account or address it was
/// is the caller's text, and is not logged; a merchant's id is the gateway's own.
public struct CallerTelemetry: Sendable {
    private let factory: any MetricsFactory
    private let logger: Logger

    public init(factory: any MetricsFactory, logger: Logger) {
        self.factory = factory
        self.logger = logger
    }

    public func record(_ event: CallerEvent) {
        switch event {
        case .credentialsWrong(let dialect): self.count("pomona_credentials_wrong", dialect)
        case .lockedOut(let dialect):
            self.count("pomona_credentials_lockouts", dialect)
            self.logger.notice(
                "an address waits for its wrong credentials", metadata: ["dialect": "\(dialect)"])
        case .refused(let dialect): self.count("pomona_credentials_refused", dialect)
        case .guessing(let dialect, let merchant):
            self.count("pomona_credentials_guessing", dialect)
            self.logger.warning(
                "a merchant's credentials are being guessed at",
                metadata: ["dialect": "\(dialect)", "merchant": "\(merchant)"])
        case .rateExceeded(let dialect, _): self.count("pomona_merchant_rate_exceeded", dialect)
        }
    }

    private func count(_ label: String, _ dialect: String) {
        Counter(label: label, dimensions: [("dialect", dialect)], factory: self.factory).increment()
    }
}
