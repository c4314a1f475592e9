//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension MetricDescription {
    static let requests = [
        MetricDescription(
            "pomona_http_requests_total", .counter, .requests, labels: ["dialect", "route", "method", "status"],
            "Requests answered, by dialect, route, method and status.",
            alerts: [
                Alert(
                    "PomonaServerErrors", .critical,
                    "sum(rate(pomona_http_requests_total{status=~\"5..\"}[5m])) / "
                        + "sum(rate(pomona_http_requests_total[5m])) > 0.01",
                    for: "5m", "More than 1 % of the requests end in a fault of the gateway's.",
                    "See /readyz and the log: the store, the disk, the load.")
            ]),
        MetricDescription(
            "pomona_http_request_duration_seconds", .histogram, .requests, in: .seconds, labels: ["dialect", "route"],
            "Time from the end of a request's head to its answer.",
            alerts: [
                Alert(
                    "PomonaSlow", .warning,
                    "histogram_quantile(0.99, sum by (le, dialect) "
                        + "(rate(pomona_http_request_duration_seconds_bucket[10m]))) > 10",
                    for: "10m", "One request in a hundred takes more than 10 seconds.",
                    "Compare with the acquirers' own times, and see whether the store is slow.")
            ]),
        MetricDescription(
            "pomona_http_requests_in_flight", .gauge, .requests,
            "Requests being worked on when the last one was answered."),
        MetricDescription(
            "pomona_http_requests_shed_total", .counter, .requests, labels: ["reason"],
            "Requests refused before they were begun: too many at once (requests), too much in unfinished bodies (bodies), or "
                + "the store takes too long (store).",
            alerts: [
                Alert(
                    "PomonaRequestsShed", .critical, "sum by (reason) (rate(pomona_http_requests_shed_total[5m])) > 0",
                    for: "5m", "Requests are turned away unseen.",
                    "reason=\"store\": see the store and its disk. Else start more nodes, or raise limits.requests.")
            ]),
        MetricDescription(
            "pomona_http_unfinished_body_bytes", .gauge, .requests, in: .bytes,
            "Bytes in the bodies of unfinished requests when the last one was answered."),
    ]

    static let refusals = [
        MetricDescription(
            "pomona_refusals_total", .counter, .refusals, labels: ["dialect", "operation", "code"],
            "Calls refused, by dialect, operation and the dialect's code, whatever the HTTP status was."),
        MetricDescription(
            "pomona_refusals_dropped_total", .counter, .refusals,
            "Refused calls that were not recorded, because too many came at once.",
            alerts: [
                Alert(
                    "PomonaRefusalsDropped", .warning, "rate(pomona_refusals_dropped_total[5m]) > 0", for: "10m",
                    "More calls are refused than are recorded: somebody sends many that are wrong.",
                    "See whose they are: pomona refusals list.")
            ]),
        MetricDescription(
            "pomona_credentials_wrong_total", .counter, .refusals, labels: ["dialect"],
            "Requests whose credentials were wrong, by dialect."),
        MetricDescription(
            "pomona_credentials_lockouts_total", .counter, .refusals, labels: ["dialect"],
            "How often an address has begun to wait for wrong credentials, by dialect."),
        MetricDescription(
            "pomona_credentials_refused_total", .counter, .refusals, labels: ["dialect"],
            "Requests refused unseen while their address had to wait, by dialect."),
        MetricDescription(
            "pomona_credentials_guessing_total", .counter, .refusals, labels: ["dialect"],
            "How often a merchant's account saw many wrong credentials, by dialect.",
            alerts: [
                Alert(
                    "PomonaCredentialsGuessing", .warning,
                    "sum by (dialect) (increase(pomona_credentials_guessing_total[10m])) > 0", for: "0m",
                    "Somebody guesses at a merchant's credentials.",
                    "The log names the merchant; replace its credentials if they may be known.")
            ]),
        MetricDescription(
            "pomona_merchant_rate_exceeded_total", .counter, .refusals, labels: ["dialect"],
            "Requests refused because their merchant asks too often, by dialect."),
        MetricDescription(
            "pomona_sign_ins_total", .counter, .refusals, labels: ["result"],
            "Sign-ins of people to the administration, by what became of them.",
            alerts: [
                Alert(
                    "PomonaSignInGuessing", .warning, "increase(pomona_sign_ins_total{result=\"lockedOut\"}[10m]) > 0",
                    for: "0m", "Somebody was locked out of the administration by wrong passwords or codes.",
                    "The audit log names the person and the address. Whoever has forgotten his is let in by pomona person reset."
                )
            ]),
    ]

    static let connections = [
        MetricDescription(
            "pomona_http_connections", .gauge, .connections,
            "Open connections when the last one was opened or closed."),
        MetricDescription(
            "pomona_http_connections_refused_total", .counter, .connections, labels: ["reason"],
            "Connections closed as soon as they came: too many from their address (address), or no room and all others at work "
                + "(full)."),
        MetricDescription(
            "pomona_http_connections_cut_total", .counter, .connections, labels: ["reason"],
            "Connections closed because they took too long over the TLS handshake (handshake), a request's head (head) or "
                + "reading an answer (answer), or because they waited and others needed the room (room)."),
        MetricDescription(
            "pomona_http_accept_failures_total", .counter, .connections,
            "Connections that could not be taken, for want of file descriptors mostly.",
            alerts: [
                Alert(
                    "PomonaConnectionsNotTaken", .critical, "rate(pomona_http_accept_failures_total[5m]) > 0",
                    for: "1m", "Connections cannot be taken.",
                    "Raise the hard limit of file descriptors (LimitNOFILE), or start more nodes.")
            ]),
    ]

    static let process = [
        MetricDescription(
            "process_cpu_seconds_total", .counter, .process, in: .seconds, "User and system CPU time in seconds."),
        MetricDescription("process_open_fds", .gauge, .process, "Open file descriptors."),
        MetricDescription(
            "process_resident_memory_bytes", .gauge, .process, in: .bytes, "Resident memory in bytes.",
            alerts: [
                Alert(
                    "PomonaMemory", .warning, "process_resident_memory_bytes{job=~\"pomona.*\"} > 4e9", for: "15m",
                    "A gateway takes more than 4 GB of memory.",
                    "See how many requests and connections it has; start it anew once it has drained.")
            ]),
        MetricDescription(
            "process_start_time_seconds", .gauge, .process, in: .moment,
            "Start of the process since the epoch in seconds.",
            alerts: [
                Alert(
                    "PomonaRestarts", .critical, "changes(process_start_time_seconds{job=~\"pomona.*\"}[15m]) > 2",
                    for: "0m", "A gateway ends and is started again and again.", "See the last lines of its log.")
            ]),
    ]
}
