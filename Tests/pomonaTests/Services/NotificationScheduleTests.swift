//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Logging
import Testing

@testable import pomona

/// What the gateway takes for the longest wait of any schedule is that of its dialects: what is due later was put there by a
/// wrong clock.
@Suite struct NotificationScheduleTests {
    @Test func theLongestStepIsTheOneThatTheGatewayKnows() async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.hasShop = false
        configuration.logLevel = .error
        let application = try await Application.build(configuration)
        let steps = application.served.dialects.flatMap { $0.retrySchedule.delaysSeconds }
        await application.close()
        #expect(steps.max() == GatewaySettings().notificationStepSecondsMax)
    }
}
