//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import StrictJSON

/// An acquirer account as commands show it: of secrets the names alone.
struct AcquirerAccountReport: Sendable {
    let account: AcquirerAccount
    /// The merchant's name.
    let merchant: String

    init(_ account: AcquirerAccount, merchant: String) {
        self.account = account
        self.merchant = merchant
    }

    var json: JSON { .object(self.account.view(merchant: self.merchant)) }

    var cells: [String] {
        [
            self.merchant, self.account.name, self.account.connector.text, self.account.mode.rawValue,
            self.account.state.rawValue, self.account.id.text,
        ]
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        console.line(console.styled("\(self.merchant): acquirer account \(self.account.name)", .title))
        var fields = Fields()
        fields.add("id", self.account.id.text)
        fields.add("connector", self.account.connector.text)
        fields.add("mode", self.account.mode.rawValue)
        fields.add("state", self.account.state.rawValue)
        for (name, value) in self.account.acceptor.values.sorted(by: { $0.key < $1.key }) {
            fields.add("acceptor \(name)", value)
        }
        for (name, value) in self.account.settings.sorted(by: { $0.key < $1.key }) { fields.add(name, value) }
        for name in self.account.secretNames { fields.add(name, "(a secret, not shown)") }
        for line in fields.lines() { console.line(line) }
    }
}

extension ConnectorFinding {
    func write(to console: Console) {
        let mark = self.isGood ? console.styled("good", .good) : console.styled("bad ", .bad)
        console.line("  \(mark)  \(self.subject): \(self.text)")
    }
}
