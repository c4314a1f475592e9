//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Redaction
import Synchronization
import Time

/// Makes records: ids and times that count upwards, nothing from a clock, nothing random.
public final class Fixtures: Sendable {
    private let counter = Mutex<UInt64>(0)

    let dialect = DialectName("alphapay")
    let acquirer = AcquirerName("simulator")

    public init() {}

    func number() -> UInt64 {
        self.counter.withLock { counter in
            counter += 1
            return counter
        }
    }

    /// Times a second apart.
    func time() -> Timestamp { Timestamp(milliseconds: 1_750_000_000_000 + Int64(self.number()) * 1000) }

    func bytes(_ count: Int) -> [UInt8] {
        let number = withUnsafeBytes(of: self.number().bigEndian, Array.init)
        let filler = repeatElement(UInt8(0x5A), count: max(0, count - number.count))
        return Array((number + filler).prefix(count))
    }

    func id<Tag>(_ type: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier<Tag>(at: self.time(), random: self.bytes(10))
    }

    func money(_ minorUnits: Int64, _ code: String = "CAD") throws -> Money {
        guard let currency = Currency.alphabetic(code) else { throw StoreError.corrupt("currency of the fixtures") }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    func merchant(mode: Mode = .sandbox) -> Merchant {
        Merchant(
            id: self.id(), name: "merchant\(self.number())", displayName: "Café “Zum Löwen” \(self.number())",
            mode: mode, countryCode: "CA", createdAt: self.time())
    }

    /// The account under which the payments of a merchant of these are made.
    func account(of merchant: Merchant) -> AcquirerAccount {
        AcquirerAccount(
            id: self.accountID(of: merchant.id), merchantID: merchant.id, name: "main", connector: self.acquirer,
            mode: merchant.mode, createdAt: merchant.createdAt)
    }

    func accountID(of merchant: MerchantID) -> AcquirerAccountID {
        AcquirerAccountID(AcquirerAccountTag.prefix + merchant.text.dropFirst(MerchantTag.prefix.count)) ?? self.id()
    }

    /// A card, masked.
    public func instrument() -> InstrumentSummary {
        InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa, expiryYearMonth: "3112",
            eci: "05", displayName: "Visa 1111")
    }

    /// What the verification of its token showed.
    func proof() -> TokenProof {
        TokenProof(
            version: "EC_v1", checks: .max, verifiedAt: self.time(), signedAt: self.time(), anchor: "a1",
            publicKeyHash: "b2", leafDigest: "c3", intermediateDigest: "d4", transactionIdentifier: "e5")
    }

    /// A payment with its authorization pending.
    func payment(
        of merchant: Merchant, minorUnits: Int64 = 1099, isSale: Bool = false, dialect: DialectName? = nil,
        orderID: OrderID? = nil, at now: Timestamp? = nil
    ) throws -> Payment {
        try Payment.opening(
            id: self.id(), merchantID: merchant.id, mode: merchant.mode, dialect: dialect ?? self.dialect,
            acquirer: self.acquirer, accountID: self.accountID(of: merchant.id), orderID: orderID,
            amount: self.money(minorUnits), instrument: self.instrument(),
            authorizationID: self.id(), saleCaptureID: isSale ? self.id() : nil, at: now ?? self.time())
    }

    func order(of merchant: Merchant, paymentID: PaymentID? = nil) throws -> Order {
        Order(
            id: self.id(), merchantID: merchant.id, dialect: self.dialect, reference: "order \(self.number())",
            amount: try self.money(500, "KWD"), summary: "Socks, 2 pairs", notifyURL: nil, merchantIdentifier: nil,
            createdAt: self.time(), expiresAt: self.time(), canceledAt: nil, paymentID: paymentID)
    }

    func keptItem(of merchant: Merchant, expiresAt: Timestamp? = nil) -> KeptItem {
        KeptItem(
            name: KeptItemName(
                merchantID: merchant.id, dialect: self.dialect, kind: "session", id: "SESSION \(self.number())"),
            content: SealedBytes(keyID: "key-1", box: self.bytes(60)), version: 1, createdAt: self.time(),
            expiresAt: expiresAt ?? self.time())
    }

    /// Everything that an acquirer may say.
    func answer() -> AcquirerAnswer {
        AcquirerAnswer(
            reference: "123456789012", authorizationCode: "A1B2C3", responseCode: "05", stan: "000123",
            networkReference: "123456789012345", addressCheck: "Z", securityCodeCheck: "N", fundingPANSuffix: "0042",
            fundingExpiryYearMonth: "3112", paymentAccountReference: "V0010013019339005665779448477",
            merchantAdviceCode: "03", eci: "05", reconciliationID: "20260314",
            acquirerReferenceNumber: "74000006073000000001234", processor: "TW_CTBC",
            authorizationExpiresAt: self.time(), vendorCode: "DECLINED", vendorText: "Nicht genehmigt: \u{20AC}")
    }

    func key(of merchant: Merchant, operation: String = "refund") -> IdempotencyKey {
        IdempotencyKey(
            merchantID: merchant.id, dialect: self.dialect, operation: operation, key: "key \(self.number())")
    }

    func event(about payment: Payment, kind: OutboxEvent.Kind = .authorizationSucceeded) -> OutboxEvent {
        OutboxEvent(
            id: self.id(), merchantID: payment.merchantID, dialect: payment.dialect, kind: kind, paymentID: payment.id,
            operationID: payment.operations.first?.id ?? self.id(), paymentVersion: payment.version,
            target: "https://shop.example/notify?a=1&b=ü", createdAt: self.time())
    }
}
