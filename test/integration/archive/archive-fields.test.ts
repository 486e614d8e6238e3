import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { CORRECTION_FIELDS, DOCUMENT_FIELDS, MEMORY_NAME_CHARACTERS } from '../../../src/limits.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { openArchiveFixture } from './archive-fixture.ts'
import { openArchive } from './rewrite-archive.ts'

const DOCUMENTS = 'documents/00000001.ndjson'
const CORRECTION_LINE = 1

/** A house with the archive of a document and a correction. */
async function open(t: TestContext) {
  const fixture = await openArchiveFixture(t)
  const { add, corrections, caller, memory } = fixture
  await add({}, [textDocument('The tide is low at noon.', { tags: ['sea'], metadata: { level: 1 } })])
  const given = { statement: 'The tide is low at one.', topics: ['tide'], boost: 2 }
  await corrections.add(caller, memory.id, { corrections: [given], signal: new AbortController().signal })
  return { ...fixture, archive: await fixture.exportWhole(memory.id) }
}

type Json = Record<string, unknown>

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
const long = (characters: number) => 'x'.repeat(characters + 1)
const ofCorrection = (fields: Json) => (line: Json) => ({
  ...line,
  correction: { ...(line['correction'] as Json), ...fields },
})
const ofMemory = (fields: Json) => (head: Json) => ({ ...head, memory: { ...(head['memory'] as Json), ...fields } })
const { titleCharacters, tags, tagCharacters, metadataKeys, metadataKeyCharacters, metadataCharacters } =
  DOCUMENT_FIELDS

/** Of so many characters in all names and values; no field is longer than it may be. */
function fullMetadata(characters: number): Json {
  const fields = Math.ceil(characters / metadataCharacters)
  const values = many(fields).map((key, at) => {
    const left = characters - at * metadataCharacters
    return [key, 'x'.repeat(Math.min(left, metadataCharacters) - key.length)]
  })
  return Object.fromEntries(values)
}

/** Values that no request could store, by place. */
const OF_DOCUMENTS: readonly [place: string, fields: Json][] = [
  ['/title', { title: '' }],
  ['/title', { title: long(titleCharacters) }],
  ['/externalId', { externalId: '' }],
  ['/externalId', { externalId: long(DOCUMENT_FIELDS.externalIdCharacters) }],
  ['/tags', { tags: many(tags + 1) }],
  ['/tags/0', { tags: [long(tagCharacters)] }],
  ['/tags/0', { tags: [''] }],
  ['/tags/1', { tags: ['sea', '\u200b'] }],
  ['/metadata', { metadata: Object.fromEntries(many(metadataKeys + 1).map((key) => [key, 1])) }],
  ['/metadata', { metadata: { [long(metadataKeyCharacters)]: 1 } }],
  ['/metadata', { metadata: fullMetadata(DOCUMENT_FIELDS.metadataCharactersInAll + 1) }],
  ['/metadata/note', { metadata: { note: long(metadataCharacters) } }],
  ['/metadata/note', { metadata: { note: { deep: 1 } } }],
  ['/metadata/note', { metadata: { note: [1] } }],
  ['/metadata/note', { metadata: { note: '\ud800' } }],
  ['/url', { url: `https://example.com/${long(8192)}` }],
  ['/url', { url: 'https://' }],
  ['/title', { title: 'half of a pair \udc00' }],
  ['/createdAt', { createdAt: '2026-02-30T00:00:00.000Z' }],
  ['/updatedAt', { updatedAt: '2026-13-01T00:00:00.000Z' }],
]

const OF_CORRECTIONS: readonly [place: string, change: (line: Json) => Json][] = [
  ['/correction/statement', ofCorrection({ statement: long(CORRECTION_FIELDS.statementCharacters) })],
  ['/correction/statement', ofCorrection({ statement: ' ' })],
  ['/correction/statement', ofCorrection({ statement: '\u200b' })],
  ['/correction/topics', ofCorrection({ topics: many(CORRECTION_FIELDS.topics + 1) })],
  ['/correction/topics/0', ofCorrection({ topics: [long(CORRECTION_FIELDS.topicCharacters)] })],
  ['/correction/topics/0', ofCorrection({ topics: ['\u2800'] })],
  ['/correction/boost', ofCorrection({ boost: 11 })],
  ['/correction/expiresAt', ofCorrection({ expiresAt: '2099-02-30T00:00:00.000Z' })],
  ['/externalId', (line) => ({ ...line, externalId: 'one' })],
  ['/filename', (line) => ({ ...line, filename: 'a.txt' })],
  ['/url', (line) => ({ ...line, url: 'https://example.com/' })],
  ['/metadata', (line) => ({ ...line, metadata: { level: 1 } })],
]

const OF_MEMORIES: readonly [place: string, fields: Json][] = [
  ['/memory/name', { name: '' }],
  ['/memory/name', { name: long(MEMORY_NAME_CHARACTERS.max) }],
  ['/memory/name', { name: '\u2800' }],
  ['/memory/description', { description: long(5000) }],
  ['/memory/createdAt', { createdAt: '2026-02-30T00:00:00.000Z' }],
]

test('an archive with a field that no request could have is refused, and the entry and the field are named', async (t) => {
  const { parts, archive, importWhole } = await open(t)
  const line = (await openArchive(archive)).find(DOCUMENTS).content.toString().split('\n')[CORRECTION_LINE]
  assert.ok(JSON.parse(line ?? '').correction !== null, 'the second line is the correction')
  const changes = [
    ...OF_DOCUMENTS.map(([place, fields]) => [DOCUMENTS, 0, place, (one: Json) => ({ ...one, ...fields })] as const),
    ...OF_CORRECTIONS.map(([place, change]) => [DOCUMENTS, CORRECTION_LINE, place, change] as const),
    ...OF_MEMORIES.map(([place, fields]) => ['memory.json', 0, place, ofMemory(fields)] as const),
  ]
  for (const [entry, at, place, change] of changes) {
    const altered = await openArchive(archive)
    const sent = await altered.edit(entry, change, at).seal().write()
    const said = `${entry} ${at} ${place}`
    const error = await importWhole(sent).then(
      () => assert.fail(`${said} was imported`),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof ApiError, said)
    assert.equal(error.code, 'invalid_archive', said)
    assert.ok(error.message.startsWith(entry) && error.message.includes(place), `${said}: ${error.message}`)
  }
  assert.equal((await parts.db.selectFrom('memories').select('id').execute()).length, 1)
})

test('an archive with fields of the maximum length is imported', async (t) => {
  const { archive, importWhole, parts } = await open(t)
  const fields = {
    title: 'x'.repeat(titleCharacters),
    externalId: 'x'.repeat(DOCUMENT_FIELDS.externalIdCharacters),
    tags: many(tags),
    metadata: fullMetadata(DOCUMENT_FIELDS.metadataCharactersInAll),
  }
  const altered = await openArchive(archive)
  const { id } = await importWhole(
    await altered
      .edit(DOCUMENTS, (one) => ({ ...one, ...fields }))
      .seal()
      .write(),
  )
  const row = await parts.db
    .selectFrom('documents')
    .selectAll()
    .where('memory_id', '=', id)
    .where('source_type', '=', 'text')
    .executeTakeFirstOrThrow()
  const { title, external_id: externalId } = row
  const [readTags, metadata] = [JSON.parse(row.tags), JSON.parse(row.metadata)]
  assert.deepEqual({ title, externalId, tags: readTags, metadata }, fields)
})

test('imports clean fields like requests do: file names, duplicate tags, invisible titles', async (t) => {
  const { archive, importWhole, documents, caller } = await open(t)
  const names: readonly [sent: string, kept: string | null][] = [
    ['../../etc/passwd', 'etc/passwd'],
    ['C:\\temp\\a\u202etxt.exe', 'temp/atxt.exe'],
    ['line\r\nend.txt', 'lineend.txt'],
    [`${'x'.repeat(400)}.markdown`, `${'x'.repeat(246)}.markdown`],
    ['..', null],
  ]
  for (const [filename, kept] of names) {
    const fields = { filename, tags: ['sea', 'low', 'sea'], title: '\u200b' }
    const altered = await openArchive(archive)
    const { id } = await importWhole(
      await altered
        .edit(DOCUMENTS, (one) => ({ ...one, ...fields }))
        .seal()
        .write(),
    )
    const filter = { status: null, tag: 'sea', sourceType: null }
    const listed = await documents.list(caller, id, { ...filter, page: { limit: 10, cursor: null } })
    const shown = listed.documents.map((one) => [one.filename, one.tags, one.title])
    assert.deepEqual(shown, [[kept, ['sea', 'low'], 'Untitled']])
  }
})
