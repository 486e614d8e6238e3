import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import { ApiError } from '../../errors.ts'
import type { Block } from '../parse-event.ts'
import { readText } from '../text/read-text.ts'
import { createHtmlReader } from './html-reader.ts'

function read(html: string): Block[] {
  return [...readText(createHtmlReader, html)].flatMap((event) => ('block' in event ? [event.block] : []))
}

function textOf(html: string): string {
  return read(html)
    .map((block) => block.text)
    .join('')
}

function rowsOf(html: string): string[][] {
  return read(html).flatMap(({ kind, text }) => (kind.startsWith('table') ? [[kind, text.trim()]] : []))
}

test('marks a term as introducing its definition', () => {
  const terms = (html: string) => read(html).flatMap(({ text, leads }) => (leads === true ? [text.trim()] : []))
  const html =
    '<dl><dt>Quay<dt>Kai<dd>A wall for ships<dt>What is a mole?</dt><dd>A longer one<dt>Pier<dd><ul><li>a</ul></dl>'
  assert.deepEqual(terms(html), ['Quay', 'What is a mole?', 'Pier'])
  assert.deepEqual(terms('<dl><dt>Quay</dl>A paragraph'), ['Quay'])
})

test("drops a heading's link to itself", () => {
  for (const link of ['<a href="#x">¶</a>', '<a class=hash-link href="#x"> # </a>', '<a href="#x">\u200b</a>'])
    assert.deepEqual(read(`<h2 id=x>Terms${link}</h2>`), [{ kind: 'heading', level: 2, text: 'Terms\n\n' }])
  assert.equal(
    textOf('<p>See <a href="#s5">§ 5</a>, <a href="#b">b</a> and <a href="/c">#</a></p>'),
    'See § 5, b and #\n\n',
  )
  assert.equal(textOf('<p>one<a href="#x"> </a>two<a href="#y"> ¶ </a>three').trim(), 'one two three')
  assert.equal(textOf('<p><a href="#open">¶<p>more'), '¶\n\nmore\n\n')
  assert.equal(textOf('<p>See <a href="#x">it'), 'See it\n\n')
  assertCutAnywhere(createHtmlReader, '<h2>A<a href="#x">¶</a></h2><p>See <a href="#s5">§ 5</a>')
})

test('separates superscripts from numbers and footnote marks from words', () => {
  for (const [html, text] of [
    ['within 30<sup>1</sup> days', 'within 30^1 days'],
    ['10<sup>3</sup> and 10<sup>-3</sup>', '10^3 and 10^-3'],
    ['days<sup><a href="#n1">1</a></sup> or <a href="#n2"><sup>2</sup></a>', 'days^1 or 2'],
    ['m<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O', 'm2, 1st, H2O'],
    ['fact<sup>[3]</sup> 12 <sup>4</sup>', 'fact[3] 12 4'],
  ] as const)
    assert.equal(textOf(`<p>${html}</p>`).trim(), text)
})

test('appends ruby annotations', () => {
  const word = '<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>'
  assert.equal(textOf(`<p>${word}は</p>`).trim(), '東京(とうきょう)は')
  assert.equal(textOf('<p><ruby>漢<rb>字<rt>かん<rt>じ</ruby>です').trim(), '漢字(かんじ)です')
  assert.equal(textOf('<p><ruby>漢<rt><i>か</i>ん</rt></ruby>は').trim(), '漢(かん)は')
  assert.equal(textOf('<p><ruby>漢<rt>かん<p>more').trim(), '漢(かん)\n\nmore')
  assert.equal(textOf('<p><ruby>漢<rt>かん<ruby>字<rt>じ</ruby>').trim(), '漢(かん)字(じ)')
})

test('separates buttons and texts of drawings', () => {
  assert.equal(textOf('<button>Accept</button><button>Reject</button>').trim(), 'Accept Reject')
  assert.equal(textOf('<svg><text>North</text><text>South</text></svg>').trim(), 'North South')
})

test('hides section edit links and line numbers', () => {
  const edit = '<span class="mw-editsection"><span>[</span><a href="/edit">edit</a><span>]</span></span>'
  assert.equal(textOf(`<h2><span>Tides</span>${edit}</h2><p>High`), 'Tides\n\nHigh\n\n')
  assert.equal(textOf(`<div><h2>Tides</h2>${edit}</div><p>High`), 'Tides\n\nHigh\n\n')
  assert.equal(
    textOf('<pre><span class="linenos">1</span>a = 1\n<span class="lineno">2</span>b = 2</pre>').trim(),
    'a = 1\nb = 2',
  )
  const beside = (numbers: string) =>
    textOf(`<table><tr>${numbers}<td class=code><pre>a = 1\nb = 2</pre></table>`).trim()
  assert.equal(beside('<td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>'), beside(''))
  assert.equal(beside('<td class="gutter gl"><pre class="lineno">1\n2</pre></td>'), beside('<td></td>'))
  assert.equal(textOf('<table><tr><td class=lineno>7<td>Rope</table>').trim(), '7 | Rope')
})

test('hides closed dialogs, popovers and media fallbacks', () => {
  const hidden =
    '<dialog>One</dialog><div popover>Two</div><video>Three</video><audio>Four</audio><canvas>Five</canvas>'
  assert.equal(textOf(`<p>Shown</p>${hidden}<dialog open>Asked</dialog>`), 'Shown\n\nAsked\n\n')
})

test('keeps lines of code in a table with line numbers', () => {
  const code = read(
    '<table><tr><td><pre>1\n2</pre><td><pre>if x:\n  y()</pre></table><table><tr><th>a<th>b<tr><td><pre>x</pre><td>c</table>',
  )
  assert.deepEqual(
    code.map(({ kind }) => kind),
    ['code', 'code', 'table-header', 'table-row', 'blank'],
  )
  assert.equal(code[1]?.text, 'if x:\n  y()\n\n')
})

test('keeps headings, paragraphs and line breaks, and collapses white space', () => {
  assert.deepEqual(read('<h1> Cold\n <b>stores</b></h1><p>One\n  two<br>three</p>four'), [
    { kind: 'heading', level: 1, text: 'Cold stores\n\n' },
    { kind: 'paragraph', text: 'One two\nthree\n\n' },
    { kind: 'paragraph', text: 'four\n\n' },
  ])
})

test('adds the title as first heading if the page has none', () => {
  assert.deepEqual(read('<title>Harbour &amp; quay</title><h2>Ships</h2>x')[0], {
    kind: 'heading',
    level: 1,
    text: 'Harbour & quay\n\n',
  })
})

test('drops a repeated title and keeps a different one as paragraph', () => {
  assert.equal(textOf('<title>Harbour</title><p>menu</p><h1>Harbour </h1>'), 'menu\n\nHarbour\n\n')
  const [title, heading] = read('<title>Harbour | City</title><h1>Harbour</h1>')
  assert.deepEqual([title?.kind, title?.text, heading?.level], ['paragraph', 'Harbour | City\n\n', 1])
})

test('emits the title first, with any headings', () => {
  const titles = (html: string) =>
    [...readText(createHtmlReader, html)].map((event) => ('title' in event ? event.title : null))
  assert.deepEqual(titles('<title>Harbour | City</title><p>menu</p><h1>Harbour</h1>')[0], 'Harbour | City')
  assert.deepEqual(titles('<title> Quay\n side</title>x')[0], 'Quay side')
  assert.deepEqual(titles('<h1>Harbour</h1>'), [null])
})

test('numbers ordered lists and indents nested lists', () => {
  const html =
    '<ol start=3 type=a><li>first<ul><li>inner</ul><li>second</ol><ol type=I><li value=9>nine<li>ten</ol><ol reversed start=2><li>two<li>one</ol>'
  assert.equal(textOf(html), 'c. first\n  inner\nd. second\n\nIX. nine\nX. ten\n\n2. two\n1. one\n\n')
  assert.ok(read(html).every(({ kind }) => kind === 'list-item' || kind === 'blank'))
})

test('writes a term on the line of its definition', () => {
  assert.equal(
    textOf(
      '<dl><dt>Quay<dt>Kai<dd>A wall for ships<dd>Of stone<dt><b>Mole</b></dt> <dd><p>A longer one</p><p>Rare</dl>',
    ),
    'Quay\nKai: A wall for ships\nOf stone\nMole: A longer one\nRare\n\n',
  )
  for (const term of ['Pay now?', 'Total:', '营业时间是什么？', '电话：', 'هل تدفع؟', '“Why?”'])
    assert.equal(textOf(`<dl><dt>${term}<dd>No</dl>`), `${term}\nNo\n\n`)
  assert.equal(textOf('<ol><li><dl><dt>A<dd>B</dl><li>two</ol>'), '  1. A: B\n2. two\n\n')
  assert.equal(textOf('<dl><dt>A<dd><listing>code</listing></dl>'), 'A\ncode\n\n\n')
  assert.equal(textOf('<dl><dt><p>Pier<p>Mole<dd><ul><li>one</ul>two</dl>end'), 'Pier\nMole\n  one\ntwo\n\nend\n\n')
  assert.equal(textOf('<dl><dt>Pier</dl>end<dl><dt>Mole'), 'Pier\n\nend\n\nMole\n')
})

test('emits table rows as blocks and detects the header', () => {
  const html =
    '<table><caption>Stock</caption><thead><tr><td>Item<td>Crates</thead><tr><th>Jelly<td><p>4</p><p>full</p><tr><td colspan=2>Sum<td></table>'
  assert.deepEqual(rowsOf(html), [
    ['table-header', 'Item | Crates'],
    ['table-row', 'Jelly | 4 full'],
    ['table-row', 'Sum |'],
  ])
  assert.equal(read(html)[0]?.text, 'Stock\n\n')
})

test('treats a row of header cells as header without thead', () => {
  assert.deepEqual(rowsOf('<table><tr><th>a<th>b<tr><td>1<td>2</table>')[0], ['table-header', 'a | b'])
})

test('ends an unclosed thead at the next part or the end of the table', () => {
  const html =
    '<table><thead><tr><th>a<td>b<tbody><tr><td>1<td>2</table><table><thead><tr><td>c<td>d</table><table><tr><td>3<td>4</table>'
  assert.deepEqual(rowsOf(html), [
    ['table-header', 'a | b'],
    ['table-row', '1 | 2'],
    ['table-header', 'c | d'],
    ['table-row', '3 | 4'],
  ])
})

test('repeats a cell with rowspan in each row of its table part', () => {
  const html =
    '<table><thead><tr><th rowspan=2>Country<th colspan=2>City<th rowspan=9>Year<tr><th>Name<th>Pop' +
    '<tbody><tr><td rowspan=2>Germany<td>Berlin<td>3.6m<td>2020<tr><td>Hamburg<td>1.8m<td>2021' +
    '<tr><td>Malta<td colspan=2 rowspan=0>none<td>2022<tr><td>Monaco<td>2023<tbody><tr><td>a<td>b<td>c<td>d</table>'
  assert.deepEqual(rowsOf(html), [
    ['table-header', 'Country | City |  | Year'],
    ['table-header', 'Country | Name | Pop | Year'],
    ['table-row', 'Germany | Berlin | 3.6m | 2020'],
    ['table-row', 'Germany | Hamburg | 1.8m | 2021'],
    ['table-row', 'Malta | none |  | 2022'],
    ['table-row', 'Monaco | none |  | 2023'],
    ['table-row', 'a | b | c | d'],
  ])
})

test('treats an invalid rowspan as one row', () => {
  const html = '<table><tr><th>Name<th>Age<tr><td rowspan="">Ann<td>30<tr><td rowspan=" ">Bob<td>40</table>'
  assert.deepEqual(
    rowsOf(html).map(([, text]) => text),
    ['Name | Age', 'Ann | 30', 'Bob | 40'],
  )
})

test('repeats a spanning cell at the end of a row and leaves the column of a long one empty', () => {
  const long = 'word '.repeat(50).trim()
  const html = `<table><tr><td>a<td rowspan=3>all<tr><td>b<tr><td>c<tr><td>d<td>own<tr><td rowspan=2>${long}<td>e<tr><td>f</table>`
  assert.deepEqual(
    rowsOf(html).map(([, text]) => text),
    ['a | all', 'b | all', 'c | all', 'd | own', `${long} | e`, '| f'],
  )
})

test('bounds rows of cells that claim all rows and columns', () => {
  const wide = `<td rowspan=65534 colspan=1000>${'word '.repeat(20)}`.repeat(40)
  const rows = read(`<table><tr>${wide}${'<tr><td>x'.repeat(5_000)}</table>`)
  assert.equal(rows.length, 5_002)
  for (const { text } of rows.slice(1)) assert.ok(text.length < 1000)
})

test('marks the first row of each table', () => {
  const table = '<table><tr><td><tr><td>1<td>2<tr><td>3<td>4</table>'
  assert.deepEqual(
    read(table + table).map(({ kind, beginsTable }) => [kind, beginsTable]),
    [...Array(2)].flatMap(() => [
      ['table-row', true],
      ['table-row', undefined],
      ['blank', undefined],
    ]),
  )
})

test('emits layout tables as their blocks', () => {
  const html = '<table><tr><td><h1>News</h1><p>text<table><tr><td>a<td>b</table><td>side</table>'
  assert.deepEqual(
    read(html).map(({ kind, text }) => [kind, text.trim()]),
    [
      ['heading', 'News'],
      ['paragraph', 'text'],
      ['table-row', 'a | b'],
      ['blank', ''],
      ['paragraph', 'side'],
    ],
  )
})

test('keeps lines of preformatted text', () => {
  assert.deepEqual(read('<pre>\n  if (a &lt; b)\n\treturn</pre>'), [
    { kind: 'code', text: '  if (a < b)\n\treturn\n\n' },
  ])
})

test('emits alternative text, labels and field values', () => {
  const html =
    '<p>See<img alt="the crane">now</p><label>Name <input value="Vranja"></label><input type=password value=secret>' +
    '<input type=checkbox checked> paid <select><option>red<option>green</select><textarea>note</textarea>'
  assert.equal(textOf(html).replaceAll(/\s+/g, ' '), 'See the crane now Name Vranja [x] paid red note ')
})

test('drops empty cells at the end of a row', () => {
  const html = '<table><tr><td>a<td><td>b<td><td><tr><td>c<td> <td></table>'
  assert.deepEqual(rowsOf(html), [
    ['table-row', 'a |  | b'],
    ['table-row', 'c |'],
  ])
})

test('emits the selected options of a field', () => {
  const options = '<optgroup label=A><option>red<option selected>green</optgroup><option>blue'
  assert.equal(textOf(`<p>Colour: <select>${options}</select> as ordered`), 'Colour: green as ordered\n\n')
  assert.equal(
    textOf(`<p>Colours: <select multiple>${options}<option selected>pink</select>`),
    'Colours: green, pink\n\n',
  )
  assert.equal(textOf('<p>Size <select size=3><option>S<option>M</select>'), 'Size S, M\n\n')
  const prompt = '<option hidden disabled selected>Choose</option>'
  assert.equal(textOf(`<p>Land <select>${prompt}<option label=Peru>PE</select>`), 'Land Choose\n\n')
  assert.equal(textOf('<p>Land <select><option disabled>Choose<option label=Peru>PE</select>'), 'Land Peru\n\n')
})

test('ends an unclosed select field with its parent', () => {
  assert.equal(textOf('<table><tr><td><select><option>a<option>b<td>c</table><p>d'), 'a | c\n\nd\n\n')
  assert.equal(textOf('<select hidden><option>a</select><select><option>b<p>c'), 'b\n\nc\n\n')
})

test('skips content that browsers hide', () => {
  const html =
    '<style>a</style><script>if ("</p>") b</script><noscript>c</noscript><template>d</template><iframe srcdoc="e">f</iframe>' +
    '<p hidden>g<p>shown<div style="color:red; display : none">h<div>i</div></div><!-- j --><ul><li hidden>k<li>seen</ul><svg><title>drawing</title></svg>'
  assert.equal(textOf(html).replaceAll(/\s+/g, ' '), 'shown seen drawing ')
})

test('emits declarative shadow roots, but not templates', () => {
  const html =
    '<x-card><template shadowrootmode="open"><p>In</p></template><p>Out</p></x-card><template><p>No</p></template>'
  assert.equal(textOf(html), 'In\n\nOut\n\n')
})

test('ends an unclosed hidden element with its parent', () => {
  assert.equal(textOf('<table><tr><td>a<span hidden>b</td><td>c</td></tr></table>'), 'a | c\n\n')
})

test('decodes entities, drops soft hyphens and joins words split by tags', () => {
  assert.equal(textOf('<p>&Eacute;cole &#x20AC;5 &notin; ex&shy;am<b>ple</b>'), 'École €5 ∉ example\n\n')
})

test('ends an unclosed heading before it swallows the page', () => {
  assert.deepEqual(
    read('<h2>Part<p>text<p>more').map(({ kind }) => kind),
    ['heading', 'paragraph', 'paragraph'],
  )
})

test('reads a first row of bold names as header, but not bold values', () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const kinds = (...rows: string[]) =>
    [...readText(createHtmlReader, `<table>${rows.join('')}</table>`)].flatMap((event) =>
      'block' in event && event.block.kind !== 'blank' ? [event.block.kind] : [],
    )
  const quay = row('Quay', '11')
  assert.deepEqual(kinds(row('<p><b>Port</b><o:p></o:p></p>', '<strong>Ships</strong>'), quay), [
    'table-header',
    'table-row',
  ])
  const sheet = '<tr><td style="color:red; font-weight: 700">Port</td><td style="font-weight:bold">Ships</td></tr>'
  assert.deepEqual(kinds(sheet, quay), ['table-header', 'table-row'])
  for (const first of [
    row('<b>Port</b>', 'Ships'),
    row('<b>Quay</b>', '<b>11</b>'),
    row('<b>Port</b> one', '<b>Ships</b>'),
  ])
    assert.deepEqual(kinds(first, quay), ['table-row', 'table-row'], first)
  assert.deepEqual(kinds(quay, row('<b>Port</b>', '<b>Ships</b>')), ['table-row', 'table-row'])
})

test('rejects a page without text and names the likely reason', () => {
  assert.throws(
    () => read('<html><body><div id=app></div><script>start()</script>'),
    (error: unknown) =>
      error instanceof ApiError && error.code === 'unprocessable_document' && /JavaScript/.test(error.message),
  )
})

test('warns about a page with only a title', () => {
  const warnings = (html: string) =>
    [...readText(createHtmlReader, html)].flatMap((event) => ('warning' in event ? [event.warning] : []))
  assert.match(warnings('<title>Quays</title><div id=app></div>')[0] ?? '', /no text except its title.*JavaScript/)
  assert.deepEqual(warnings('<title>Quays</title><p>text'), [])
})

test('allows self-closing tags in XML, and in HTML only in drawings', () => {
  const empty = (tag: string) => `<html><head><title>T</title></head><body><p>one</p>${tag}<p>two</p></body></html>`
  const tags =
    '<script src="a.js"/> <title/> <iframe/> <textarea/> <pre/> <ul/> <h2/> <div style="display:none"/> <svg/> <br/>'
  for (const tag of tags.split(/ (?=<)/)) {
    assert.deepEqual(
      read(`<?xml version="1.0"?>${empty(tag)}`).filter(({ kind }) => kind !== 'blank'),
      ['T', 'one', 'two'].map((word) => ({
        kind: word === 'T' ? 'heading' : 'paragraph',
        ...(word === 'T' ? { level: 1 } : {}),
        text: `${word}\n\n`,
      })),
      tag,
    )
  }
  assert.equal(textOf(empty('<script/>')), 'T\n\none\n\n')
  assert.equal(
    textOf(empty('<svg style="display:none"/><svg><path style="display:none"/></svg>')),
    'T\n\none\n\ntwo\n\n',
  )
})

test('linearizes formulas', () => {
  const fraction = '<mfrac><mi>s</mi><mrow><mi>t</mi><mo>+</mo><mn>1</mn></mrow></mfrac>'
  assert.equal(
    textOf(`<p>So <math><mi>v</mi><mo>=</mo>${fraction}<mo>·</mo><msup><mi>x</mi><mn>2</mn></msup></math> holds.</p>`),
    'So v=s/(t+1)·x^2 holds.\n\n',
  )
  assert.equal(textOf('<p><math><mfrac><mi>s</math> and <msup>on</msup></p>'), 's and on\n\n')
})

test('reads 100,000 nested elements, tables and lists without loss', () => {
  for (const tag of ['<div>', '<table><tr><td>', '<ol><li>', '<b>', '<div hidden></div><div>']) {
    assert.match(textOf(`${tag.repeat(100_000)}word`), /word/, tag)
  }
})

test('limits blocks to 8,000 characters without loss', () => {
  const words = Array.from({ length: 9000 }, (_, index) => `w${index}`).join(' ')
  const blocks = read(`<p>${words}</p>`)
  assert.ok(blocks.every(({ text }) => text.length <= 8000))
  assert.equal(textOf(`<p>${words}</p>`), `${words}\n\n`)
})

test('returns the same text for any chunk borders', () => {
  const html =
    '<title>T</title><h1>A &amp; b</h1><p>one <b>two</b>\r\n three<script>x</script><table><tr><td>a<td>b</table>'
  assertCutAnywhere(createHtmlReader, html)
})
