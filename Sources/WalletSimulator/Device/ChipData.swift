//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Time

/// `emvData`: what a chip would answer to GENERATE AC, as BER-TLV (EMV Book 3, annex A and B).
struct ChipData {
    let request: PaymentRequest
    let random: RandomSource
    let time: CivilTime

    func bytes() throws(SimulatorError) -> [UInt8] {
        let amount = try ChipData.packedDecimal(String(self.request.amountMinorUnits), digits: 12)
        let currency = try ChipData.packedDecimal(self.request.currencyCode, digits: 4)
        let date = try ChipData.packedDecimal(self.time.shortDate, digits: 6)
        let counter = self.random.bytes(2)
        let fields: [(tag: [UInt8], value: [UInt8])] = [
            ([0x9F, 0x26], self.random.bytes(8)),  // Application cryptogram
            ([0x9F, 0x27], [0x80]),  // Cryptogram information: ARQC, to be authorized online
            ([0x9F, 0x10], [0x06, 0x01, 0x0A, 0x03, 0xA0, 0x00, 0x00]),  // Issuer application data
            ([0x9F, 0x37], self.random.bytes(4)),  // Unpredictable number
            ([0x9F, 0x36], counter),  // Application transaction counter
            ([0x95], [0x00, 0x00, 0x00, 0x00, 0x00]),  // Terminal verification results
            ([0x9A], date),  // Transaction date
            ([0x9C], [0x00]),  // Transaction type: purchase
            ([0x9F, 0x02], amount),  // Amount, authorized
            ([0x5F, 0x2A], currency),  // Transaction currency code
            ([0x82], [0x20, 0x00]),  // Application interchange profile
            ([0x9F, 0x1A], [0x08, 0x40]),  // Terminal country code
            ([0x9F, 0x03], [0x00, 0x00, 0x00, 0x00, 0x00, 0x00]),  // Amount, other
            ([0x9F, 0x33], [0xE0, 0xB0, 0xC8]),  // Terminal capabilities
            ([0x9F, 0x34], [0x1F, 0x03, 0x02]),  // Cardholder verification method results: on the device
            ([0x5F, 0x34], [0x00]),  // PAN sequence number
        ]
        return fields.flatMap { $0.tag + [UInt8($0.value.count)] + $0.value }
    }

    /// Two digits a byte, padded with zeros on the left (EMV format "n").
    private static func packedDecimal(_ text: String, digits: Int) throws(SimulatorError) -> [UInt8] {
        let values = text.utf8.map { $0 - 0x30 }
        guard values.count <= digits else {
            throw SimulatorError(
                .amountOutOfRange, "chip data holds amounts of up to 12 digits: ask for less, or for 3-D Secure data")
        }
        let padded = Array(repeating: 0, count: digits - values.count) + values
        return stride(from: 0, to: digits, by: 2).map { padded[$0] << 4 | padded[$0 + 1] }
    }
}
