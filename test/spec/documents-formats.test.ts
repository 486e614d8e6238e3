import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Hit } from './shapes.ts'
import { find, makeMemory, readDocument, readText, type Upload, upload, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

/**
 * Uploads the file alone into a memory, checks every hit against the extracted text, and returns
 * the hits.
 */
async function hitsOf(file: Upload, query: string): Promise<{ hits: Hit[]; text: string }> {
  const memoryId = await makeMemory(service)
  const id = await uploadReady(service, memoryId, file)
  const text = await readText(service, memoryId, id)
  const { hits } = await find(service, memoryId, query, { options: { limit: 50 } })
  for (const hit of hits) assert.equal(hit.text, text.slice(hit.startOffset, hit.endOffset))
  return { hits, text }
}

test('TXT is read unchanged', async () => {
  verifies('documents.types.txt', 'find.offsets')
  const content = 'First paragraph about badgers.\n\nSecond paragraph about foxes.\n'
  const { hits, text } = await hitsOf({ content, filename: 'a.txt' }, 'foxes')
  assert.equal(text, content)
  assert.match(hits[0]?.text ?? '', /foxes/)
})

test('LOG keeps an entry and its stack trace together', async () => {
  verifies('documents.types.log')
  const entry = (index: number) => `2026-03-01T10:00:0${index % 10}Z INFO request ${index} served in ${index} ms\n`
  const trouble = '2026-03-01T10:00:05Z ERROR ERR_4012 pump failed\n    at pump (motor.js:4)\n    at main (app.js:9)\n'
  const lines = Array.from({ length: 60 }, (_, index) => entry(index))
  const content = [...lines, trouble, ...lines].join('')
  const { hits, text } = await hitsOf({ content, filename: 'service.log' }, 'ERR_4012')
  assert.equal(text, content)
  assert.match(hits[0]?.text ?? '', /ERR_4012[\s\S]*motor\.js:4[\s\S]*app\.js:9/)
})

test('Markdown keeps its sections', async () => {
  verifies('documents.types.markdown')
  const filler = 'Words that fill the section so that it stands alone. '.repeat(18)
  const content = `# Handbook\n\n${filler}\n\n## Escalation\n\nCall the duty officer. ${filler}\n\n## Storage\n\nShelves. ${filler}\n`
  const { hits, text } = await hitsOf({ content, filename: 'handbook.md' }, 'duty officer')
  assert.equal(text, content)
  assert.match(hits[0]?.section ?? '', /Escalation/)
  assert.match(hits[0]?.text ?? '', /duty officer/)
})

test('CSV rows stay whole, also with quoted line breaks and semicolons', async () => {
  verifies('documents.types.csv', 'find.offsets')
  for (const [name, mark] of [
    ['stock.csv', ','],
    ['lager.csv', ';'],
  ] as const) {
    const rows = Array.from({ length: 200 }, (_, index) =>
      [`P-${1000 + index}`, `"Part ${index}\nsecond line"`, `${index}`].join(mark),
    )
    const content = `${['number', 'name', 'amount'].join(mark)}\n${rows.join('\n')}\n`
    const { hits, text } = await hitsOf({ content, filename: name, type: 'text/csv' }, 'P-1137')
    assert.equal(text, content)
    const hit = hits.find((one) => one.text.includes('P-1137'))
    assert.equal(hit, hits[0])
    assert.ok(hit?.text.includes(rows[137] ?? '?'), hit?.text)
  }
})

test('TSV is read as rows', async () => {
  verifies('documents.types.tsv')
  const content = 'city\tmayor\nOslo\tAnne Lindboe\nBergen\tMarit Warncke\n'
  const { hits, text } = await hitsOf({ content, filename: 'cities.tsv' }, 'mayor of Bergen')
  assert.equal(text, content)
  assert.match(hits[0]?.text ?? '', /Bergen\tMarit Warncke/)
})

test('JSON is read with its records whole', async () => {
  verifies('documents.types.json', 'find.offsets')
  const records = Array.from({ length: 120 }, (_, index) => ({
    id: index,
    label: `Sensor ${index}`,
    room: `Room R${index}`,
  }))
  const content = JSON.stringify(records, null, 2)
  const { hits, text } = await hitsOf({ content, filename: 'sensors.json', type: 'application/json' }, 'Room R77')
  assert.equal(text, content)
  const record = JSON.stringify([records[77]], null, 2).slice(4, -2)
  assert.ok(hits[0]?.text.includes(record), hits[0]?.text)
})

test('JSONL and NDJSON are read line by line', async () => {
  verifies('documents.types.jsonl', 'find.offsets')
  for (const filename of ['events.jsonl', 'events.ndjson']) {
    const lines = Array.from({ length: 150 }, (_, index) =>
      JSON.stringify({ event: `login${index}`, user: `user-${index}` }),
    )
    const content = `${lines.join('\n')}\n`
    const { hits, text } = await hitsOf({ content, filename }, 'user-91')
    assert.equal(text, content)
    assert.ok(hits[0]?.text.includes(lines[91] ?? '?'), hits[0]?.text)
  }
})

test('a JSONL file with a few bad lines is read and warned about', async () => {
  verifies('documents.types.jsonl')
  const memoryId = await makeMemory(service)
  const lines = ['{"a":"heron"}', '{"a":', '{"a":"stork"}', '{"a":"crane"}']
  const answer = await upload(service, memoryId, { content: lines.join('\n'), filename: 'birds.jsonl' })
  assertStatus(answer, 200)
  assert.ok(
    answer.json.warnings.some(({ message }) => /\b2\b/.test(message)),
    answer.text,
  )
})

/** Text byte by byte, for encodings that Node cannot write. */
const bytes = (...values: number[]) => Uint8Array.from(values)

function utf16(text: string, bigEndian: boolean, mark: boolean): Uint8Array<ArrayBuffer> {
  const little = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
  return Uint8Array.from(bigEndian ? little.swap16() : little)
}

function utf32(text: string): Uint8Array<ArrayBuffer> {
  const points = ['\ufeff', ...text].map((character) => character.codePointAt(0) ?? 0)
  const buffer = Buffer.alloc(points.length * 4)
  for (const [index, point] of points.entries()) buffer.writeUInt32LE(point, index * 4)
  return Uint8Array.from(buffer)
}

test('Unicode in every usual form is decoded, and the byte order mark is no text', async () => {
  verifies('documents.types.txt')
  const text = 'Größe und Länge: 12 €. Ελληνικά, русский, 日本語 and 😀 in one line of text.'
  const files = {
    'utf-8': Uint8Array.from(Buffer.from(text)),
    'utf-8 with mark': Uint8Array.from(Buffer.from(`\ufeff${text}`)),
    'utf-16le with mark': utf16(text, false, true),
    'utf-16be with mark': utf16(text, true, true),
    'utf-32le with mark': utf32(text),
  }
  const memoryId = await makeMemory(service)
  for (const [name, content] of Object.entries(files)) {
    const id = await uploadReady(service, memoryId, { content, filename: `${name}.txt` })
    assert.equal(await readText(service, memoryId, id), text, name)
  }
  const latin = 'Plain western text without any mark at its beginning, as old editors wrote it.\r\n'.repeat(4)
  for (const bigEndian of [false, true]) {
    const id = await uploadReady(service, memoryId, { content: utf16(latin, bigEndian, false), filename: 'bare.txt' })
    assert.equal(await readText(service, memoryId, id), latin)
  }
})

test('the old one-byte and East Asian encodings are decoded', async () => {
  verifies('documents.types.txt', 'documents.types.csv')
  const memoryId = await makeMemory(service)
  const western = Uint8Array.from(
    Buffer.from('Die Größe der Wälder überraschte die Gäste aus Österreich sehr.\n'.repeat(5), 'latin1'),
  )
  const euro = bytes(...Buffer.from('price;'), 0x80, ...Buffer.from(' 12,50 \x96 approx.\n', 'latin1'))
  const cyrillic = bytes(
    ...'Город стоит на берегу реки, и каждое утро рыбаки выходят на лодках. '.repeat(5).split('').map(to1251),
  )
  const japanese = bytes(
    ...Array.from({ length: 8 }, () => [
      0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x95, 0xb6, 0x8f, 0xcd, 0x82, 0xc5, 0x82, 0xb7, 0x81, 0x42,
    ]).flat(),
  )
  const rows: [string, Uint8Array<ArrayBuffer>, RegExp][] = [
    ['western.txt', western, /Größe der Wälder überraschte/],
    ['euro.csv', euro, /€ 12,50 – approx/],
    ['cyrillic.txt', cyrillic, /рыбаки выходят на лодках/],
    ['japanese.txt', japanese, /日本語の文章です。/],
  ]
  for (const [filename, content, expected] of rows) {
    const id = await uploadReady(service, memoryId, { content, filename })
    assert.match(await readText(service, memoryId, id), expected, filename)
  }
})

/** A Cyrillic character in windows-1251. */
function to1251(character: string): number {
  const code = character.charCodeAt(0)
  if (code === 0x451) return 0xb8
  return code >= 0x410 && code <= 0x44f ? code - 0x350 : code
}

test('offsets count UTF-16 code units, past characters of two', async () => {
  verifies('find.offsets')
  const content = `${'😀 Smileys stand before this. '.repeat(60)}\n\nThe walrus sleeps here.\n`
  const { hits } = await hitsOf({ content, filename: 'smileys.txt' }, 'walrus sleeps')
  assert.match(hits[0]?.text ?? '', /walrus/)
})

test('one line of 1.5 MB without a break is read and found', async () => {
  verifies('documents.types.txt')
  const content = `${'abcdefghij'.repeat(75_000)} needleword ${'klmnopqrst'.repeat(75_000)}`
  const { hits, text } = await hitsOf({ content, filename: 'long.txt' }, 'needleword')
  assert.equal(text.length, content.length)
  assert.match(hits[0]?.text ?? '', /needleword/)
})

test('a type that a name or a sender claims wrongly does not decide', async () => {
  verifies('documents.types.txt', 'errors.415.unsupported_file_type')
  const memoryId = await makeMemory(service)
  const id = await uploadReady(service, memoryId, {
    content: 'Only plain words.',
    filename: 'plain.txt',
    type: 'image/png',
  })
  assert.equal((await readDocument(service, memoryId, id)).mimeType, 'text/plain')
  const archive = bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, ...Array.from({ length: 40 }, () => 0))
  const answer = await upload(service, memoryId, { content: archive, filename: 'words.txt', type: 'text/plain' })
  assertError(answer, 415, 'unsupported_file_type')
})
