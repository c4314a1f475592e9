//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What happens to a node from outside, between two steps of whatever is under way.
extension World {
    private enum Interruption: CaseIterable {
        case crash, stall, clockForward, clockBackward
    }

    func planInterruption() {
        guard let gap = self.weather.interruptionGap else { return }
        self.scheduler.interrupt(afterSteps: self.draw { Int.random(in: gap, using: &$0) }) {
            self.interrupt()
            self.planInterruption()
        }
    }

    private func interrupt() {
        let (index, kind) = self.draw { random in
            (
                Int.random(in: 0..<1_000_000, using: &random),
                Interruption.allCases.randomElement(using: &random) ?? .crash
            )
        }
        guard let process = self.process(index % self.nodesCount), process.isAlive else { return }
        switch kind {
        case .crash: self.crash(process)
        case .stall: self.stall(process)
        case .clockForward: self.stepClock(of: process, by: self.number(in: 1...120_000), .clockForward)
        case .clockBackward: self.stepClock(of: process, by: -self.number(in: 1...120_000), .clockBackward)
        }
    }

    private func crash(_ process: NodeProcess) {
        self.strike(.nodeCrash, process.name)
        process.end()
        self.scheduler.release(process.executor)
        Task(executorPreference: self.outside) {
            guard (try? await self.sleep(milliseconds: 100...20_000)) != nil else { return }
            await self.boot(process.index)
        }
    }

    /// While it stands still leases run out, recovery comes by, and answers that it waits for arrive.
    private func stall(_ process: NodeProcess) {
        self.strike(.nodeStall, process.name)
        self.scheduler.hold(process.executor)
        Task(executorPreference: self.outside) {
            try? await self.sleep(milliseconds: 100...90_000)
            self.scheduler.release(process.executor)
            self.note("\(process.name) goes on")
        }
    }

    private func stepClock(of process: NodeProcess, by milliseconds: Int64, _ fault: SimulatedFault) {
        self.strike(fault, "\(process.name) by \(milliseconds) ms")
        self.state.withLock { $0.clockOffsets[process.index] += milliseconds }
    }

    /// Nothing goes wrong any more: all nodes are up, and their clocks are right.
    func calmDown() async {
        self.scheduler.cancelInterruption()
        self.state.withLock { state in
            state.weather = .calm
            state.clockOffsets = state.clockOffsets.map { _ in 0 }
            state.workersAreOn = false
        }
        self.note("the weather is calm")
        // Whatever is on its way arrives, whoever stands still goes on, whoever is down comes up.
        try? await self.scheduler.sleep(milliseconds: 600_000)
    }
}
