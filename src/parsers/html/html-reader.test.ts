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

test('a term leads to its definition', () => {
  const terms = (html: string) => read(html).flatMap(({ text, leads }) => (leads === true ? [text.trim()] : []))
  assert.deepEqual(terms('<dl><dt>Quay<dt>Kai<dd>A wall for ships<dt>Mole</dt><dd>A longer one</dl>'), [
    'Quay',
    'Kai',
    'Mole',
  ])
  assert.deepEqual(terms('<dl><dt>Quay</dl>A paragraph'), ['Quay'])
})

test('a link that a heading has to itself is no word of it', () => {
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

test('raised figures are no further digits, and the number of a note is no part of the word', () => {
  for (const [html, text] of [
    ['within 30<sup>1</sup> days', 'within 30^1 days'],
    ['10<sup>3</sup> and 10<sup>-3</sup>', '10^3 and 10^-3'],
    ['days<sup><a href="#n1">1</a></sup> or <a href="#n2"><sup>2</sup></a>', 'days^1 or 2'],
    ['m<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O', 'm2, 1st, H2O'],
    ['fact<sup>[3]</sup> 12 <sup>4</sup>', 'fact[3] 12 4'],
  ] as const)
    assert.equal(textOf(`<p>${html}</p>`).trim(), text)
})

test('how a word is read stands behind it', () => {
  const word = '<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>'
  assert.equal(textOf(`<p>${word}は</p>`).trim(), '東京(とうきょう)は')
  assert.equal(textOf('<p><ruby>漢<rb>字<rt>かん<rt>じ</ruby>です').trim(), '漢字(かんじ)です')
  assert.equal(textOf('<p><ruby>漢<rt><i>か</i>ん</rt></ruby>は').trim(), '漢(かん)は')
  assert.equal(textOf('<p><ruby>漢<rt>かん<p>more').trim(), '漢(かん)\n\nmore')
  assert.equal(textOf('<p><ruby>漢<rt>かん<ruby>字<rt>じ</ruby>').trim(), '漢(かん)字(じ)')
})

test('buttons and the words of a drawing stand apart', () => {
  assert.equal(textOf('<button>Accept</button><button>Reject</button>').trim(), 'Accept Reject')
  assert.equal(textOf('<svg><text>North</text><text>South</text></svg>').trim(), 'North South')
})

test('links to edit a section and the numbers of lines of code are not shown', () => {
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

test('closed dialogs, popovers and what stands in for a film are not shown', () => {
  const hidden =
    '<dialog>One</dialog><div popover>Two</div><video>Three</video><audio>Four</audio><canvas>Five</canvas>'
  assert.equal(textOf(`<p>Shown</p>${hidden}<dialog open>Asked</dialog>`), 'Shown\n\nAsked\n\n')
})

test('code in a table that numbers its lines stays in lines', () => {
  const code = read(
    '<table><tr><td><pre>1\n2</pre><td><pre>if x:\n  y()</pre></table><table><tr><th>a<th>b<tr><td><pre>x</pre><td>c</table>',
  )
  assert.deepEqual(
    code.map(({ kind }) => kind),
    ['code', 'code', 'table-header', 'table-row', 'blank'],
  )
  assert.equal(code[1]?.text, 'if x:\n  y()\n\n')
})

test('headings, paragraphs and line breaks keep their places, white space is what a browser shows', () => {
  assert.deepEqual(read('<h1> Cold\n <b>stores</b></h1><p>One\n  two<br>three</p>four'), [
    { kind: 'heading', level: 1, text: 'Cold stores\n\n' },
    { kind: 'paragraph', text: 'One two\nthree\n\n' },
    { kind: 'paragraph', text: 'four\n\n' },
  ])
})

test('the title is the first heading where the page has none of its own', () => {
  assert.deepEqual(read('<title>Harbour &amp; quay</title><h2>Ships</h2>x')[0], {
    kind: 'heading',
    level: 1,
    text: 'Harbour & quay\n\n',
  })
})

test('a title that the first heading repeats comes once, one that says more stays as a paragraph', () => {
  assert.equal(textOf('<title>Harbour</title><p>menu</p><h1>Harbour </h1>'), 'menu\n\nHarbour\n\n')
  const [title, heading] = read('<title>Harbour | City</title><h1>Harbour</h1>')
  assert.deepEqual([title?.kind, title?.text, heading?.level], ['paragraph', 'Harbour | City\n\n', 1])
})

test('the title is given before everything, whatever the headings say', () => {
  const titles = (html: string) =>
    [...readText(createHtmlReader, html)].map((event) => ('title' in event ? event.title : null))
  assert.deepEqual(titles('<title>Harbour | City</title><p>menu</p><h1>Harbour</h1>')[0], 'Harbour | City')
  assert.deepEqual(titles('<title> Quay\n side</title>x')[0], 'Quay side')
  assert.deepEqual(titles('<h1>Harbour</h1>'), [null])
})

test('ordered lists have their numbers, and lists in lists are indented', () => {
  const html =
    '<ol start=3 type=a><li>first<ul><li>inner</ul><li>second</ol><ol type=I><li value=9>nine<li>ten</ol><ol reversed start=2><li>two<li>one</ol>'
  assert.equal(textOf(html), 'c. first\n  inner\nd. second\n\nIX. nine\nX. ten\n\n2. two\n1. one\n\n')
  assert.ok(read(html).every(({ kind }) => kind === 'list-item' || kind === 'blank'))
})

test('the terms and definitions of a definition list follow each other', () => {
  assert.equal(textOf('<dl><dt>Quay<dd>A wall for ships<dt>Mole<dd>A longer one</dl>').trim().split('\n').length, 4)
})

test('the rows of a table are blocks, its header is told apart', () => {
  const html =
    '<table><caption>Stock</caption><thead><tr><td>Item<td>Crates</thead><tr><th>Jelly<td><p>4</p><p>full</p><tr><td colspan=2>Sum<td></table>'
  assert.deepEqual(rowsOf(html), [
    ['table-header', 'Item | Crates'],
    ['table-row', 'Jelly | 4 full'],
    ['table-row', 'Sum |'],
  ])
  assert.equal(read(html)[0]?.text, 'Stock\n\n')
})

test('a row of header cells alone is a header without a thead', () => {
  assert.deepEqual(rowsOf('<table><tr><th>a<th>b<tr><td>1<td>2</table>')[0], ['table-header', 'a | b'])
})

test('a head that nobody closed ends with the next part of its table, or with the table', () => {
  const html =
    '<table><thead><tr><th>a<td>b<tbody><tr><td>1<td>2</table><table><thead><tr><td>c<td>d</table><table><tr><td>3<td>4</table>'
  assert.deepEqual(rowsOf(html), [
    ['table-header', 'a | b'],
    ['table-row', '1 | 2'],
    ['table-header', 'c | d'],
    ['table-row', '3 | 4'],
  ])
})

test('a cell over several rows stands in each, in its column, up to the end of its part of the table', () => {
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

test('a cell that names no number of rows stands in its own', () => {
  const html = '<table><tr><th>Name<th>Age<tr><td rowspan="">Ann<td>30<tr><td rowspan=" ">Bob<td>40</table>'
  assert.deepEqual(
    rowsOf(html).map(([, text]) => text),
    ['Name | Age', 'Ann | 30', 'Bob | 40'],
  )
})

test('a cell at the end of a row is repeated, a long one leaves its column free', () => {
  const long = 'word '.repeat(50).trim()
  const html = `<table><tr><td>a<td rowspan=3>all<tr><td>b<tr><td>c<tr><td>d<td>own<tr><td rowspan=2>${long}<td>e<tr><td>f</table>`
  assert.deepEqual(
    rowsOf(html).map(([, text]) => text),
    ['a | all', 'b | all', 'c | all', 'd | own', `${long} | e`, '| f'],
  )
})

test('cells that claim all rows and columns make no row of them long', () => {
  const wide = `<td rowspan=65534 colspan=1000>${'word '.repeat(20)}`.repeat(40)
  const rows = read(`<table><tr>${wide}${'<tr><td>x'.repeat(5_000)}</table>`)
  assert.equal(rows.length, 5_002)
  for (const { text } of rows.slice(1)) assert.ok(text.length < 1000)
})

test('the first row of each table says that a table begins', () => {
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

test('a table that lays out a page gives its parts, not rows', () => {
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

test('preformatted text keeps its lines', () => {
  assert.deepEqual(read('<pre>\n  if (a &lt; b)\n\treturn</pre>'), [
    { kind: 'code', text: '  if (a < b)\n\treturn\n\n' },
  ])
})

test('pictures give their alternative text, fields their labels and values', () => {
  const html =
    '<p>See<img alt="the crane">now</p><label>Name <input value="Vranja"></label><input type=password value=secret>' +
    '<input type=checkbox checked> paid <select><option>red<option>green</select><textarea>note</textarea>'
  assert.equal(textOf(html).replaceAll(/\s+/g, ' '), 'See the crane now Name Vranja [x] paid red note ')
})

test('empty cells at the end of a row are none', () => {
  const html = '<table><tr><td>a<td><td>b<td><td><tr><td>c<td> <td></table>'
  assert.deepEqual(rowsOf(html), [
    ['table-row', 'a |  | b'],
    ['table-row', 'c |'],
  ])
})

test('a field in which one chooses shows what is chosen', () => {
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

test('a field in which one chooses and that nobody closed ends with what is around it', () => {
  assert.equal(textOf('<table><tr><td><select><option>a<option>b<td>c</table><p>d'), 'a | c\n\nd\n\n')
  assert.equal(textOf('<select hidden><option>a</select><select><option>b<p>c'), 'b\n\nc\n\n')
})

test('what a browser does not show is left out', () => {
  const html =
    '<style>a</style><script>if ("</p>") b</script><noscript>c</noscript><template>d</template><iframe srcdoc="e">f</iframe>' +
    '<p hidden>g<p>shown<div style="color:red; display : none">h<div>i</div></div><!-- j --><ul><li hidden>k<li>seen</ul><svg><title>drawing</title></svg>'
  assert.equal(textOf(html).replaceAll(/\s+/g, ' '), 'shown seen drawing ')
})

test('what a browser puts into an element is shown, what its scripts put somewhere is not', () => {
  const html =
    '<x-card><template shadowrootmode="open"><p>In</p></template><p>Out</p></x-card><template><p>No</p></template>'
  assert.equal(textOf(html), 'In\n\nOut\n\n')
})

test('a hidden element that nobody closed ends with what is around it', () => {
  assert.equal(textOf('<table><tr><td>a<span hidden>b</td><td>c</td></tr></table>'), 'a | c\n\n')
})

test('entities are decoded, soft hyphens go, words that tags part stay whole', () => {
  assert.equal(textOf('<p>&Eacute;cole &#x20AC;5 &notin; ex&shy;am<b>ple</b>'), 'École €5 ∉ example\n\n')
})

test('a heading that is never closed does not swallow the page', () => {
  assert.deepEqual(
    read('<h2>Part<p>text<p>more').map(({ kind }) => kind),
    ['heading', 'paragraph', 'paragraph'],
  )
})

test('a first row of names in bold is the head of its table, one of values or of half of them is not', () => {
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

test('a page without words is refused with the likely reason', () => {
  assert.throws(
    () => read('<html><body><div id=app></div><script>start()</script>'),
    (error: unknown) =>
      error instanceof ApiError && error.code === 'unprocessable_document' && /scripts/.test(error.message),
  )
})

test('a page that has a title alone is read with a warning', () => {
  const warnings = (html: string) =>
    [...readText(createHtmlReader, html)].flatMap((event) => ('warning' in event ? [event.warning] : []))
  assert.match(warnings('<title>Quays</title><div id=app></div>')[0] ?? '', /no text but its title.*scripts/)
  assert.deepEqual(warnings('<title>Quays</title><p>text'), [])
})

test('in XML every element may end with its own tag, in HTML only those of drawings may', () => {
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

test('the parts of a formula stand to each other in its line', () => {
  const fraction = '<mfrac><mi>s</mi><mrow><mi>t</mi><mo>+</mo><mn>1</mn></mrow></mfrac>'
  assert.equal(
    textOf(`<p>So <math><mi>v</mi><mo>=</mo>${fraction}<mo>·</mo><msup><mi>x</mi><mn>2</mn></msup></math> holds.</p>`),
    'So v=s/(t+1)·x^2 holds.\n\n',
  )
  assert.equal(textOf('<p><math><mfrac><mi>s</math> and <msup>on</msup></p>'), 's and on\n\n')
})

test('nesting of 100,000 elements, tables and lists costs no stack and loses no word', () => {
  for (const tag of ['<div>', '<table><tr><td>', '<ol><li>', '<b>', '<div hidden></div><div>']) {
    assert.match(textOf(`${tag.repeat(100_000)}word`), /word/, tag)
  }
})

test('no block is longer than 8,000 characters, and nothing is lost where one is cut', () => {
  const words = Array.from({ length: 9000 }, (_, index) => `w${index}`).join(' ')
  const blocks = read(`<p>${words}</p>`)
  assert.ok(blocks.every(({ text }) => text.length <= 8000))
  assert.equal(textOf(`<p>${words}</p>`), `${words}\n\n`)
})

test('the text is the same wherever the pieces of the file are cut', () => {
  const html =
    '<title>T</title><h1>A &amp; b</h1><p>one <b>two</b>\r\n three<script>x</script><table><tr><td>a<td>b</table>'
  assertCutAnywhere(createHtmlReader, html)
})
