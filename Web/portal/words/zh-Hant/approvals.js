//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Acts that wait for a second person.

export default {
    title: "核准",
    lead: "需兩人核准的操作，第二人核准前不會執行。",
    tried: "無法列出核准項目。",
    which: "類別",
    waiting: "等待中",
    all: "全部",
    none: "沒有等待核准的操作",
    noneEver: "尚無需兩人核准的操作",
    noneText: "超過額度的退款與取消、正式憑證與路由可設定於此等待核准。",
    kind_refund: "退款",
    kind_void: "取消",
    kind_liveCredentials: "正式憑證",
    kind_route: "路由",
    kind_policy: "核准規則",
    askedBy: "申請人 {who}",
    decidedBy: "決定人 {who}",
    captured: "已請款 {amount}",
    refunded: "目前已退款 {amount}",
    alsoWaits_refund: "此筆付款另有一筆退款等待核准：{amount}，申請人 {who}。",
    alsoWaits_void: "此筆付款另有一筆取消等待核准：{amount}，申請人 {who}。",
    ends: "{when}到期",
    approve: "核准",
    reject: "駁回",
    withdraw: "撤回",
    collect: "領取結果",
    yours: "由您提出，須由他人核准。",
    approveTitle: "核准",
    approveSentence: "「{summary}」，由 {who} 提出。將立即執行，並以雙方姓名記入稽核紀錄。",
    rejectTitle: "駁回",
    rejectSentence: "「{summary}」將不會執行。",
    why: "原因",
    whyHint: "申請人會看到。",
    approved: "已核准並執行。",
    rejected: "已駁回，未執行。",
    withdrawn: "已撤回，未執行。",
    wasRefused: "已核准，但無法執行：{detail}",
    wasDeclined: "已核准，但銀行未執行：{reason}。未發生資金移動。",
    isOpen: "已核准並送出，結果未明，將顯示於該筆付款。",
    outcomeFailed: "銀行未執行：{reason}",
    outcomeOpen: "已送出，結果未明",
};
