//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// An acquirer that performs operations by what another one does.
public protocol WrappedAcquirer: Acquirer {
    var base: any Acquirer { get }
}

extension WrappedAcquirer {
    public var name: AcquirerName { self.base.name }
    public var capabilities: AcquirerCapabilities { self.base.capabilities }

    public func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation { await self.base.prepare(request) }

    public func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { await self.base.query(query) }
}
