import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltChapter, buildEpub, type EpubParts } from '../../../test/support/build-epub.ts'
import { buildZip } from '../../../test/support/build-zip.ts'
import { linesOf, type ReadOffice, readEpub } from '../../../test/support/read-office.ts'

const read = (bodies: readonly string[], parts?: EpubParts): Promise<ReadOffice> =>
  readEpub(
    buildEpub(
      bodies.map((body, index): BuiltChapter => ({ name: `c ${index}.xhtml`, body })),
      parts,
    ),
  )
/** The lines behind the record of the book. */
const lines = async (...given: Parameters<typeof read>) => linesOf(await read(...given)).slice(1)
const entry = (href: string, title: string, below = '') =>
  `<li><a href="${href}">${title}</a>${below === '' ? '' : `<ol>${below}</ol>`}</li>`

test('a book begins with its title and authors, and its chapters follow in reading order', async () => {
  const authors = ['Ann Brandt', 'Bo Orlund']
  const { blocks, titles, pages, warnings } = await read(
    [
      '<h1>One</h1><p>First &amp; last&nbsp;light.</p>',
      '<h2>Two</h2><ol><li>wick</li></ol><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    ],
    { authors },
  )
  assert.deepEqual(linesOf({ blocks }), [
    ...['record: Title: The Varn light\nAuthor: Ann Brandt; Bo Orlund', 'heading1: One'],
    ...['paragraph: First & last\u00a0light.', 'heading2: Two', 'list-item: 1. wick', 'table-header: a | b'],
    'table-row: 1 | 2',
  ])
  assert.deepEqual([titles, pages, warnings], [['The Varn light'], [], []])
})

test('titles of the table of contents are headings where the text has none', async () => {
  const bodies = [
    '<p class="title">Chapter 1</p><p>The Wick</p><p>It burns.</p>',
    '<h1>The Rock</h1><p>It stands.</p>',
    '<p>No title here.</p><p id="s1">Under it.</p><a id="s2"/><p>At the end.</p>',
  ]
  const nav =
    entry('c%200.xhtml', 'Chapter 1: The Wick') +
    entry('c%201.xhtml', 'Chapter 2. The Rock') +
    entry(
      'c%202.xhtml',
      'Sea',
      entry('c%202.xhtml#s1', 'Swell') + entry('c%202.xhtml#s2', 'Ebb') + entry('gone.xhtml#x', 'Gone'),
    )
  const expected = [
    ...['heading1: Chapter 1: The Wick', 'paragraph: It burns.', 'heading1: The Rock', 'paragraph: It stands.'],
    ...['heading1: Sea', 'paragraph: No title here.', 'heading2: Swell', 'paragraph: Under it.', 'heading2: Ebb'],
    'paragraph: At the end.',
  ]
  assert.deepEqual(await lines(bodies, { nav }), expected)
  const point = (href: string, title: string, below = '') =>
    `<navPoint><navLabel><text>${title}</text></navLabel><content src="${href}"/>${below}</navPoint>`
  const ncx =
    point('c%200.xhtml', 'Chapter 1: The Wick') +
    point('c%201.xhtml', 'Chapter 2. The Rock') +
    point('c%202.xhtml', 'Sea', point('c%202.xhtml#s1', 'Swell') + point('c%202.xhtml#s2', 'Ebb'))
  assert.deepEqual(await lines(bodies, { ncx }), expected)
})

test('a part above its first chapter keeps its title, a cover without text does not', async () => {
  const nav =
    entry('c%200.xhtml', 'Cover') +
    `<li><span>Part One</span><ol>${entry('c%201.xhtml', 'Night')}</ol></li>` +
    entry('c%202.xhtml', 'Pictures')
  assert.deepEqual(
    await lines(['<img src="c.png"/>', '<p>Dark.</p>', '<img src="c.png"/>', '<p>After.</p>'], { nav }),
    [...['heading1: Part One', 'heading2: Night', 'paragraph: Dark.', 'paragraph: After.']],
  )
})

test('pages that are pictures are counted, and a book of pictures alone is refused', async () => {
  const { warnings } = await read(['<img src="1.png"/>', '<p>Text.</p>', '<svg><image href="2.png"/></svg>'])
  assert.deepEqual(warnings, ['2 pages are pictures and were not read.'])
  await assert.rejects(read(['<img src="1.png"/>']), {
    code: 'unprocessable_document',
    message: /its pages are pictures/,
  })
  await assert.rejects(read(['']), /The book has no text\.$/)
})

const encryption = (algorithm: string, ...parts: string[]) =>
  `<encryption xmlns:enc="x">${parts
    .map(
      (part) =>
        `<enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${part}"/></enc:CipherData></enc:EncryptedData>`,
    )
    .join('')}</encryption>`
const AES = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'

test('a copy protected book is refused, one with garbled fonts is read', async () => {
  const locked = { 'META-INF/encryption.xml': encryption(AES, 'OEBPS/c%200.xhtml', 'OEBPS/c%201.xhtml') }
  await assert.rejects(read(['<p>a</p>', '<p>b</p>'], { files: locked }), {
    code: 'unprocessable_document',
    message: /copy protected \(DRM\)/,
  })
  const fonts = { 'META-INF/encryption.xml': encryption('http://www.idpf.org/2008/embedding', 'OEBPS/c%200.xhtml') }
  assert.deepEqual(await lines(['<p>a</p>'], { files: fonts }), ['paragraph: a'])
  const half = { 'META-INF/encryption.xml': encryption(AES, 'OEBPS/c%201.xhtml') }
  assert.deepEqual((await read(['<p>a</p>', '<p>b</p>'], { files: half })).warnings, [
    'The chapter OEBPS/c 1.xhtml is encrypted (DRM) and was not read.',
  ])
})

test('missing chapters and damaged lists are named, and the rest is read', async () => {
  const two = [
    { name: 'a.xhtml', body: '<p>a</p>' },
    { name: 'b.xhtml', body: '<p>b</p>' },
  ]
  const whole = buildEpub(two)
  const gone = Buffer.from(whole.toString('latin1').replaceAll('OEBPS/a.xhtml', 'OEBPS/z.xhtml'), 'latin1')
  const read = await readEpub(gone)
  assert.deepEqual([linesOf(read).at(-1), read.warnings], ['paragraph: b', ['The chapter OEBPS/a.xhtml is missing.']])
  for (const files of [{ 'OEBPS/book.opf': '<package><manif' }, { 'META-INF/container.xml': '<container/>' }]) {
    const { text, warnings } = await readEpub(buildEpub(two, { files }))
    assert.match(text, /a\n\nb\n\n$/)
    assert.ok(files['META-INF/container.xml'] !== undefined || warnings.length > 0)
  }
  await assert.rejects(readEpub(buildZip({ mimetype: 'application/epub+zip' })), /it has no chapters/)
})

test('a chapter that is listed often is read once, in the encoding that it declares', async () => {
  const spine = '<itemref idref="c"/>'.repeat(1_000)
  const files = {
    'OEBPS/book.opf': `<package><manifest><item id="c" href="./c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${spine}</spine></package>`,
    'OEBPS/c.xhtml': Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>Caf\xe9</p></body></html>',
      'latin1',
    ),
  }
  assert.equal((await readEpub(buildEpub([], { files }))).text, 'Café\n\n')
})

test('many ids and entries are found in linear time', async () => {
  const body = Array.from({ length: 4_000 }, (_, index) => `<p id="p${index}">t${index}</p>`).join('')
  const nav = Array.from({ length: 4_000 }, (_, index) => entry(`c%200.xhtml#p${index}`, `Entry ${index}`)).join('')
  const started = performance.now()
  const { blocks } = await read([`${body}<p ${'id '.repeat(100_000)}`], { nav })
  assert.equal(blocks.filter(({ kind }) => kind === 'heading').length, 4_000)
  assert.ok(performance.now() - started < 10_000)
})
