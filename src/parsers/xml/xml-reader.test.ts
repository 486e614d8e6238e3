import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import { ApiError } from '../../errors.ts'
import type { Block } from '../parse-event.ts'
import { readText } from '../text/read-text.ts'
import { createXmlReader } from './xml-reader.ts'

function read(xml: string): Block[] {
  return [...readText(createXmlReader, xml)].flatMap((event) => ('block' in event ? [event.block] : []))
}

function textOf(xml: string): string {
  return read(xml)
    .map((block) => block.text)
    .join('')
}

function refused(xml: string): string {
  try {
    read(xml)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unprocessable_document') return error.message
    throw error
  }
  assert.fail(`read: ${xml.slice(0, 80)}`)
}

test('reads the fields of a record as one block, in order and by name', () => {
  const xml =
    '<?xml version="1.0"?><stock>\n <crate><id>B7</id><goods>jelly,\n  red</goods></crate>\n <crate><id>B8</id><goods>syrup</goods></crate></stock>'
  assert.deepEqual(read(xml), [
    { kind: 'record', text: 'stock\ncrate\nB7\njelly,\nred\nid: B7\ngoods: jelly,\nred\n\n' },
    { kind: 'record', text: 'crate\nB8\nsyrup\nid: B8\ngoods: syrup\n\n' },
  ])
})

test('names a value by its element below its parent', () => {
  const party = (name: string, of: string) =>
    `<cac:${of}><cac:Party><cbc:Name>${name}</cbc:Name></cac:Party></cac:${of}>`
  const xml = `<Invoice><cbc:ID>RE-17</cbc:ID>${party('Harrow', 'Supplier')}${party('Pike', 'Customer')}
    <cbc:PayableAmount currencyID="EUR">119.00</cbc:PayableAmount></Invoice>`
  assert.deepEqual(
    read(xml).map(({ text }) => text),
    [
      'Invoice\nID: RE-17\n\n',
      'Supplier\nParty\nName: Harrow\n\n',
      'Customer\nParty\nName: Pike\n\n',
      'PayableAmount: 119.00\nPayableAmount currencyID: EUR\n\n',
    ],
  )
})

test('leaves prose unchanged under any element names', () => {
  const sentence = 'The crane on the northern quay was built before the war and moves no more than ten tons today.'
  for (const xml of [
    `<essay><absatz>${sentence}</absatz></essay>`,
    `<topic id="a"><cmd>${sentence}</cmd></topic>`,
    `<article><body><remark>${sentence}</remark></body></article>`,
    `<essay><absatz>The <b>crane</b> moves.</absatz></essay>`,
  ])
    assert.doesNotMatch(textOf(xml), /absatz|essay|cmd|remark/)
  assert.equal(textOf('<plist><dict><key>Cranes</key><integer>4</integer></dict></plist>'), 'Cranes\n4\n\n')
})

test('joins table cells on one line and marks the header', () => {
  const cals = `<informaltable><tgroup cols="3"><colspec colname="a"/><thead><row><entry>Port</entry><entry>Ships</entry></row></thead>
    <tbody><row><entry colname="a">Quay</entry><entry/><entry><para>Two</para><para>lines</para></entry></row></tbody></tgroup></informaltable>`
  const rows = [
    { kind: 'table-header', text: 'Port | Ships\n', beginsTable: true },
    { kind: 'table-row', text: 'Quay |  | Two lines\n' },
    { kind: 'blank', text: '\n' },
  ]
  assert.deepEqual(read(`<doc><p>Before.</p>${cals}<p>After.</p></doc>`), [
    { kind: 'paragraph', text: 'Before.\n\n' },
    ...rows,
    { kind: 'paragraph', text: 'After.\n\n' },
  ])
  const jats =
    '<table-wrap><table><tr><th>Port</th><th>Ships</th></tr><tr><td>Quay</td><td/><td><p>Two</p> <b>lines</b></td></tr></table></table-wrap>'
  assert.deepEqual(read(jats), rows)
  const office =
    '<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Port</text:p></table:table-cell><table:table-cell><text:p>Ships</text:p></table:table-cell></table:table-row></table:table-header-rows></table:table>'
  assert.deepEqual(read(office), [rows[0], rows[2]])
})

test('repeats a cell over several rows and keeps the columns', () => {
  const jats = `<table><thead><tr><th>Port</th><th colspan="2">Ships</th></tr></thead><tbody>
    <tr><td rowspan="2">Quay</td><td>Ada</td><td>4 t</td></tr><tr><td>Bo</td><td>7 t</td></tr><tr><td>Pier</td><td>Cy</td><td>9 t</td></tr></tbody></table>`
  const shown = ['Quay | Ada | 4 t\n', 'Quay | Bo | 7 t\n', 'Pier | Cy | 9 t\n', '\n']
  assert.deepEqual(
    read(jats).map(({ text }) => text),
    ['Port | Ships\n', ...shown],
  )
  const cals = `<informaltable><tgroup cols="3"><tbody><row><entry morerows="1">Quay</entry><entry>Ada</entry><entry>4 t</entry></row>
    <row><entry>Bo</entry><entry>7 t</entry></row></tbody><tbody><row><entry>Pier</entry><entry>Cy</entry><entry>9 t</entry></row></tbody></tgroup></informaltable>`
  assert.deepEqual(
    read(cals).map(({ text }) => text),
    shown,
  )
})

test('spans a cell between named columns', () => {
  const columns = ['c1', 'c2', 'c3', 'c4'].map((name) => `<colspec colname="${name}"/>`).join('')
  const cals = `<table><tgroup cols="4">${columns}<thead><row><entry>Port</entry><entry namest="c2" nameend="c3">Ships</entry><entry>Crew</entry></row></thead>
    <tbody><row><entry>Quay</entry><entry>Ada</entry><entry>4 t</entry><entry>7</entry></row><row><entry namest="c3" nameend="c1">Pier</entry><entry>Bo</entry></row></tbody></tgroup></table>`
  assert.deepEqual(
    read(cals).map(({ text }) => text),
    ['Port | Ships |  | Crew\n', 'Quay | Ada | 4 t | 7\n', 'Pier | Bo\n', '\n'],
  )
})

test('keeps rows outside of tables as records, and layout tables as their parts', () => {
  assert.deepEqual(read('<stock><row><id>B7</id><entry>jelly</entry></row></stock>'), [
    { kind: 'record', text: 'stock\nB7\njelly\nid: B7\n\n' },
  ])
  const page = `<table><tr><td>${'<p>The quay is long.</p>'.repeat(1000)}<title>Moles</title></td></tr></table>`
  assert.equal(read(page).at(-1)?.kind === 'blank' && read(page).at(-2)?.kind, 'heading')
})

test('keeps inline elements within a sentence', () => {
  assert.equal(
    textOf('<doc><p>The <term>cold</term><suffix>s</suffix>, <b>wet</b> room</p><p>next</p>tail<p>a</p><p>b</p></doc>'),
    'The colds, wet room\nnext\ntail\na\nb\n\n',
  )
})

test('separates words at line and page breaks, tabs, spaces and notes', () => {
  assert.equal(
    textOf('<doc><p>Hello<br/>World and<lb/>first<tab/>second<pb n="2"/>third, bro<lb break="no"/>ken</p></doc>'),
    'Hello World and first second third, broken\n\n',
  )
  assert.equal(
    textOf('<o:text><text:p>One<text:s/>two<text:line-break/>three<text:tab/>four <s>fi</s>ve</text:p></o:text>'),
    'One two three four five\n\n',
  )
  assert.equal(
    textOf('<TEI><p>The treaty<note place="foot">Signed in 1648.</note>ended the war</p></TEI>'),
    'The treaty Signed in 1648. ended the war\n\n',
  )
})

test('reads short titles as headings at their depth', () => {
  const blocks = read('<book><title>Quays</title><section><title>Moles</title><para>text</para></section></book>')
  assert.deepEqual(
    blocks.map(({ kind, level, text }) => [kind, level, text.trim()]),
    [
      ['heading', 1, 'Quays'],
      ['heading', 2, 'Moles'],
      ['paragraph', undefined, 'text'],
    ],
  )
})

test('reads the title of a feed or article as the title of the file', () => {
  const headings = (xml: string) =>
    read(xml).flatMap(({ kind, level, text }) => (kind === 'heading' ? [[level, text.trim()]] : []))
  const item = '<item><title>Tides</title><description>High at noon</description></item>'
  assert.deepEqual(headings(`<rss version="2.0"><channel><title>Quays</title>${item}</channel></rss>`), [
    [1, 'Quays'],
    [3, 'Tides'],
  ])
  const title = '<title-group><article-title>On <italic>quays</italic></article-title></title-group>'
  const cited = '<ref><article-title>Of moles</article-title><year>1990</year></ref>'
  const article = `<front><article-meta>${title}</article-meta></front><body><sec><title>Tides</title><p>High</p></sec></body>`
  assert.deepEqual(headings(`<article>${article}<back>${cited}</back></article>`), [
    [1, 'On quays'],
    [3, 'Tides'],
  ])
})

test('reads human-readable attributes as text', () => {
  assert.equal(textOf('<a><item label="Crane 4">moves</item></a>'), 'Crane 4\nmoves\n\n')
})

test('adds the attributes of a record without separating its fields', () => {
  const xml =
    '<stock xmlns="urn:s" xmlns:xsi="x" xsi:schemaLocation="u"><item id="L-7" xml:lang="en"><name>Lamp</name><price currency="EUR">18</price><goods/><size w="3" d="4"/><note>blue</note></item></stock>'
  assert.deepEqual(read(xml), [
    {
      kind: 'record',
      text: 'stock\nitem id: L-7\nLamp\n18\nblue\nname: Lamp\nprice: 18\nnote: blue\nprice currency: EUR\nsize w: 3, d: 4\n\n',
    },
  ])
})

test('names a value by an attribute', () => {
  const xml =
    '<all><setting name="timeout" value="30" unit="s"/><setting name="retries">5</setting><add key="a" value="b"/></all>'
  assert.equal(textOf(xml), 'all\nretries: 5\ntimeout: 30, unit: s\na: b\n\n')
})

test('reads a file with text only in attributes', () => {
  assert.equal(
    textOf('<gpx version="1.1"><trkpt lat="47.6" lon="8.5"/></gpx>'),
    'gpx version: 1.1\ntrkpt lat: 47.6, lon: 8.5\n\n',
  )
})

test('emits a heading before the data of the enclosing elements', () => {
  const blocks = read('<report no="R-9"><head><title>Quays</title></head><area unit="m2">12</area></report>')
  assert.deepEqual(
    blocks.map(({ kind, text }) => [kind, text]),
    [
      ['heading', 'Quays\n\n'],
      ['paragraph', 'report no: R-9\n\n'],
      ['record', 'area: 12\narea unit: m2\n\n'],
    ],
  )
})

test('ignores attributes of running text, drawings and books', () => {
  const silent = [
    '<a><note id="1">see <ref target="9">this</ref> <x y="4"/>here</note></a>',
    '<a><p id="1" class="lead" style="color: red">see this here</p></a>',
    '<svg width="20"><g id="1"><text x="4" y="5">see this here</text></g></svg>',
    '<a><chart xmlns="http://www.w3.org/2000/svg" width="20"><text x="4">see this here</text></chart></a>',
    '<article id="1"><body><part no="4">see this here</part></body></article>',
    '<w:document w:rsid="1"><w:p><w:pPr><w:jc w:val="left"/></w:pPr><w:r><w:t>see this here</w:t></w:r></w:p></w:document>',
  ]
  for (const xml of silent) assert.equal(textOf(xml), 'see this here\n\n', xml)
  assert.match(
    textOf('<a><svg width="2"><text x="1">drawn</text></svg><row no="7">told</row></a>'),
    /^drawn\n.*told\nrow no: 7/s,
  )
})

test('reads HTML in a feed, in CDATA and escaped', () => {
  const html = '<p>Rain at <b>noon</b>.</p><ul><li>Bring boots</li></ul><img src="a.png" alt="A gauge">'
  const escaped = html.replaceAll('<', '&lt;')
  const feed = `<rss><channel><item><title>Weather</title><description><![CDATA[${html}]]></description></item><item><title>Again</title><content:encoded>${escaped}</content:encoded></item></channel></rss>`
  const text = textOf(feed)
  assert.equal(text.match(/Rain at noon\.\n+Bring boots\n+A gauge/g)?.length, 2, text)
  assert.doesNotMatch(text, /[<>]/)
  assert.equal(
    textOf('<item><description>a < b</description></item>'.replace('a <', 'a &lt;')),
    'description: a < b\n\n',
  )
  const spoken = 'Never write <script> tags, nor <b>bold</b>. The key goes last.'
  const escapedSpoken = spoken.replaceAll('<', '&lt;')
  assert.equal(textOf(`<pom><description>${escapedSpoken}</description></pom>`), `pom\ndescription: ${spoken}\n\n`)
  assert.equal(textOf(`<rss><description>${escapedSpoken}</description></rss>`), `description: ${spoken}\n\n`)
})

test('reads a text of only swallowing tags in linear time', () => {
  const html = `${'<title>'.repeat(16_000)}</title>${'rain '.repeat(20_000)}<p>at noon</p>`
  const started = performance.now()
  assert.match(textOf(`<rss><description><![CDATA[${html}]]></description></rss>`), /at noon/)
  assert.ok(performance.now() - started < 5000, 'this one took a quarter of a minute')
})

test('reads spans as whole numbers, and 0 as up to the end', () => {
  const rows = (span: string) =>
    textOf(`<a><table><tbody><tr><td rowspan="${span}">Quay</td><td>1</td></tr><tr><td>2</td></tr></tbody>
    <tbody><tr><td>3</td></tr></tbody></table></a>`)
  assert.equal(rows('1.5'), 'Quay | 1\n2\n3\n\n')
  assert.equal(rows('0'), 'Quay | 1\nQuay | 2\n3\n\n')
  for (const span of ['-3', 'all', '']) assert.equal(rows(span), rows('1'), span)
})

test('reads CDATA and skips comments and processing instructions', () => {
  assert.equal(textOf('<a><!-- no --><?no no?><b><![CDATA[x < y & z]]></b></a>'), 'x < y & z\n\n')
})

test('replaces HTML and declared entities and keeps unknown ones', () => {
  const xml = '<!DOCTYPE a [<!ENTITY co "Velmora cooperative">]><a>&co;, &eacute;t&eacute; &amp; &unknown;</a>'
  assert.equal(textOf(xml), 'Velmora cooperative, été & &unknown;\n\n')
})

test('neither expands nested entities nor loads external ones', () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
  assert.equal(textOf(`<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]><a>&l9; &l0;</a>`), '&l9; lol\n\n')
  const external = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>x &f;</a>'
  assert.equal(textOf(external), 'x &f;\n\n')
})

test('warns once about undefined entities', () => {
  const warnings = (xml: string) =>
    [...readText(createXmlReader, xml)].flatMap((event) => ('warning' in event ? [event.warning] : []))
  const left = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a b="&j;">x &f; &k; &k;</a>'
  assert.deepEqual(warnings(left), ['Undefined and external entities were left as written, 4 times.'])
  assert.match(warnings('<a>&k;</a>').join(), /written, once/)
  assert.deepEqual(warnings('<a>&amp; &eacute;<![CDATA[&k;]]></a>'), [])
})

test('rejects malformed XML with the line', () => {
  assert.match(refused('<a>\n<b>x</c>\n</a>'), /line 2: unexpected close tag/i)
  assert.match(refused('<a>\n<b>cut off'), /not well-formed at line 2: .*unclosed tag/i)
  assert.match(refused('<a>x</a><b>y</b>'), /one root/)
})

test('rejects a file without text', () => {
  assert.match(refused('<a id=""><b xml:lang="en"/></a>'), /no text/)
})

test('skips images in Base64', () => {
  const data = `${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w\n'.repeat(8)}QUI=`
  assert.equal(textOf(`<r><name>crane.png</name><data>${data}</data></r>`), 'name: crane.png\n\n')
})

test('reads 200,000 nested elements without stack overflow or loss', () => {
  assert.equal(textOf(`${'<a>'.repeat(200_000)}word${'</a>'.repeat(200_000)}`), 'word\n\n')
})

test('limits blocks to 8,000 characters without loss', () => {
  const words = Array.from({ length: 4000 }, (_, index) => `w${index}`).join(' ')
  const xml = `<r><f>${words}</f>${'<c>field of a record</c>'.repeat(1000)}</r>`
  assert.ok(read(xml).every(({ text }) => text.length <= 8000))
  assert.equal(textOf(xml).replaceAll(/\s+/g, ' ').length, words.length + 1 + 1000 * 18)
})

test('returns the same text for any chunk borders', () => {
  const xml =
    '<!DOCTYPE a [<!ENTITY co "Velmora">]><a no="&co;"><row name="n" of="m">&co; &eacute;</row><title>t</title><c><![CDATA[<]]></c></a>'
  assertCutAnywhere(createXmlReader, xml)
})

test('marks a DocBook term as introducing its definition', () => {
  const entry =
    '<varlistentry><term><option>-a</option></term><listitem><para>Shows all.</para></listitem></varlistentry>'
  assert.deepEqual(read(`<article><variablelist>${entry}</variablelist></article>`), [
    { kind: 'paragraph', text: '-a\n\n', leads: true },
    { kind: 'paragraph', text: 'Shows all.\n\n' },
  ])
  assert.deepEqual(read('<list><entry><term>quay</term><count>3</count></entry></list>'), [
    { kind: 'record', text: 'quay\n3\ncount: 3\n\n' },
  ])
})

test('reads a bare ampersand as text and warns with its line', () => {
  const markup = '<a t="1&2">\n<b>Tom & Jerry; R&D</b><!-- & --><b><![CDATA[x && y &]]></b><b>&amp; &#38; &lt;</b></a>'
  for (const size of [1, 7, markup.length]) {
    const pieces = Array.from({ length: Math.ceil(markup.length / size) }, (_, at) =>
      markup.slice(at * size, (at + 1) * size),
    )
    const events = [...readText(createXmlReader, pieces)]
    const text = events.map((event) => ('block' in event ? event.block.text : '')).join('')
    for (const part of ['Tom & Jerry; R&D', 'x && y &', '& & <']) assert.ok(text.includes(part), text)
    assert.deepEqual(events.at(-1), {
      warning: 'The XML is not well-formed: it has 3 bare "&", first at line 1. Each was read as text.',
    })
  }
  assert.match(JSON.stringify([...readText(createXmlReader, '<a>\n\n<b>x & y</b></a>')]), /one bare.*line 3/)
})

test('keeps lines of code', () => {
  const code = '<programlisting>\n<command>if</command> x:\n    go()  \n</programlisting>'
  assert.deepEqual(read(`<article><para>See:</para>${code}<screen>one line</screen></article>`), [
    { kind: 'paragraph', text: 'See:\n\n' },
    { kind: 'code', text: 'if x:\n    go()\n\n' },
    { kind: 'paragraph', text: 'one line\n\n' },
  ])
})

test('treats code elements of manuals as fields elsewhere', () => {
  const film = '<film><title>Quays</title><synopsis>A storm\n  wrecks a ship.</synopsis><year>1987</year></film>'
  assert.ok(read(`<films>${film}${film}</films>`).every(({ kind }) => kind !== 'code'))
  const manual = read('<refentry><screen>$ ls\na  b</screen></refentry>')
  assert.deepEqual(manual, [{ kind: 'code', text: '$ ls\na  b\n\n' }])
})

test('skips styles of a drawing and separates its lines', () => {
  const lines = '<text><tspan x="1" y="1">North</tspan><tspan x="1" y="2">gate</tspan></text>'
  assert.equal(textOf(`<svg><style>.a{fill:red}</style>${lines}<script>go()</script></svg>`), 'North gate\n\n')
  assert.equal(textOf('<painting><style>Baroque</style></painting>'), 'painting\nstyle: Baroque\n\n')
})

test('reads HTML in descriptions of places', () => {
  const place = '<Placemark><description><![CDATA[<b>Room</b> 12<br>Quiet]]></description></Placemark>'
  assert.equal(textOf(`<kml>${place}</kml>`), 'Placemark\ndescription: Room 12\nQuiet\n\n')
})
