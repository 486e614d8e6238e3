import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import { buildSummary } from '../../../test/support/build-summary.ts'
import { bufferBytes } from '../byte-source.ts'
import { detectOfficeKind, openCompoundFile, readTitle } from './compound-file.ts'

function build(streams: Record<string, Buffer>): Buffer {
  const container = CFB.utils.cfb_new()
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, name, content)
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
}

const LONG = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251))

test('short and long streams are read in full, also in storages', async () => {
  const file = await openCompoundFile(
    bufferBytes(build({ '/Long': LONG, '/Short': Buffer.from('abc'), '/Box/Long2': LONG })),
  )
  for (const [name, content] of [
    ['Long', LONG],
    ['Short', Buffer.from('abc')],
    ['Long2', LONG],
  ] as const) {
    const entry = file.getStream(name)
    assert.ok(entry !== null)
    assert.deepEqual(await file.read(entry, 1e6), content)
  }
  assert.equal(file.getStream('None'), null)
})

test('a stream at the top takes precedence over a stream of the same name in a storage', async () => {
  const file = await openCompoundFile(
    bufferBytes(build({ '/Box/Text': Buffer.from('inner'), '/Text': Buffer.from('outer') })),
  )
  const entry = file.getStream('Text')
  assert.equal(entry === null ? '' : (await file.read(entry, 100)).toString(), 'outer')
})

test('a stream above the limit is refused', async () => {
  const file = await openCompoundFile(bufferBytes(build({ '/Long': LONG })))
  const entry = file.getStream('Long')
  assert.ok(entry !== null)
  await assert.rejects(file.read(entry, 1000), /too large when unpacked/)
})

test('a file truncated anywhere gives a clear error or a shorter stream', async () => {
  const whole = build({ '/Long': LONG })
  for (let length = 0; length < whole.length; length += 509) {
    try {
      const file = await openCompoundFile(bufferBytes(whole.subarray(0, length)))
      const entry = file.getStream('Long')
      if (entry !== null) assert.ok((await file.read(entry, 1e6)).length <= LONG.length)
    } catch (error) {
      assert.match(String(error), /damaged/)
    }
  }
})

test('cyclic chains end', async () => {
  const whole = build({ '/Long': LONG })
  const tableAt = (whole.readUInt32LE(0x4c) + 1) * 512
  for (let index = 0; index < 40; index += 1) {
    const bad = Buffer.from(whole)
    for (let sector = 0; sector < 60; sector += 1) bad.writeUInt32LE((sector * 7 + index) % 60, tableAt + sector * 4)
    try {
      const file = await openCompoundFile(bufferBytes(bad))
      for (const entry of file.entries) await file.read(entry, 1e7).catch(() => null)
    } catch (error) {
      assert.match(String(error), /damaged/)
    }
  }
})

test('the kind of an Office file follows from its top-level streams, not from embedded files', async () => {
  for (const [names, kind] of [
    [['/WordDocument', '/ObjectPool/_1/PowerPoint Document'], 'doc'],
    [['/PowerPoint Document'], 'ppt'],
    [['/PP40'], 'ppt'],
    [['/Workbook'], 'xls'],
    [['/EncryptedPackage', '/EncryptionInfo'], 'encrypted'],
    [['/Else'], 'other'],
  ] as const) {
    const file = build(Object.fromEntries(names.map((name) => [name, Buffer.from('x')])))
    assert.equal(await detectOfficeKind(bufferBytes(file)), kind)
  }
})

async function read(summary: Buffer | null): Promise<string | null> {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/WordDocument', Buffer.alloc(5000))
  if (summary !== null) CFB.utils.cfb_add(container, '/\u0005SummaryInformation', summary)
  const bytes = Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
  return await readTitle(await openCompoundFile(bufferBytes(bytes)))
}

test('the title is read in the code page of the file', async () => {
  assert.equal(await read(buildSummary(Buffer.from('École', 'latin1'), 1252)), 'École')
  assert.equal(await read(buildSummary(Buffer.from('cfeeedff', 'hex'), 1251)), 'Поня')
  assert.equal(await read(buildSummary(Buffer.from('Überblick'), 65_001)), 'Überblick')
  assert.equal(await read(buildSummary(Buffer.from('港の本', 'utf16le'), null)), '港の本')
})

test('a file without properties, or with damaged properties, has no title', async () => {
  assert.equal(await read(null), null)
  const whole = buildSummary(Buffer.from('Quays'), 1252)
  for (let bytes = 0; bytes < whole.length - 12; bytes++) {
    const title = await read(whole.subarray(0, bytes))
    assert.ok(title === null || 'Quays'.startsWith(title), `${bytes} bytes: ${title}`)
  }
})
