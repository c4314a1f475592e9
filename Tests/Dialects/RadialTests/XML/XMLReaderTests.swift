//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import Radial

@Suite struct XMLReaderTests {
    /// A document as the elements read from it: "a[x=1](b'text')".
    static func outline(_ element: XMLElement) -> String {
        let attributes = element.attributes.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
        let children = element.children.map(self.outline).joined(separator: ",")
        return element.name + (attributes.isEmpty ? "" : "[\(attributes)]")
            + (element.text.isEmpty ? "" : "'\(element.text)'") + (children.isEmpty ? "" : "(\(children))")
    }

    static func code(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> XMLError.Code? {
        do throws(XMLError) {
            _ = try XMLReader.read(bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("<a/>", "a"), ("<a></a>", "a"), ("  \n<a />\t", "a"), ("<a>x</a>", "a'x'"), ("<a.b-c_1/>", "a.b-c_1"),
        ("<?xml version='1.0'?><a/>", "a"), ("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a/>", "a"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?><a/>", "a"),
        ("<?xml version=\"1.0\" standalone='no'?><a/>", "a"), ("\u{FEFF}<a/>", "a"),
        ("<a><b>1</b><c/><b>2</b></a>", "a(b'1',c,b'2')"), ("<a>1<b/>2</a>", "a'12'(b)"),
        ("<a>&lt;&gt;&amp;&apos;&quot;</a>", "a'<>&'\"'"), ("<a>&#65;&#x42;&#x1F34E;</a>", "a'AB🍎'"),
        ("<a x='1' y=\"2\"/>", "a[x=1,y=2]"), ("<a x = '1'></a >", "a[x=1]"), ("<a x='a&amp;b\"'/>", "a[x=a&b\"]"),
        ("<a x='1\n2\t3'/>", "a[x=1 2 3]"), ("<a x='>'/>", "a[x=>]"), ("<a x=''/>", "a[x=]"),
        ("<a><![CDATA[<b>&amp;]]]></a>", "a'<b>&amp;]'"), ("<a>]]&gt;]</a>", "a']]>]'"), ("<a><![CDATA[]]></a>", "a"),
        ("<!-- c --><a><!-- <b> & - c --></a><!----><!-- -->", "a"), ("<a>1<!-- 2 -->3</a>", "a'13'"),
        ("<a>x\r\ny\rz\n</a>", "a'x\ny\nz\n'"), ("<a>äöü 漢</a>", "a'äöü 漢'"), ("<a p:x='1' xmlns:p='u'/>", "a"),
        ("<p:a xmlns:p='u'><p:b/></p:a>", "a(b)"), ("<a xml:lang='en'/>", "a"),
    ])
    func reads(document: String, outline: String) throws {
        #expect(Self.outline(try XMLReader.read(Array(document.utf8))) == outline)
    }

    @Test(arguments: [
        ("", XMLError.Code.noRootElement), ("   ", .noRootElement), ("x", .noRootElement), ("<!-- -->", .noRootElement),
        ("<", .endsEarly), ("<a", .endsEarly), ("<a>", .endsEarly), ("<a><b></b>", .endsEarly),
        ("<a x", .attributeMalformed),
        ("<a x=", .endsEarly), ("<a x='", .endsEarly), ("<a>&amp", .endsEarly), ("<!-- ", .endsEarly),
        ("<a></a", .endsEarly),
        ("<a><![CDATA[", .endsEarly), ("<a/", .tagMalformed), ("<a/ >", .tagMalformed),
        ("<a></a x='1'>", .tagMalformed),
        ("</a>", .endTagDiffers), ("<a></b>", .endTagDiffers), ("<a></A>", .endTagDiffers),
        ("<a><b></a></b>", .endTagDiffers), ("<p:a xmlns:p='u' xmlns:q='u'></q:a>", .endTagDiffers),
        ("<1a/>", .nameMalformed), ("<-a/>", .nameMalformed), ("<:a/>", .nameMalformed), ("<a:/>", .nameMalformed),
        ("<a:b:c xmlns:a='u'/>", .nameMalformed), ("<ä/>", .nameMalformed), ("< a/>", .nameMalformed),
        ("<>", .nameMalformed),
        ("<a =''/>", .nameMalformed), ("<a x/>", .attributeMalformed), ("<a x=1/>", .attributeMalformed),
        ("<a x='<'/>", .attributeMalformed), ("<a x='1'y='2'/>", .tagMalformed),
        ("<a x='1' x='2'/>", .duplicateAttribute),
        ("<a>&nbsp;</a>", .unknownEntity), ("<a>&b;</a>", .unknownEntity), ("<a x='&b;'/>", .unknownEntity),
        ("<a>&;</a>", .unknownEntity), ("<a>& </a>", .endsEarly), ("<a>&amp amp amp;</a>", .referenceMalformed),
        ("<a>&#0;</a>", .referenceMalformed), ("<a>&#x0B;</a>", .referenceMalformed),
        ("<a>&#xD800;</a>", .referenceMalformed),
        ("<a>&#xFFFE;</a>", .referenceMalformed), ("<a>&#x110000;</a>", .referenceMalformed),
        ("<a>&#;</a>", .referenceMalformed),
        ("<a>&#x;</a>", .referenceMalformed), ("<a>&#+65;</a>", .referenceMalformed),
        ("<a>&#-1;</a>", .referenceMalformed),
        ("<a>&#99999999999999999999;</a>", .referenceMalformed), ("<a>&#xG;</a>", .referenceMalformed),
        ("<a>]]></a>", .sectionMalformed), ("<a>x]]>y</a>", .sectionMalformed), ("<![CDATA[x]]><a/>", .noRootElement),
        ("<a><!-- -- --></a>", .commentMalformed), ("<a><!-- ---></a>", .commentMalformed),
        ("<!DOCTYPE a><a/>", .documentType), ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", .documentType),
        ("<a><!ELEMENT b></a>", .documentType), ("<a/><!DOCTYPE a>", .documentType),
        ("<?php echo 1 ?><a/>", .processingInstruction), ("<a><?b c?></a>", .processingInstruction),
        ("<a/><?b?>", .processingInstruction), (" <?xml version='1.0'?><a/>", .processingInstruction),
        ("<?xml?><a/>", .processingInstruction), ("<?xml version='1.1'?><a/>", .versionNotSupported),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", .encodingNotSupported),
        ("<?xml version='1.0' encoding='utf-16'?><a/>", .encodingNotSupported),
        ("<?xml encoding='utf-8'?><a/>", .declarationMalformed), ("<?xml ?><a/>", .declarationMalformed),
        ("<?xml version='1.0' foo='1'?><a/>", .declarationMalformed),
        ("<?xml version='1.0' standalone='maybe'?><a/>", .declarationMalformed),
        ("<?xml version='1.0' standalone='yes' encoding='utf-8'?><a/>", .declarationMalformed),
        ("<a/><b/>", .contentAfterRoot), ("<a/>x", .contentAfterRoot), ("<a/></a>", .contentAfterRoot),
        ("<p:a/>", .namespaceMalformed), ("<a xmlns:p=''/>", .namespaceMalformed),
        ("<a xmlns:xml='u'/>", .namespaceMalformed),
        ("<a><p:b xmlns:p='u'/><p:c/></a>", .namespaceMalformed), ("<a>\u{0}</a>", .characterNotAllowed),
        ("<a>\u{1B}</a>", .characterNotAllowed), ("<a>\u{FFFE}</a>", .characterNotAllowed),
        ("<a>\u{FFFF}</a>", .characterNotAllowed),
        ("<a>x\(String(repeating: "\u{301}", count: 31))</a>", .characterNotAllowed),
        ("<a>x\(String(repeating: "&#x301;", count: 31))</a>", .characterNotAllowed),
    ])
    func refuses(document: String, code: XMLError.Code) {
        #expect(Self.code(Array(document.utf8)) == code)
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0xAF], [0x3C, 0x61, 0x3E, 0xED, 0xA0, 0x80, 0x3C, 0x2F, 0x61, 0x3E],
            [0xFE, 0xFF, 0x00, 0x3C],
            [0x3C, 0x61, 0x3E, 0xF5, 0x80, 0x80, 0x80], [0x3C, 0x61, 0x2F, 0x3E, 0xE4],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        #expect(Self.code(bytes) == .notUTF8)
    }

    @Test func resolvesNamespacesByTheirScope() throws {
        let document = "<a xmlns='u'><b/><c xmlns=''><d/></c><p:e xmlns:p='v'><f/></p:e></a>"
        let root = try XMLReader.read(Array(document.utf8))
        #expect(root.namespace == "u" && root.children.map(\.namespace) == ["u", nil, "v"])
        #expect(root.children.map { $0.children.map(\.namespace) } == [[], [nil], ["u"]])
    }

    @Test func aChildIsOfItsParentsNamespace() throws {
        let document = "<a xmlns='u'><p:b xmlns:p='v'>1</p:b><b xmlns=''>2</b><b>3<c>4</c></b><b>5</b></a>"
        let root = try XMLReader.read(Array(document.utf8))
        #expect(root.child("b")?.text == "3" && root.descendant("b/c")?.text == "4")
        #expect(root.children.first?.child("c") == nil && root.child("c") == nil)
    }

    @Test func boundsSizeDepthAndCounts() {
        let limits = XMLLimits(bytesMax: 200, depthMax: 3, elementsMax: 5, attributesMax: 2, nameBytesMax: 4)
        let code = { (document: String) in Self.code(Array(document.utf8), limits: limits) }
        #expect(code("<a><b><c/></b></a>") == nil)
        #expect(code("<a><b><c><d/></c></b></a>") == .tooDeep)
        #expect(code("<a><b/><b/><b/><b/></a>") == nil)
        #expect(code("<a><b/><b/><b/><b/><b/></a>") == .tooManyElements)
        #expect(code("<a x='1' y='2'/>") == nil)
        #expect(code("<a x='1' y='2' z='3'/>") == .tooManyAttributes)
        #expect(code("<abcd/>") == nil)
        #expect(code("<abcde/>") == .nameTooLong)
        #expect(code("<a>" + String(repeating: "x", count: 193) + "</a>") == nil)
        #expect(code("<a>" + String(repeating: "x", count: 194) + "</a>") == .tooLarge)
    }

    @Test(arguments: ["<a>", "<a b='", "<!--", "<![CDATA[", "&", "<a xmlns:b='c'>", "]]", "<a/>", "</a>", "<?xml "])
    func endsSoonOnWhatNeverEnds(part: String) {
        let bytes = Array(String(repeating: part, count: 64 * 1024 / part.utf8.count).utf8)
        #expect(Self.code(bytes) != nil)
        #expect(Self.code(Array("<a>".utf8) + bytes.dropLast(3)) != nil)
    }

    @Test func showsNothingOfWhatItRead() throws {
        let element = try XMLReader.read(Array("<a x='4111111111111111'>4111111111111111<b>secret</b></a>".utf8))
        var dumped = ""
        dump(element, to: &dumped)
        for text in ["\(element)", String(reflecting: element), dumped] {
            #expect(text.contains("<a>") && !text.contains("4111") && !text.contains("secret"))
        }
        let error = XMLError(.unknownEntity, at: 7)
        #expect(error.description == "an entity is not one of lt, gt, amp, apos and quot (byte 7)")
    }

    /// A good document with bytes changed, cut and doubled: it is read or refused, and never more.
    @Test func survivesMutations() throws {
        let good = Array(Sample.cardAuthorization("4111111111111111").utf8)
        var state: UInt64 = 42
        let next = { (bound: Int) -> Int in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let special = Array("<>&;'\"!-[]?/=:x# \0\u{FF}".utf8)
        var readCount = 0
        for _ in 0..<4000 {
            var bytes = good
            for _ in 0...next(6) {
                let place = next(bytes.count)
                switch next(4) {
                case 0: bytes[place] = special[next(special.count)]
                case 1: bytes[place] = UInt8(next(256))
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(40)))
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + next(40))], at: place)
                }
                if bytes.isEmpty { bytes = good }
            }
            if Self.code(bytes) == nil { readCount += 1 }
        }
        #expect(readCount > 0 && readCount < 4000)
    }

    @Test func everyCodeIsASentenceOfItsOwn() {
        let texts = Set(XMLError.Code.allCases.map { XMLError($0, at: 0).description })
        #expect(texts.count == XMLError.Code.allCases.count)
    }
}
