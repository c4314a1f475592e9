//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Countries
import DialectKit
import Foundation
import HTTPTypes
import Money
import Payments
import StrictJSON

extension AdminEndpoints {
    static let catalog: [Endpoint] = [
        Endpoint(
            method: .get, path: "/catalog", name: "getCatalog",
            summary: "What there is to choose from: forms are made from it.", group: "System", scope: .merchantsRead,
            answer: .named("Catalog")
        ) { call in
            Answer(call.catalog)
        }
    ]
}

extension Call {
    fileprivate var catalog: JSONObject {
        var object = JSONObject()
        object["dialects"] = .array(self.house.plans.map(AdminEndpoints.view))
        object["connectors"] = .array(self.administration.connectors.map(AdminEndpoints.view))
        object["countries"] = Self.texts(Country.alpha2Codes)
        object["currencies"] = .array(
            Currency.all.sorted { $0.code < $1.code }.map {
                ["code": .string($0.code), "digits": JSON($0.exponent)]
            })
        object["roles"] = .array(
            Role.allCases.map { role in
                [
                    "role": .string(role.rawValue), "sandboxOnly": .bool(role.changesSandboxOnly),
                    "scopes": .array(role.scopes.sorted().map { .string($0.rawValue) }),
                ]
            })
        object["signInProviders"] = .array(
            self.house.site.providers.map {
                ["name": .string($0.name), "label": .string($0.label), "issuer": .string($0.issuer)]
            })
        object["scopes"] = .array(Scope.allCases.map { .string($0.rawValue) })
        object["timeZones"] = Self.zones
        object["networks"] = Self.words(CardNetwork.self)
        object["paymentStates"] = Self.words(PaymentState.self)
        object["operationKinds"] = Self.words(PaymentOperation.Kind.self)
        object["eventKinds"] = Self.words(OutboxEvent.Kind.self)
        object["eventStates"] = Self.words(OutboxEvent.State.self)
        object["refusalStages"] = Self.words(RefusedCall.Stage.self)
        object["declineReasons"] = Self.words(DeclineReason.self)
        object["settlementVerdicts"] = Self.words(SettlementItem.Verdict.self)
        object["settlementDecisions"] = Self.words(SettlementResolution.Decision.self)
        object["settlementMappings"] = .array(SettlementMapping.known.map { .string($0.name) })
        return object
    }

    /// Those in which a merchant's days may begin.
    private static let zones: JSON = .array(
        (["UTC"] + TimeZone.knownTimeZoneIdentifiers.sorted()).filter { ReportZone($0) != nil }.map { .string($0) })

    private static func texts(_ texts: some Sequence<String>) -> JSON { .array(texts.sorted().map { .string($0) }) }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> JSON {
        .array(Word.allCases.map { .string($0.rawValue) })
    }
}
