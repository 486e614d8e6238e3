import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import { readText } from '../text/read-text.ts'
import { createXmlReader } from './xml-reader.ts'

function textOf(xml: string): string {
  return [...readText(createXmlReader, xml)].map((event) => ('block' in event ? event.block.text : '')).join('')
}

test('separates the parts of a reference and puts each reference on a line', () => {
  const name = (family: string, given: string) =>
    `<name><surname>${family}</surname><given-names>${given}</given-names></name>`
  const cited = `<ref><label>1.</label><element-citation><person-group>${name('Bain', 'D')}</person-group><article-title>On <italic>qu</italic>ays</article-title><year>2001</year></element-citation></ref>`
  const mixed = `<ref><label>2.</label><mixed-citation>${name('Rae', 'B')}, <year>2019</year>;<volume>3</volume>.</mixed-citation></ref>`
  assert.equal(
    textOf(`<article><ref-list>${cited}${mixed}</ref-list></article>`),
    '1.\nBain D On quays 2001\n\n2.\nRae B, 2019;3.\n\n',
  )
})

test("separates an editor's addition from the word", () => {
  const word = '<choice><sic>steemer</sic><corr>steamer</corr></choice>'
  assert.equal(textOf(`<TEI><p>The ${word} came.</p></TEI>`), 'The steemer steamer came.\n\n')
})

test('reads a sentence that starts with an element', () => {
  assert.equal(
    textOf('<TEI><p><persName>Mr <surname>Rae</surname></persName> brought coal.</p></TEI>'),
    'Mr Rae brought coal.\n\n',
  )
  assert.equal(textOf('<article><para><guilabel>Open</guilabel> it.</para></article>'), 'Open it.\n\n')
})

test('separates tables, lists, images and code within a paragraph', () => {
  const table =
    '<table-wrap><label>Table 2</label><caption><title>Growth</title></caption><table><tr><th>Plot</th><th>mm</th></tr><tr><td>Open</td><td>1.1</td></tr></table></table-wrap>'
  assert.equal(
    textOf(`<article><p>We saw:${table}It was slow.</p></article>`),
    'We saw:\n\nTable 2\n\nGrowth\n\nPlot | mm\nOpen | 1.1\n\nIt was slow.\n\n',
  )
  const list = '<list><list-item><p>in hollows</p></list-item></list>'
  assert.equal(textOf(`<article><p>It grows${list}</p></article>`), 'It grows\n\nin hollows\n\n')
  assert.equal(
    textOf('<article><para>Run so:<programlisting>a\nb</programlisting></para></article>'),
    'Run so:\n\na\nb\n\n',
  )
})

test('linearizes a formula and extracts the formula from a TeX file', () => {
  const tex = '\\documentclass{minimal} \\usepackage{a} \\begin{document}$$r=\\frac{a}{b}$$\\end{document}'
  const math =
    '<mml:math><mml:mi>r</mml:mi><mml:mo>=</mml:mo><mml:mfrac><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:mrow><mml:msup><mml:mi>b</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:mfrac></mml:math>'
  const xml = `<article><p>So <alternatives><tex-math>${tex}</tex-math>${math}</alternatives> holds.</p></article>`
  assert.equal(textOf(xml), 'So $$r=\\frac{a}{b}$$ r=(a+1)/b^2 holds.\n\n')
  assertCutAnywhere(createXmlReader, xml)
})

test('reads an element of only attributes as a record', () => {
  const book = (title: string, year: string) => `<book title="${title}" year="${year}"/>`
  assert.equal(
    textOf(`<shelf>${book('Quays', '1993')}${book('Moles', '2001')}</shelf>`),
    'book title: Quays, year: 1993\nbook title: Moles, year: 2001\n\n',
  )
})

test('names the fields of a MARC record by their codes', () => {
  const field =
    '<datafield tag="245"><subfield code="a">Quays</subfield><subfield code="c">A. Rae</subfield></datafield>'
  assert.equal(
    textOf(`<record><controlfield tag="001">77</controlfield>${field}</record>`),
    '001: 77\n\ndatafield tag: 245\na: Quays\nc: A. Rae\n\n',
  )
})

test('reads HTML in a company report', () => {
  const page = '&lt;p&gt;Leases are carried at &lt;b&gt;cost&lt;/b&gt;.&lt;/p&gt;'
  assert.match(textOf(`<xbrl><Policies>${page}</Policies><Revenue>4</Revenue></xbrl>`), /Leases are carried at cost\./)
})
