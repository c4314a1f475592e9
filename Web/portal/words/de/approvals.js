//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Acts that wait for a second person.

export default {
    title: "Freigaben",
    lead: "Vorgänge, die zwei Personen brauchen. Nichts davon geschieht, bis eine zweite Person freigibt.",
    tried: "Die Freigaben ließen sich nicht auflisten.",
    which: "Welche",
    waiting: "Wartend",
    all: "Alle",
    none: "Nichts wartet auf eine zweite Person",
    noneEver: "Noch kein Vorgang brauchte zwei Personen",
    noneText: "Erstattungen über einem Limit und ebenso hohe Aufhebungen, Live-Zugangsdaten und Routen können hier warten.",
    kind_refund: "Erstattung",
    kind_void: "Aufhebung",
    kind_liveCredentials: "Live-Zugangsdaten",
    kind_route: "Routen",
    kind_policy: "Freigaberegel",
    askedBy: "beantragt von {who}",
    decidedBy: "entschieden von {who}",
    captured: "{amount} eingezogen",
    refunded: "{amount} bisher erstattet",
    alsoWaits_refund: "Noch eine Erstattung dieser Zahlung wartet: {amount}, beantragt von {who}.",
    alsoWaits_void: "Auch eine Aufhebung dieser Zahlung wartet: {amount}, beantragt von {who}.",
    ends: "endet {when}",
    approve: "Freigeben",
    reject: "Abweisen",
    withdraw: "Zurückziehen",
    collect: "Ergebnis abholen",
    yours: "Selbst beantragt: jemand anderes gibt es frei.",
    approveTitle: "Freigeben",
    approveSentence: "„{summary}“, beantragt von {who}. Es geschieht sofort und steht mit beiden Namen im Protokoll.",
    rejectTitle: "Abweisen",
    rejectSentence: "„{summary}“ geschieht nicht.",
    why: "Warum",
    whyHint: "Wer es beantragt hat, liest das.",
    approved: "Freigegeben und erledigt.",
    rejected: "Abgewiesen. Nichts ist geschehen.",
    withdrawn: "Zurückgezogen. Nichts ist geschehen.",
    wasRefused: "Freigegeben, und dann nicht möglich: {detail}",
    wasDeclined: "Freigegeben, aber die Bank hat es nicht ausgeführt: {reason}. Kein Geld hat sich bewegt.",
    isOpen: "Freigegeben und gesendet. Der Ausgang ist noch nicht bekannt; die Zahlung zeigt ihn.",
    outcomeFailed: "von der Bank nicht ausgeführt: {reason}",
    outcomeOpen: "gesendet, Ausgang noch nicht bekannt",
};
