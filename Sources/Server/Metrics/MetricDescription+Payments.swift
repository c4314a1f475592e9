//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension MetricDescription {
    /// All of them.
    public static let all =
        Self.payments + Self.alarms + Self.requests + Self.refusals + Self.connections + Self.process

    private static let payments = [
        MetricDescription(
            "pomona_operations_total", .counter, .payments, labels: ["dialect", "kind", "result", "mode"],
            "What was asked of the acquirer, by how it ended: succeeded, declined, accepted, not_processed, unknown, reversed.",
            alerts: [
                Alert(
                    "PomonaOutcomesUnknown", .warning,
                    "sum(rate(pomona_operations_total{result=\"unknown\"}[10m])) / "
                        + "sum(rate(pomona_operations_total[10m])) > 0.02",
                    for: "5m", "More than 2 % of what is asked of acquirers gets no answer.",
                    "See which acquirer is slow or cannot be reached: pomona doctor."),
                Alert(
                    "PomonaNotProcessed", .warning,
                    "sum(rate(pomona_operations_total{result=\"not_processed\"}[10m])) / "
                        + "sum(rate(pomona_operations_total[10m])) > 0.05",
                    for: "10m", "More than 5 % of what is asked of acquirers is not processed.",
                    "See whether the link or the acquirers' hosts can be reached: pomona doctor."),
            ]),
        MetricDescription(
            "pomona_operations_unknown", .gauge, .payments,
            "Operations of which it is not known now how they ended.",
            alerts: [
                Alert(
                    "PomonaOperationsUnknown", .critical, "max(pomona_operations_unknown) > 0", for: "5m",
                    "Operations have had no known end for minutes; they may have moved money.",
                    "pomona doctor names the oldest; what no acquirer says, a person decides: pomona payments resolve.")
            ]),
        MetricDescription(
            "pomona_recoveries_total", .counter, .payments, labels: ["kind"],
            "Unknown operations that recovery has ended."),
        MetricDescription(
            "pomona_card_data_deleted_total", .counter, .payments,
            "Payments whose card data connectors need no longer, and that has been deleted."),
        MetricDescription(
            "pomona_recoveries_waiting", .gauge, .payments,
            "Operations that only the acquirer's report or an operator can end, and whose report is late; up to 1000.",
            alerts: [
                Alert(
                    "PomonaRecoveriesWaiting", .warning, "max(pomona_recoveries_waiting) > 0",
                    for: "30m", "Operations wait for an acquirer's report or for an operator.",
                    "Look them up in the acquirer's portal: docs/operations.md, \"An operation whose end nobody knows\"."
                )
            ]),
        MetricDescription(
            "pomona_notices_not_booked_total", .counter, .payments,
            "What acquirers report, and answer, that contradicts the books. Each is a line of the log, too.",
            alerts: [
                Alert(
                    "PomonaNoticeNotBooked", .critical, "increase(pomona_notices_not_booked_total[15m]) > 0", for: "0m",
                    "An acquirer has reported or answered something that the books cannot hold.",
                    "Compare the payment that the log names with the acquirer's portal.")
            ]),
        MetricDescription(
            "pomona_planned_captures_given_up_total", .counter, .payments,
            "Planned captures that have used up their tries. Each is a line of the log, too.",
            alerts: [
                Alert(
                    "PomonaPlannedCaptureGivenUp", .critical,
                    "increase(pomona_planned_captures_given_up_total[15m]) > 0", for: "0m",
                    "A planned capture was declined or not sent in all its tries: its authorization will lapse.",
                    "Capture the payment that the log names by hand, or void it: pomona payments capture.")
            ]),
        MetricDescription(
            "pomona_webhooks_pending", .gauge, .payments,
            "Events that merchants have not taken yet and that are sent again.",
            alerts: [
                Alert(
                    "PomonaWebhooksPending", .warning, "max(pomona_webhooks_pending) > 1000", for: "15m",
                    "More than 1000 events wait for merchants' servers.",
                    "See whose server does not take them: pomona webhooks list --state pending.")
            ]),
        MetricDescription(
            "pomona_webhooks_dead", .gauge, .payments,
            "Events that are not sent any more; see `pomona webhooks list --state dead`.",
            alerts: [
                Alert(
                    "PomonaWebhooksDead", .warning, "max(pomona_webhooks_dead) > max(pomona_webhooks_dead offset 15m)",
                    for: "0m", "Events were given up: a merchant's server took none of their tries.",
                    "Mend the merchant's side, and send them again: pomona webhooks resend --dead.")
            ]),
        MetricDescription(
            "pomona_acquirer_link_state", .gauge, .payments, labels: ["state"],
            "1 for the state that the link to the acquirer is in: connected, signed_off, connecting, unreachable, refused.",
            alerts: [
                Alert(
                    "PomonaAcquirerLinkDown", .critical,
                    "sum without (state) (pomona_acquirer_link_state{state=~\"connected|signed_off\"}) == 0", for: "1m",
                    "The link to the acquirer is down: nothing can be authorized through it.",
                    "See that its process runs, that the way to it is open and that both ends have one secret."),
                Alert(
                    "PomonaAcquirerSignedOff", .warning, "max(pomona_acquirer_link_state{state=\"signed_off\"}) == 1",
                    for: "15m", "The acquirer's process is signed off: payments take their next route or none.",
                    "Have it sign on when it may take operations again: pomona acquirer do … sign-on."),
            ]),
        MetricDescription(
            "pomona_certificate_days_left", .gauge, .payments, in: .days,
            labels: ["merchant", "purpose", "certificate"],
            "Days until a certificate ends, negative after that, by merchant, purpose and the key's first digits."),
        MetricDescription(
            "pomona_certificate_ending", .gauge, .payments, labels: ["merchant", "purpose", "certificate"],
            "How close a certificate's end is by its own life, as pomona doctor says: 0 far, 1 notice, 2 warning, 3 failure.",
            alerts: [
                Alert(
                    "PomonaCertificateEnds", .warning,
                    "max by (merchant, purpose, certificate) (pomona_certificate_ending) >= 2", for: "1h",
                    "A certificate ends within 30 days, or has a quarter of a shorter life left.",
                    "Renew it: pomona certificate csr; tls.certificateFile for purpose=\"server\"."),
                Alert(
                    "PomonaCertificateEndsSoon", .critical,
                    "max by (merchant, purpose, certificate) (pomona_certificate_ending) >= 3", for: "10m",
                    "A certificate ends within 14 days, or has a ninth of a shorter life left, and payments end with it.",
                    "Renew it now: pomona certificate csr; tls.certificateFile for purpose=\"server\"."),
            ]),
    ]

    private static let alarms = [
        MetricDescription(
            "pomona_alarms", .gauge, .alarms, labels: ["kind", "severity"],
            "Alarms that stand; see `pomona alarms list`.",
            alerts: [
                Alert(
                    "PomonaAlarm", .critical, "max by (kind) (pomona_alarms{severity=\"failure\"}) > 0", for: "0m",
                    "Something is wrong that keeps payments from being taken.", "pomona alarms list; pomona doctor."),
                Alert(
                    "PomonaAlarmWarning", .warning, "max by (kind) (pomona_alarms{severity=\"warning\"}) > 0",
                    for: "0m", "Something needs an operator.", "pomona alarms list; pomona doctor."),
            ]),
        MetricDescription(
            "pomona_alarm_messages_total", .counter, .alarms, labels: ["result"],
            "Tries to notify the operator of an alarm, by whether the server at alarms.url took the message: taken, failed.",
            alerts: [
                Alert(
                    "PomonaOperatorNotNotified", .warning,
                    "sum(increase(pomona_alarm_messages_total{result=\"failed\"}[30m])) > 0 unless "
                        + "sum(increase(pomona_alarm_messages_total{result=\"taken\"}[30m])) > 0",
                    for: "10m", "The server at alarms.url takes no messages.",
                    "See what the log says of \"operator not notified\".")
            ]),
    ]
}
