//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import TestGateway
import Testing

@testable import Services

/// Where acquirers report what has become of payments. What its answers are over HTTP, `AcquirerNoticeTests` shows.
struct AcquirerNoticeServiceTests {
    @Test(arguments: [
        "/acquirers/bank/notices", "/acquirers//notices", "/acquirers/acc_01M7YRCW0HRMMTHEQKHE6Y9WF6/notices",
    ])
    func nobodyElsesAccountHasAnAddress(path: String) async throws {
        let service = AcquirerNoticeService(gateway: try await TestGateway.open().gateway)
        let answer = await service.respond(to: WireRequest(method: .post, path: path, body: Array("{}".utf8)))
        #expect(answer.status == .notFound)
    }

    /// What is not answered with success is sent again.
    @Test(arguments: WireFailure.everyCase) func noFailureIsASuccess(failure: WireFailure, status: Int) async throws {
        let service = AcquirerNoticeService(gateway: try await TestGateway.open().gateway)
        let answer = await service.answer(
            to: failure, request: WireRequest(method: .post, path: "/acquirers/bank/notices"))
        #expect(answer.status.code == status)
    }
}
