//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Server

/// Who is made to wait, and when.
struct CallerSettings: Hashable, Sendable {
    /// Of one address at one account; 0 for any number.
    var credentialFailures = 10
    var rates = MerchantRates.Settings()
    var addresses = AddressRates.Settings()

    /// - Parameter now: nanoseconds of a clock that nobody sets.
    func limits(
        exempt: ClientNetworks, now: @escaping @Sendable () -> Int64, telemetry: CallerTelemetry
    ) -> CallerLimits {
        let report = { @Sendable (event: CallerEvent) in telemetry.record(event) }
        var throttle: CredentialThrottle?
        if self.credentialFailures > 0 {
            throttle = CredentialThrottle(
                settings: CredentialThrottle.Settings(
                    freeFailures: self.credentialFailures, freeFailuresOfAddress: self.credentialFailures * 10),
                exempt: exempt, now: now, report: report)
        }
        return CallerLimits(
            throttle: throttle, rates: MerchantRates(settings: self.rates, now: now, report: report),
            addresses: AddressRates(settings: self.addresses, exempt: exempt, now: now, report: report),
            sessions: SessionRates(exempt: exempt, now: now, report: report))
    }
}
