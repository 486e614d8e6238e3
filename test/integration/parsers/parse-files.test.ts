import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { ApiError } from '../../../src/errors.ts'
import type { ParseEvent, SourceFile } from '../../../src/parsers/parse-event.ts'
import { parsePlainText } from '../../../src/parsers/plain-text.ts'
import { sniff } from '../../../src/parsers/sniff.ts'

let directory: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'recollect-parsers-'))
})

after(() => rm(directory, { recursive: true, force: true }))

async function makeSource(filename: string, content: string | Buffer): Promise<SourceFile> {
  const path = join(directory, 'source')
  await writeFile(path, content)
  return { path, bytes: Buffer.byteLength(content), filename, declaredType: null }
}

async function read(filename: string, content: string | Buffer): Promise<ParseEvent[]> {
  const source = await makeSource(filename, content)
  const events: ParseEvent[] = []
  for await (const event of parsePlainText(source, await sniff(source))) events.push(event)
  return events
}

function getText(events: readonly ParseEvent[]): string {
  return events.map((event) => ('block' in event ? event.block.text : '')).join('')
}

function getWarnings(events: readonly ParseEvent[]): string[] {
  return events.flatMap((event) => ('warning' in event ? [event.warning] : []))
}

const CONTENT: Readonly<Record<string, string>> = {
  'a.txt': 'Größe über alles.\r\n\r\nЁлка 😀 und mehr.\n'.repeat(5000),
  'a.log': '2026-01-02 03:04:05 INFO gestartet in 4 ms\n\tat a.b(C.java)\n'.repeat(5000),
  'a.md': '# Über\n\n- eins\n- zwei 日本\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(5000),
  'a.csv': `id,name\n${'1,"Øre, ""x""\nmore"\n'.repeat(5000)}`,
  'a.tsv': `id\tname\n${'1\tØre\n'.repeat(5000)}`,
  'a.json': JSON.stringify(
    { items: Array.from({ length: 5000 }, (_, id) => ({ id, name: `Øre 日本 ${id}` })) },
    null,
    1,
  ),
  'a.jsonl': Array.from({ length: 5000 }, (_, id) => `{"id": ${id}, "name": "Øre"}\n`).join(''),
}

for (const [filename, content] of Object.entries(CONTENT)) {
  for (const [encoding, addBOM] of [
    ['utf-8', false],
    ['utf-8', true],
    ['utf-16le', true],
    ['utf-16be', false],
  ] as const) {
    test(`${filename} in ${encoding}${addBOM ? ' with a mark' : ''}: the extracted text is the file`, async () => {
      const events = await read(filename, iconv.encode(content, encoding, { addBOM }))
      assert.equal(getText(events), content)
      assert.deepEqual(getWarnings(events), [])
    })
  }
}

test('a line of megabytes without a break comes in bounded blocks', async () => {
  const content = '日本語😀'.repeat(400_000)
  const events = await read('a.txt', content)
  assert.equal(getText(events), content)
  assert.ok(events.every((event) => !('block' in event) || event.block.text.length <= 8000))
})

test('invalid bytes are replaced, with their number in a warning', async () => {
  const events = await read(
    'a.txt',
    Buffer.concat([Buffer.from('Grüße '.repeat(20_000)), Buffer.from([0xff]), Buffer.from(' Ende')]),
  )
  assert.ok(getText(events).endsWith('\uFFFD Ende'))
  assert.deepEqual(getWarnings(events), ['1 character is not valid utf-8 and replaced by U+FFFD.'])
})

test('a log is read without NUL bytes and colours, also packed and cut', async () => {
  const log = Buffer.from(`${'\0'.repeat(70_000)}\x1b[31mERROR\x1b[0m disk\n 50%\r100%\n`)
  for (const [name, content] of [
    ['a.log', log],
    ['a.log.gz', gzipSync(log)],
  ] as const) {
    const events = await read(name, content)
    assert.equal(getText(events), 'ERROR disk\n100%\n', name)
    assert.deepEqual(getWarnings(events), ['70000 NUL bytes were left out.'])
  }
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`).join('')
  const events = await read('a.log.gz', gzipSync(lines).subarray(0, -20))
  assert.ok(getText(events).length > lines.length * 0.9 && lines.startsWith(getText(events)))
  assert.deepEqual(events.at(-1), {
    cut: 'The gzip archive is damaged or truncated; the text before the damage was read.',
  })
})

test('a text that is the output of a terminal is read as the terminal shows it', async () => {
  assert.equal(getText(await read('a.txt', 'one\n\x1b[1mtwo\x1b[0m\n')), 'one\ntwo\n')
  assert.equal(getText(await read('a.txt', 'one\n 50%\r100%\n')), 'one\n 50%\r100%\n')
})

test('a stray byte far into a plain text makes it windows-1252', async () => {
  const content = Buffer.concat([Buffer.from('plain words. '.repeat(20_000)), Buffer.from([0x63, 0x61, 0x66, 0xe9])])
  assert.ok(getText(await read('a.txt', content)).endsWith('café'))
})

test('malformed JSON is refused with its place, however far in', async () => {
  const content = `[\n${'{"a": 1},\n'.repeat(20_000)}{"a": }]`
  await assert.rejects(
    read('a.json', content),
    (error) =>
      error instanceof ApiError &&
      error.code === 'unprocessable_document' &&
      /line 20002, column 7/.test(error.message),
  )
})

test('binary content far into a text file is refused', async () => {
  const content = Buffer.concat([Buffer.from('words '.repeat(50_000)), Buffer.alloc(10)])
  await assert.rejects(
    read('a.txt', content),
    (error) => error instanceof ApiError && error.code === 'unsupported_file_type',
  )
})

test('a consumer that stops early closes the file', async () => {
  const source = await makeSource('a.txt', 'one\n\n'.repeat(100_000))
  for await (const event of parsePlainText(source, await sniff(source))) {
    assert.ok('block' in event)
    break
  }
  await rm(source.path)
})
