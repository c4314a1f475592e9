//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import StrictJSON
import TestGateway
import TestUpstream
import Testing

/// The suite for real sandboxes, run against another Pomona in the services' place: that it works, and that it finds
/// what is wrong.
@Suite struct ExerciseTests {
    private static func report(
        _ service: RealService, change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> (SandboxRun.Report, file: SandboxFile, second: SecondPomona) {
        let second = try await SecondPomona.open(service)
        let (report, file) = try await second.gateway.serving { port in
            var json = try second.file(port: port).object ?? JSONObject()
            change(&json)
            let file = try SandboxFile(.object(json))
            // A machine that has much to do is no service that can't be reached.
            let limits = UpstreamLimits(connectMilliseconds: 60_000)
            let report = try await UpstreamClient.withoutDeadline(limits: limits).closed { client in
                await SandboxRun(service: service, file: file, client: client, surroundings: second.surroundings)
                    .report()
            }
            return (report, file)
        }
        return (report, file, second)
    }

    @Test(arguments: RealService.allCases) func suiteGoesItsWay(_ service: RealService) async throws {
        let (report, _, second) = try await Self.report(service)
        #expect(report.problems.isEmpty)
        #expect(report.steps.isSuperset(of: [.check, .wrongCredentials, .pay, .refundBeyond, .refund]))
        let sums = try await second.sums()
        #expect(sums.captured == 35_000)
        #expect(sums.refunded == sums.captured)
    }

    @Test(arguments: RealService.allCases) func credentialsAreTheConnectors(_ service: RealService) async throws {
        let second = try await SecondPomona.open(service)
        let client = UpstreamClient.withoutDeadline()
        let names = service.connector(client, second.surroundings).secrets.map(\.name)
        await client.shutdown()
        #expect(Set(service.credentials).isSubset(of: names))
    }

    /// Each step is taken at some service, and so is each belief looked at.
    @Test func allStepsAreTaken() async throws {
        var steps: Set<SandboxStep> = []
        for service in RealService.allCases { steps.formUnion(try await Self.report(service).0.steps) }
        #expect(steps == Set(SandboxStep.allCases))
    }

    @Test(arguments: RealService.allCases) func nothingConfidentialIsPrinted(_ service: RealService) async throws {
        let (report, file, _) = try await Self.report(service)
        let text = (report.lines + report.problems).joined(separator: "\n")
        #expect(file.confidential.count >= 5)
        for secret in file.confidential { #expect(!text.contains(secret)) }
    }

    @Test(arguments: RealService.allCases) func wrongCredentialsAreAProblemAndNothingIsPaid(
        _ service: RealService
    ) async throws {
        let (report, _, second) = try await Self.report(service) { json in
            let secrets = json["secrets"]?.object?.members ?? []
            json["secrets"] = .object(
                JSONObject(
                    secrets.map { ($0.name, .string(WrongCredential.instead(of: $0.value.string ?? ""))) }))
        }
        #expect(!report.problems.isEmpty)
        #expect(!report.steps.contains(.pay))
        #expect(try await second.gateway.test.payments().isEmpty)
    }

    @Test(arguments: RealService.allCases) func serviceThatAnswersNothingIsAProblem(
        _ service: RealService
    ) async throws {
        let second = try await SecondPomona.open(service)
        let report = try await StubUpstream.with(StubUpstream.noAnswer) { stub, client in
            let file = try SandboxFile(try second.file(port: stub.port))
            return await SandboxRun(service: service, file: file, client: client, surroundings: second.surroundings)
                .report()
        }
        #expect(!report.problems.isEmpty)
        #expect(report.steps == [.check])
    }

    /// A token that has paid pays nothing more: the suite says so instead of going on.
    @Test(arguments: RealService.allCases) func tokenThatWasUsedIsAProblem(_ service: RealService) async throws {
        let (report, _, _) = try await Self.report(service) { json in
            guard let first = json["payments"]?.array?.first else { return }
            json["payments"] = .array([first, first])
        }
        let isTaken = service == .alphapay
        #expect(report.problems.isEmpty == isTaken)
    }
}
