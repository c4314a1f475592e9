//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// Which connections go when there is no room.
@Suite struct ConnectionTableTests {
    private let table = ConnectionTable(connectionsMax: 100, perNetworkMax: 100)

    private func admit(_ channels: [EmbeddedChannel]) throws -> [ConnectionTable.Place] {
        try channels.map { channel in
            guard case .taken(let place, nil) = self.table.admit(channel) else { throw Full() }
            return place
        }
    }

    private struct Full: Error {}

    private func same(_ left: [any Channel], _ right: ArraySlice<EmbeddedChannel>) -> Bool {
        left.map { ObjectIdentifier($0) } == right.map { ObjectIdentifier($0) }
    }

    @Test func makesRoomOfThoseThatHaveWaitedLongest() throws {
        let channels = (0..<10).map { _ in EmbeddedChannel() }
        _ = try self.admit(channels)
        #expect(self.same(self.table.takeLongestWaiting(untilClosing: 4), channels[0..<4]))
        #expect(self.table.count == 6)
    }

    @Test func countsThoseThatCloseAlready() throws {
        let channels = (0..<10).map { _ in EmbeddedChannel() }
        let places = try self.admit(channels)
        #expect(self.same(self.table.takeLongestWaiting(untilClosing: 4), channels[0..<4]))
        #expect(self.table.takeLongestWaiting(untilClosing: 4).isEmpty)
        self.table.remove(places[0])
        #expect(self.same(self.table.takeLongestWaiting(untilClosing: 4), channels[4..<5]))
    }

    @Test func leavesTheNewerHalf() throws {
        let channels = (0..<5).map { _ in EmbeddedChannel() }
        let places = try self.admit(channels)
        #expect(self.same(self.table.takeLongestWaiting(untilClosing: 16), channels[0..<3]))
        self.table.beginWork(places[3])
        #expect(self.same(self.table.takeLongestWaiting(untilClosing: 16), channels[4..<5]))
        #expect(self.table.takeLongestWaiting(untilClosing: 16).isEmpty)
    }
}
