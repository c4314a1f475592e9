//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is done to the processes and to what surrounds them.
public enum ChaosFault: String, CaseIterable, Sendable {
    case killGateway = "kill-gateway"
    case killAcquirer = "kill-acquirer"
    case killDatabase = "kill-database"
    case stopDatabase = "stop-database"
    case killAll = "kill-all"
    case freezeGateway = "freeze-gateway"
    case freezeAcquirer = "freeze-acquirer"
    case freezeDatabase = "freeze-database"
    case acquirerWeather = "acquirer-weather"
    case acquirerDuplicates = "acquirer-duplicates"
    case databaseWeather = "database-weather"
    case diskFull = "disk-full"
    case clockStep = "clock-step"
    case killService = "kill-service"
    case freezeService = "freeze-service"
    case serviceWeather = "service-weather"
    case noticesWeather = "notices-weather"
    case killPrimary = "kill-primary"
    case freezePrimary = "freeze-primary"
    case killStandby = "kill-standby"
    case freezeStandby = "freeze-standby"
    case cutStandbys = "cut-standbys"
    case freezeEtcd = "freeze-etcd"
    case switchOver = "switch-over"
    case killBalancer = "kill-balancer"

    var title: String {
        switch self {
        case .killGateway: "kill -9 of a gateway"
        case .killAcquirer: "kill -9 of the acquirer"
        case .killDatabase: "kill -9 of PostgreSQL"
        case .stopDatabase: "immediate stop of PostgreSQL"
        case .killAll: "kill -9 of everything at once"
        case .freezeGateway: "SIGSTOP of a gateway"
        case .freezeAcquirer: "SIGSTOP of the acquirer"
        case .freezeDatabase: "SIGSTOP of PostgreSQL"
        case .acquirerWeather: "cuts, delays and garbage towards the acquirer"
        case .acquirerDuplicates: "messages sent twice towards and from the acquirer"
        case .databaseWeather: "cuts and delays towards PostgreSQL"
        case .diskFull: "the store's disk full"
        case .clockStep: "a gateway's clock set, and set back"
        case .killService: "kill -9 of the service"
        case .freezeService: "SIGSTOP of the service"
        case .serviceWeather: "cuts and delays towards the service"
        case .noticesWeather: "cuts and delays towards the gateways' side for notices"
        case .killPrimary: "kill -9 of the primary's machine"
        case .freezePrimary: "SIGSTOP of the primary's machine"
        case .killStandby: "kill -9 of the synchronous standby's machine"
        case .freezeStandby: "SIGSTOP of the synchronous standby's machine"
        case .cutStandbys: "the primary cut off from all standbys"
        case .freezeEtcd: "SIGSTOP of all of etcd"
        case .switchOver: "an operator's switchover"
        case .killBalancer: "kill -9 of the balancer before the gateways"
        }
    }

    /// Whether a run on a store can do it.
    func isFor(_ store: ChaosSettings.Store) -> Bool {
        switch self {
        case .killDatabase, .stopDatabase: store != .sqlite
        case .freezeDatabase, .databaseWeather: store == .postgresql
        case .diskFull: store != .replicated
        case .killPrimary, .freezePrimary, .killStandby, .freezeStandby, .cutStandbys, .freezeEtcd, .switchOver,
            .killBalancer:
            store == .replicated
        default: true
        }
    }

    /// Whether it needs a payment service behind the gateways.
    var needsService: Bool {
        switch self {
        case .killService, .freezeService, .serviceWeather, .noticesWeather: true
        default: false
        }
    }

    /// Whether it needs ``FaultShim``.
    var needsShim: Bool { self == .diskFull || self == .clockStep }

    /// Whether it kills something.
    var isKill: Bool {
        switch self {
        case .killGateway, .killAcquirer, .killDatabase, .stopDatabase, .killAll, .killService, .killPrimary,
            .killStandby, .killBalancer:
            true
        default: false
        }
    }

    /// Whether it leaves all processes running, so that another fault may befall them meanwhile.
    var isSurrounding: Bool {
        switch self {
        case .acquirerWeather, .acquirerDuplicates, .databaseWeather, .clockStep, .serviceWeather, .noticesWeather: true
        default: false
        }
    }
}
