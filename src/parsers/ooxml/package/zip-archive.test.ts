import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildZip, type ZipFiles, type ZipOddities } from '../../../../test/support/build-zip.ts'
import { bufferBytes } from '../../byte-source.ts'
import { createUnpackBudget } from './unpack-budget.ts'
import { openZip } from './zip-archive.ts'

const FILES = { 'a/one.xml': 'eins', 'two.xml': 'zwei '.repeat(1000) }

async function readAll(bytes: Buffer, name: string, budget = createUnpackBudget()): Promise<string> {
  const zip = await openZip(bufferBytes(bytes), { budget })
  const pieces: Buffer[] = []
  for await (const piece of zip.read(name)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const ODD_BUT_SOUND: Readonly<Record<string, ZipOddities>> = {
  'packed plainly': {},
  'stored without packing': { isStored: true },
  'with sizes after the content': { hasDescriptors: true },
  'in the 64-bit form': { isZip64: true },
}

for (const [what, oddities] of Object.entries(ODD_BUT_SOUND)) {
  test(`an archive ${what} yields its files`, async () => {
    const bytes = buildZip(FILES, oddities)
    assert.equal(await readAll(bytes, 'a/one.xml'), 'eins')
    assert.equal(await readAll(bytes, 'two.xml'), FILES['two.xml'])
  })
}

test('bytes before and after an archive are ignored', async () => {
  const bytes = Buffer.concat([Buffer.from('#!/bin/sh\n'), buildZip(FILES), Buffer.from('\r\n\0\0')])
  assert.equal(await readAll(bytes, 'a/one.xml'), 'eins')
})

test('names match case-insensitively, with backslashes or a leading slash', async () => {
  const bytes = buildZip({ '\\A\\One.xml': 'eins' })
  assert.equal(await readAll(bytes, 'a/one.XML'), 'eins')
})

test('a wrong checksum is reported and the bytes are yielded', async () => {
  const wrong: string[] = []
  const bytes = buildZip(FILES, { hasWrongChecksums: true })
  const zip = await openZip(bufferBytes(bytes), {
    budget: createUnpackBudget(),
    onBadChecksum: (name) => wrong.push(name),
  })
  for await (const _ of zip.read('a/one.xml')) void _
  assert.deepEqual(wrong, ['a/one.xml'])
})

async function rejects(bytes: Buffer, message: RegExp): Promise<void> {
  await assert.rejects(readAll(bytes, 'two.xml'), { code: 'unprocessable_document', message })
}

test('an archive truncated anywhere is refused with a clear message', async () => {
  const bytes = buildZip(FILES)
  for (const end of [0, 4, 40, bytes.length - 60, bytes.length - 22, bytes.length - 1]) {
    await rejects(bytes.subarray(0, end), /damaged: .*(truncated|ZIP directory|middle of a part)/)
  }
})

test('encrypted entries are reported as password protection', () =>
  rejects(buildZip(FILES, { isEncrypted: true }), /password protected/))

test('overlapping entries are refused', () => rejects(buildZip(FILES, { isOverlapping: true }), /parts overlap/))

test('a damaged part is named', async () => {
  const bytes = buildZip(FILES)
  const at = bytes.indexOf('two.xml') + 'two.xml'.length
  bytes.fill(0xff, at, at + 10)
  await rejects(bytes, /part two\.xml cannot be unpacked/)
})

test('a directory that claims a size beyond the file is refused', async () => {
  const bytes = buildZip(FILES)
  bytes.writeUInt32LE(0x7fffffff, bytes.indexOf(Buffer.from('PK\x01\x02')) + 20)
  await rejects(bytes, /middle of a part|overlap/)
})

test('a part that unpacks to over two hundred times its size is refused during unpacking', async () => {
  const bytes = buildZip({ 'two.xml': Buffer.alloc(40 * 1024 * 1024) })
  await rejects(bytes, /too large when unpacked: its part two\.xml/)
})

test('a part with a false size is counted by its unpacked bytes', async () => {
  const files: ZipFiles = { 'two.xml': Buffer.alloc(2000) }
  const bytes = buildZip(files)
  bytes.writeUInt32LE(5, bytes.indexOf(Buffer.from('PK\x01\x02')) + 24)
  const budget = createUnpackBudget({ maxEntryBytes: 1000, maxBytes: 10_000 })
  await assert.rejects(readAll(bytes, 'two.xml', budget), /too large when unpacked/)
})

test('all parts together stay within the budget', async () => {
  const budget = createUnpackBudget({ maxEntryBytes: 6000, maxBytes: 8000 })
  const bytes = buildZip(FILES)
  assert.equal(await readAll(bytes, 'two.xml', budget), FILES['two.xml'])
  await assert.rejects(readAll(bytes, 'two.xml', budget), /too large when unpacked: more than/)
})
