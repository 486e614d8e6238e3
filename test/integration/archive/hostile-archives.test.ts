import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { ApiError } from '../../../src/errors.ts'
import { buildZip } from '../../support/build-zip.ts'
import { refusedAs } from '../services/fixtures.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { type ArchiveFixture, openArchiveFixture } from './archive-fixture.ts'
import { type ArchiveParts, openArchive } from './rewrite-archive.ts'

const DOCUMENTS = 'documents/00000001.ndjson'
const CHUNKS = 'chunks/00000001.ndjson'
const VECTORS = 'vectors/00000001.f32'
const WINDOWS = 'windows/00000001.i8'
const ORIGINAL = 'originals/00000001'

/** A fixture with an archive of three documents, and its state before any import. */
async function openFixture(t: TestContext) {
  const fixture = await openArchiveFixture(t)
  const options = { storeSource: true }
  const texts = ['The tide is low at noon.', 'The tide is high at six.', 'Nobody swims at night.']
  await fixture.add(
    {},
    texts.map((text, at) => textDocument(text, { externalId: `tide-${at}` })),
    options,
  )
  const archive = await fixture.exportWhole(fixture.memory.id)
  return { ...fixture, archive, before: await takeStock(fixture) }
}

/**
 * The possible leftovers of an import: rows, objects, memory files, temporary files. Leftovers in
 * the deletion outbox do not count.
 */
async function takeStock({ parts, files }: ArchiveFixture) {
  const { db, blobs, temporaryDirectory } = parts
  const count = async (table: 'documents' | 'memories' | 'intents' | 'jobs' | 'document_texts' | 'signatures') => {
    const rows = await db
      .selectFrom(table)
      .select((all) => all.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows.rows)
  }
  return {
    documents: await count('documents'),
    memories: await count('memories'),
    intents: await count('intents'),
    jobs: await count('jobs'),
    texts: await count('document_texts'),
    signatures: await count('signatures'),
    objects: await blobs.list('memories/'),
    memoryFiles: (await files.list()).sort(),
    temporary: (await readdir(temporaryDirectory)).filter((name) => /^(upload|archive)-/.test(name)),
  }
}

const OTHER_WORDS = /A chunk of document 1 differs from the text at its offsets/

/**
 * Changes that make a valid archive invalid, by fault; all but the last of the first group have a
 * valid seal.
 */
const CHANGES: readonly [title: string, expected: RegExp, change: (parts: ArchiveParts) => unknown][] = [
  ['another format', /not a memory archive/, (a) => a.edit('memory.json', (head) => ({ ...head, format: 'x' })).seal()],
  ['version 0', /memory\.json/, (a) => a.edit('memory.json', (head) => ({ ...head, version: 0 })).seal()],
  ['a head without a name', /memory\.json/, (a) => a.edit('memory.json', (head) => ({ ...head, memory: {} })).seal()],
  ['a head that is not JSON', /memory\.json/, (a) => a.replace('memory.json', Buffer.from('{')).seal()],
  ['a huge head', /too large/, (a) => a.replace('memory.json', Buffer.alloc(2 * 1024 * 1024, 32)).seal()],
  ['no head', /not a memory archive/, (a) => a.remove('memory.json').seal()],
  ['no manifest', /manifest\.json is missing/, (a) => a.remove('manifest.json')],
  ['no documents', /outside the part|missing|number/, (a) => a.remove(DOCUMENTS).seal()],
  ['no vectors', /out of order/, (a) => a.remove(VECTORS).seal()],
  ['no windows', /out of order/, (a) => a.remove(WINDOWS).seal()],
  ['no chunks', /out of order|missing/, (a) => a.remove(CHUNKS).seal()],
  ['an original missing', /Parts of document 1 are missing/, (a) => a.remove(ORIGINAL).seal()],
  ['an original of another length', /unexpected entry/, (a) => a.replace(ORIGINAL, Buffer.from('x')).seal()],
  ['an original twice', /unexpected entry/, (a) => a.insert(ORIGINAL, a.find(ORIGINAL).content, ORIGINAL).seal()],
  ['an original of no document', /outside the part/, (a) => a.rename(ORIGINAL, 'originals/00000009').seal()],
  [
    'a text that nobody wants',
    /unexpected entry/,
    (a) => a.insert('texts/00000001.txt', Buffer.from('x'), ORIGINAL).seal(),
  ],
  ['parts that begin with the second', /not in order/, (a) => a.rename(DOCUMENTS, 'documents/00000002.ndjson').seal()],
  ['an unknown entry', /unknown entry/, (a) => a.insert('readme.txt', Buffer.from('x'), CHUNKS).seal()],
  ['a path upwards', /unknown entry/, (a) => a.insert('../x', Buffer.from('x'), CHUNKS).seal()],
  ['an absolute path', /unknown entry/, (a) => a.insert('/etc/x', Buffer.from('x'), CHUNKS).seal()],
  ['a path upwards in a known folder', /unknown entry/, (a) => a.rename(ORIGINAL, 'originals/../../00000001').seal()],
  ['something behind the manifest', /continues after manifest\.json/, (a) => a.insert('x', Buffer.from('x'), null)],
  [
    'a wrong hash',
    /SHA-256/,
    (a) => a.replace(ORIGINAL, Buffer.from(a.find(ORIGINAL).content.toString().toUpperCase())),
  ],
  [
    'an entry that the manifest does not name',
    /does not match the entries/,
    (a) => a.edit('manifest.json', (m) => ({ ...m, entries: (m['entries'] as []).slice(0, -1) })),
  ],
  [
    'wrong counts',
    /number of documents or chunks differs/,
    (a) => a.edit('manifest.json', (m) => ({ ...m, counts: { documents: 9, corrections: 0, chunks: 3 } })),
  ],
  [
    'another vector length',
    /vector length differs/,
    (a) => a.edit('manifest.json', (m) => ({ ...m, embedder: { ...(m['embedder'] as object), dimensions: 3 } })),
  ],
  [
    'two models',
    /different embedding models/,
    (a) => a.edit('memory.json', (head) => ({ ...head, embedder: { model: 'x' } })).seal(),
  ],
  [
    'vectors too short',
    /number of vectors differs/,
    (a) => a.replace(VECTORS, a.find(VECTORS).content.subarray(4)).seal(),
  ],
  [
    'no numbers in the vectors',
    /not numeric/,
    (a) => a.replace(VECTORS, Buffer.alloc(a.find(VECTORS).content.length, 0xff)).seal(),
  ],
  ['infinite vectors', /not numeric/, (a) => a.replace(VECTORS, toInfinity(a.find(VECTORS).content)).seal()],
  [
    'windows too many',
    /number of window vectors differs/,
    (a) => a.replace(WINDOWS, Buffer.concat([a.find(WINDOWS).content, Buffer.alloc(1)])).seal(),
  ],
  [
    'huge counts of windows',
    /number of window vectors differs/,
    (a) => a.edit(CHUNKS, (c) => ({ ...c, windows: 2_000_000_000 })).seal(),
  ],
  ['a line that is not JSON', /not valid JSON/, (a) => a.edit(DOCUMENTS, () => '{').seal()],
  [
    'a line of another form',
    /does not match its schema at \/title/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, title: 3 })).seal(),
  ],
  [
    'a header in a type',
    /does not match its schema at \/mimeType/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, mimeType: 'a\r\nb: c' })).seal(),
  ],
  [
    'a link that is a script',
    /does not match its schema at \/url/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, url: 'javascript:alert(1)' })).seal(),
  ],
  ['NUL in a title', /NUL/, (a) => a.edit(DOCUMENTS, (d) => ({ ...d, title: 'a\0b' })).seal()],
  ['numbers with a gap', /not in order/, (a) => a.edit(DOCUMENTS, (d) => ({ ...d, number: 2 })).seal()],
  [
    'a huge number of chunks',
    /Parts of document 1 are missing/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, chunkCount: 2_000_000_000 })).seal(),
  ],
  [
    'a count that is no count',
    /does not match its schema|is invalid/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, chunkCount: 1e300 })).seal(),
  ],
  [
    'a correction that is a file',
    /inconsistent sourceType/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, sourceType: 'correction' })).seal(),
  ],
  [
    'one externalId twice',
    /the same externalId/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, externalId: 'tide-1' })).seal(),
  ],
  ['a chunk of no document', /outside the part/, (a) => a.edit(CHUNKS, (c) => ({ ...c, document: 77 })).seal()],
  ['a chunk twice', /duplicated or out of range/, (a) => a.edit(CHUNKS, (c) => ({ ...c, document: 2 })).seal()],
  [
    'a chunk that ends before it begins',
    /duplicated or out of range/,
    (a) => a.edit(CHUNKS, (c) => ({ ...c, startOffset: 9, endOffset: 3 })).seal(),
  ],
  [
    'a chunk of other words',
    OTHER_WORDS,
    (a) => a.edit(CHUNKS, (c) => ({ ...c, text: 'The tide is low at dusk.' })).seal(),
  ],
  [
    'a chunk of another place',
    OTHER_WORDS,
    (a) => a.edit(CHUNKS, (c) => ({ ...c, startOffset: 1, endOffset: 25 })).seal(),
  ],
  [
    'a chunk that says to be longer',
    OTHER_WORDS,
    (a) => a.edit(CHUNKS, (c) => ({ ...c, endOffset: 2_000_000_000 })).seal(),
  ],
  [
    'a text of other words',
    /Document 1 is damaged\. The hash of the text differs/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, text: 'The tide is low at dusk.' })).seal(),
  ],
  [
    'a text and its chunk of other words, alike',
    /Document 1 is damaged\. The hash of the text differs/,
    (a) => {
      const text = 'The tide is low at dusk.'
      return a
        .edit(DOCUMENTS, (d) => ({ ...d, text }))
        .edit(CHUNKS, (c) => ({ ...c, text }))
        .seal()
    },
  ],
  [
    'an original of other bytes',
    /Document 1 is damaged\. The SHA-256 of the original differs/,
    (a) => a.replace(ORIGINAL, Buffer.from('The tide is low at dusk.')).seal(),
  ],
  [
    'an original of another size than its document says',
    /Document 1 is damaged\. The size of the original differs/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, sizeBytes: 3 })).seal(),
  ],
  ['a document whose chunks are not consecutive', /are not consecutive/, (a) => twiceAsMany(a).seal()],
  [
    'a text of another length',
    /Document 1 is damaged\. The length of the text differs/,
    (a) => a.edit(DOCUMENTS, (d) => ({ ...d, text: 'The tide is low at noon. Bathe!' })).seal(),
  ],
  [
    'a part of millions of values',
    /too many JSON values/,
    (a) => a.replace(DOCUMENTS, Buffer.from(`{"tags":[${'[],'.repeat(2_600_000)}[]]}\n`)).seal(),
  ],
  [
    'millions of values on the lines of a part',
    /too many JSON values/,
    (a) => a.replace(CHUNKS, Buffer.from(`[${'[],'.repeat(26_000)}[]]\n`.repeat(100))).seal(),
  ],
  ['a line nested deep', /nested deeper/, (a) => a.replace(CHUNKS, Buffer.from(`${'['.repeat(100_000)}\n`)).seal()],
  ['a head nested deep', /nested deeper/, (a) => a.replace('memory.json', Buffer.from('['.repeat(100_000))).seal()],
  [
    'a manifest of more values than the archive has things',
    /manifest\.json has too many JSON values/,
    (a) => a.edit('manifest.json', (m) => JSON.stringify(m).replace('"dropped":[', `$&${'[],'.repeat(9_000)}`)),
  ],
  [
    'a manifest far larger than that of such an archive is',
    /manifest\.json is too large/,
    (a) => a.edit('manifest.json', (m) => JSON.stringify(m).replace('"dropped":[', `$&${'[],'.repeat(1_000_000)}`)),
  ],
  [
    'no line end',
    /does not end with a line break/,
    (a) => a.replace(CHUNKS, a.find(CHUNKS).content.subarray(0, -1)).seal(),
  ],
]

/** The archive with two identical chunks in each document, the second after all first ones. */
function twiceAsMany(a: ArchiveParts): ArchiveParts {
  for (const line of [0, 1, 2]) a.edit(DOCUMENTS, (d) => ({ ...d, chunkCount: 2 }), line)
  const lines = a.find(CHUNKS).content.toString()
  const seconds = lines.replaceAll('"index":0', '"index":1')
  const twice = (name: string) => Buffer.concat([a.find(name).content, a.find(name).content])
  return a
    .edit('manifest.json', (m) => ({ ...m, counts: { documents: 3, corrections: 0, chunks: 6 } }))
    .replace(CHUNKS, Buffer.from(lines + seconds))
    .replace(VECTORS, twice(VECTORS))
    .replace(WINDOWS, twice(WINDOWS))
}

function toInfinity(vectors: Buffer): Buffer {
  const changed = Buffer.from(vectors)
  changed.writeFloatLE(Number.POSITIVE_INFINITY, 0)
  return changed
}

test('an archive with any fault is refused with the reason and leaves nothing', async (t) => {
  const fixture = await openFixture(t)
  for (const [title, expected, change] of CHANGES) {
    const parts = await openArchive(fixture.archive)
    change(parts)
    await assert.rejects(fixture.importWhole(await parts.write()), isRefusal(expected), title)
  }
  assert.deepEqual(await takeStock(fixture), fixture.before)
})

test('an address is accepted in every form a client may have used', async (t) => {
  const fixture = await openFixture(t)
  for (const url of ['https://example.org/a b', 'HTTP://Example.org', ' http:example.org']) {
    const parts = await openArchive(fixture.archive)
    parts.edit(DOCUMENTS, (d) => ({ ...d, url })).seal()
    assert.equal((await fixture.importWhole(await parts.write())).documentCount, 3, url)
  }
})

test('a long text that does not match its chunks and document is refused and leaves nothing', async (t) => {
  const fixture = await openArchiveFixture(t)
  const lines = Array.from(
    { length: 2000 },
    (_, line) => `Line ${line} tells of pump ${line % 17} and valve ${line % 29}.`,
  )
  await fixture.add({}, [textDocument('A short one.'), textDocument(lines.join('\n\n'))])
  const archive = await fixture.exportWhole(fixture.memory.id)
  const before = await takeStock(fixture)
  const changed = async (change: (text: string) => string) => {
    const parts = await openArchive(archive)
    const { content } = parts.find('texts/00000002.txt')
    return parts
      .replace('texts/00000002.txt', Buffer.from(change(content.toString())))
      .seal()
      .write()
  }
  const other = await changed((text) => text.replace('Line 1990 tells', 'Line 1990 lied!'))
  await assert.rejects(fixture.importWhole(other), isRefusal(/Document 2 is damaged\. The hash of the text differs/))
  const longer = await changed((text) => `${text}\n\nOne more.`)
  await assert.rejects(fixture.importWhole(longer), isRefusal(/Document 2 is damaged\. The length of the text differs/))
  assert.deepEqual(await takeStock(fixture), before)
  const copy = await fixture.importWhole(await changed((text) => text))
  assert.equal(copy.documentCount, 2)
})

function isRefusal(expected: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ApiError && error.code === 'invalid_archive', String(error))
    assert.match(error.message, expected)
    return true
  }
}

test('a file that is not an archive of a memory is refused and leaves nothing', async (t) => {
  const fixture = await openFixture(t)
  const tarOf = async (...headers: Parameters<ReturnType<typeof pack>['entry']>[0][]) => {
    const tar = pack()
    for (const header of headers) tar.entry(header, '')
    tar.finalize()
    return gzipSync(await buffer(tar as never))
  }
  const { archive } = fixture
  const tar = gunzipSync(archive)
  const foreign: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    'a text': Buffer.from('hello'),
    'a zip': buildZip({ 'memory.json': '{}' }),
    'an empty gzip': gzipSync(''),
    'a gzip of a text': gzipSync('hello '.repeat(1000)),
    'a tar without gzip': tar,
    'an empty tar': await tarOf(),
    'a tar of someone else': await tarOf({ name: 'package/index.js' }),
    'a symbolic link': await tarOf({ name: 'memory.json', type: 'symlink', linkname: '/etc/passwd' }),
    'a hard link': await tarOf({ name: 'memory.json', type: 'link', linkname: 'x' }),
    'a directory': await tarOf({ name: 'memory.json', type: 'directory' }),
    'a device': await tarOf({ name: 'memory.json', type: 'character-device', devmajor: 1, devminor: 5 }),
    'a name of any length': await tarOf({ name: `originals/${'x'.repeat(5000)}` }),
    'bytes behind the end': Buffer.concat([archive, Buffer.from('x')]),
    'zeros behind the end': Buffer.concat([archive, Buffer.alloc(512)]),
    'a second gzip behind the first': Buffer.concat([archive, gzipSync('more')]),
    'a second archive behind the first': Buffer.concat([archive, archive]),
    'a tar that goes on behind its end': gzipSync(Buffer.concat([tar, tar])),
    'a tar that has no end': gzipSync(tar.subarray(0, -1024)),
    'a size of 8 GB': gzipSync(withSize(tar, '77777777777')),
    'a size that is no number': gzipSync(withSize(tar, '-0000000001')),
  }
  for (const [title, content] of Object.entries(foreign)) {
    await assert.rejects(fixture.importWhole(content), refusedAs('invalid_archive'), title)
  }
  assert.deepEqual(await takeStock(fixture), fixture.before)
})

/** The tar with another size in the first header. */
function withSize(tar: Buffer, digits: string): Buffer {
  const changed = Buffer.from(tar)
  changed.write(`${digits}\0`, 124, 'latin1')
  changed.write('        ', 148, 'latin1')
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return changed
}

test('an archive of a newer version is refused with what to do', async (t) => {
  const fixture = await openFixture(t)
  const parts = await openArchive(fixture.archive)
  parts.edit('memory.json', () => ({ format: 'recollect-memory', version: 2, whatever: true })).seal()
  await assert.rejects(fixture.importWhole(await parts.write()), (error) => {
    assert.ok(error instanceof ApiError && error.code === 'invalid_archive')
    assert.match(error.message, /version 2; .* supports version 1/)
    assert.match(error.remedy, /newer version of Recollect/)
    return true
  })
})

test('a bomb is refused before it has unpacked to more than a hundred megabytes', async (t) => {
  const fixture = await openFixture(t)
  const parts = await openArchive(fixture.archive)
  const head = gunzipSync(await parts.write()).subarray(0, 1024)
  const named = Buffer.from(head.subarray(0, 512)).fill(0, 0, 100)
  named.write('originals/00000001')
  const entry = withSize(named, '77777777777')
  async function* zeros() {
    yield head
    yield entry
    for (let megabytes = 0; megabytes < 120; megabytes += 1) yield Buffer.alloc(1024 * 1024)
  }
  const bomb = await buffer(Readable.from(zeros()).pipe(createGzip({ level: 9 })))
  assert.ok(bomb.length < 1024 * 1024, 'it is small')
  await assert.rejects(fixture.importWhole(bomb), isRefusal(/unpacks to more than 300 times/))
})

test('no archive with flipped bits or a truncation is imported, at any position', async (t) => {
  const fixture = await openFixture(t)
  const { archive } = fixture
  const tar = gunzipSync(archive)
  const place = fc.integer({ min: 0, max: archive.length * 8 - 1 })
  const flipped = place.map((bit) => {
    const changed = Buffer.from(archive)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return changed
  })
  const cut = fc.integer({ min: 0, max: archive.length - 1 }).map((end) => archive.subarray(0, end))
  await fc.assert(
    fc.asyncProperty(fc.oneof(flipped, cut), async (changed) => {
      fc.pre(!unpacksTo(changed, tar))
      await assert.rejects(fixture.importWhole(changed), refusedAs('invalid_archive'))
    }),
    { numRuns: 300 },
  )
  assert.deepEqual(await takeStock(fixture), fixture.before)
})

/**
 * Some bits of a gzip have no meaning: the time in its header, the rest of the last content byte.
 */
function unpacksTo(gzip: Buffer, tar: Buffer): boolean {
  try {
    return gunzipSync(gzip).equals(tar)
  } catch {
    return false
  }
}

test('no tar with changed bytes is imported with different content, even with a valid gzip', async (t) => {
  const fixture = await openFixture(t)
  const tar = gunzipSync(fixture.archive)
  const copy = await fixture.importWhole(fixture.archive)
  const expected = await describeMemory(fixture, copy.id)
  const changed = fc.tuple(fc.integer({ min: 0, max: tar.length - 1 }), fc.integer({ min: 1, max: 255 }))
  await fc.assert(
    fc.asyncProperty(changed, async ([at, by]) => {
      const bytes = Buffer.from(tar)
      bytes[at] = (bytes[at] ?? 0) ^ by
      const imported = await fixture.importWhole(gzipSync(bytes, { level: 1 })).catch((error: unknown) => {
        assert.ok(refusedAs('invalid_archive')(error), String(error))
        return null
      })
      // Only bytes between the entries may differ.
      if (imported !== null) assert.deepEqual(await describeMemory(fixture, imported.id), expected)
    }),
    { numRuns: 200 },
  )
})

async function describeMemory({ exportWhole }: ArchiveFixture, memoryId: string) {
  const { files } = await openArchive(await exportWhole(memoryId))
  const kept = files.filter(({ name }) => name !== 'memory.json' && name !== 'manifest.json')
  return kept.map(({ name, content }) => `${name} ${content.toString('base64')}`)
}
