//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

extension TapPay {
    /// How many trades are looked at for the filters that the store does not know.
    private static let searchedMax = 20_000

    /// A page of trade records. On the last page `status` is 2, "End of list": the vendor's way to end a loop.
    func query(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let request = try QueryRequest(reading: call.body)
        for id in request.filters.merchantIDs { try await self.check(merchantID: id, of: call.merchant) }
        let found = try await self.find(request, call.merchant)
        let pagesCount = (found.totalCount + request.recordsPerPage - 1) / request.recordsPerPage
        let isLast = request.page + 1 >= pagesCount
        var answer = TapPayFailure(isLast ? .endOfList : .success, found.remark).members
        answer["records_per_page"] = JSON(request.recordsPerPage)
        answer["page"] = JSON(request.page)
        answer["total_page_count"] = JSON(pagesCount)
        answer["number_of_transactions"] = JSON(found.totalCount)
        var records: [JSON] = []
        for payment in found.payments { records.append(.object(try await self.record(payment, call.merchant))) }
        answer["trade_records"] = .array(records)
        return answer
    }

    private struct Found {
        var payments: [Payment]
        var totalCount: Int
        var remark: String?
    }

    private func find(_ request: QueryRequest, _ merchant: MerchantContext) async throws(TapPayFailure) -> Found {
        let filters = request.filters
        if !filters.appIDs.isEmpty, !filters.appIDs.contains(merchant.accountKey) {
            return Found(payments: [], totalCount: 0)
        }
        if let reference = filters.recTradeID.map(TradeReference.recTradeID)
            ?? filters.bankTransactionID.map(TradeReference.bankTransactionID)
        {
            let named = try await self.named(reference, merchant).filter(filters.accept)
            return Found(payments: request.page == 0 ? named : [], totalCount: named.count)
        }
        var query = filters.query(dialect: self.name, order: request.order)
        let offset = request.page * request.recordsPerPage
        if filters.isStoreOnly {
            query.offset = offset
            query.limit = request.recordsPerPage
            let page = try await self.page(query, merchant)
            return Found(payments: page.items.map(\.payment), totalCount: page.totalCount)
        }
        query.to = min(query.to ?? .distantFuture, self.gateway.now().adding(milliseconds: 1))
        let searched = try await self.search(
            query, merchant, CountedPage(offset: offset, limit: request.recordsPerPage), filters)
        let isCut = searched.count >= Self.searchedMax
        return Found(
            payments: searched.sum.elements, totalCount: searched.sum.totalCount,
            remark: isCut ? "Only \(Self.searchedMax) trades were looked at; narrow filters > time." : nil)
    }

    private func named(
        _ reference: ReferenceName, _ merchant: MerchantContext
    ) async throws(TapPayFailure) -> [Payment] {
        do throws(GatewayRefusal) {
            return [try await self.gateway.operation(.reference(reference), merchant: merchant).payment]
        } catch .paymentNotFound {
            return []
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    private func page(
        _ query: PaymentQuery, _ merchant: MerchantContext
    ) async throws(TapPayFailure) -> PaymentPage {
        do throws(GatewayRefusal) {
            return try await self.gateway.payments(query, merchant: merchant)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    private func search(
        _ query: PaymentQuery, _ merchant: MerchantContext, _ page: CountedPage<Payment>, _ filters: TradeFilters
    ) async throws(TapPayFailure) -> (sum: CountedPage<Payment>, count: Int) {
        do throws(GatewayRefusal) {
            return try await self.gateway.sum(of: query, max: Self.searchedMax, merchant: merchant, from: page) {
                if filters.accept($1) { $0.add($1) }
            }
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    /// A trade record.
    func record(_ payment: Payment, _ merchant: MerchantContext) async throws(TapPayFailure) -> JSONObject {
        let capture = payment.standingCapture
        var capturedAt = capture?.occurredAt
        if capturedAt == nil, payment.state == .authorized { capturedAt = try await self.captureDueAt(of: payment) }
        let settings = AccountSettings(merchant)
        let authorization = payment.authorization
        let standing = authorization.map(OperationStanding.init)
        let originalUnits = payment.amount.wireUnits
        var record = JSONObject()
        record["rec_trade_id"] = .string(payment.recTradeID)
        record["auth_code"] = .string(authorization?.answer.authorizationCode ?? "")
        record["merchant_id"] = .string(payment.label(LabelField.merchantID) ?? "")
        record["merchant_name"] = .string(merchant.merchant.displayName)
        record["app_name"] = .string(settings.appName)
        record["time"] = payment.createdAt.millisJSON
        record["amount"] = JSON(originalUnits - payment.releasedUnits - payment.givenBackUnits)
        record["refunded_amount"] = JSON(payment.givenBackUnits)
        record["original_amount"] = JSON(originalUnits)
        record["record_status"] = JSON(RecordStatus(payment.state).rawValue)
        record["bank_transaction_id"] = .string(payment.label(LabelField.bankTransactionID) ?? "")
        record["bank_order_number"] = .string(authorization?.answer.reference ?? "")
        // When it was captured or will be; 0 where that is not planned.
        record["cap_millis"] = JSON(capturedAt?.milliseconds ?? 0)
        record["is_captured"] = .bool(capture != nil)
        record["bank_transaction_start_millis"] = (authorization?.begunAt ?? payment.createdAt).millisJSON
        record["bank_transaction_end_millis"] = (authorization?.occurredAt ?? payment.createdAt).millisJSON
        record["bank_result_code"] = .string(payment.bankResultCode(of: authorization))
        record["bank_result_msg"] = .string(standing?.bankMessage ?? "")
        record["partial_card_number"] = .string(payment.partialCardNumber)
        record["payment_method"] = .string(payment.paymentMethod)
        record["details"] = .string(authorization?.labels.memo ?? "")
        record["cardholder"] = [
            "phone_number": .string(payment.label(LabelField.cardholderPhoneNumber) ?? ""),
            "name": .string(payment.label(LabelField.cardholderName) ?? ""),
            "email": .string(payment.label(LabelField.cardholderEmail) ?? ""),
            "member_id": .string(payment.label(LabelField.cardholderMemberID) ?? ""),
        ]
        record["currency"] = .string(payment.amount.currency.code)
        record["merchant_reference_info"] = self.referenceInfo(payment, merchant)
        record["three_domain_secure"] = false
        record["pay_by_instalment"] = false
        record["pay_by_redeem"] = false
        record["order_number"] = .string(payment.label(LabelField.orderNumber) ?? "")
        record["card_identifier"] = .string(Self.cardIdentifier(of: payment))
        record["card_info"] = self.backEndCardInfo(payment, withExpiry: false)
        record["is_rba_verified"] = false
        return record
    }
}

extension Timestamp {
    /// The end of the year 9999.
    fileprivate static let distantFuture = Timestamp(milliseconds: 253_402_300_799_999)
}
