import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openZipMembers, type ZipLimits } from '../../../src/parsers/zip-members.ts'
import { type ArchiveMemberSpec, buildArchive } from '../../support/build-archive.ts'
import { buildZip } from '../../support/build-zip.ts'

const MB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'zip-members-'))
const LIMITS: ZipLimits = { maxMembers: 20, maxBytes: 200 * MB }
let files = 0

after(() => rmSync(folder, { recursive: true, force: true }))

async function open(archive: Buffer, limits: Partial<ZipLimits> = {}) {
  const path = join(folder, `archive-${++files}`)
  writeFileSync(path, archive)
  return openZipMembers(path, { ...LIMITS, ...limits })
}

/** The text of each member, or its reason. */
async function readAll(archive: Buffer): Promise<Record<string, string>> {
  const zip = await open(archive)
  const found: Record<string, string> = {}
  try {
    for (const { filename, entry, refusal } of zip.members) {
      const path = join(folder, `member-${++files}`)
      const told = entry === null ? `${refusal.status}: ${refusal.message}` : null
      const read = async () => {
        if (entry !== null) await zip.unpack(entry, path, new AbortController().signal)
        return readFileSync(path, 'utf8')
      }
      found[filename] = told ?? (await read().catch((error) => `failed: ${error.message}`))
    }
  } finally {
    await zip.close()
  }
  return found
}

const one = (member: Omit<ArchiveMemberSpec, 'name'>) => readAll(buildArchive([{ name: 'a.txt', ...member }]))

test('unpacks stored and deflated members, with descriptors and as ZIP64', async () => {
  const contents = { 'notes/a.txt': 'The pump is green.', 'b.txt': 'x'.repeat(100_000) }
  for (const oddities of [{}, { isStored: true }, { hasDescriptors: true }, { isZip64: true }]) {
    assert.deepEqual(await readAll(buildZip(contents, oddities)), contents, JSON.stringify(oddities))
  }
  const behind = Buffer.concat([Buffer.from('bytes before the archive'), buildZip(contents)])
  assert.deepEqual(await readAll(behind), contents)
  assert.deepEqual(await readAll(buildZip({})), {})
})

test('members with names in an old code page do not seem to overlap', async () => {
  const name = Buffer.from('\x84\x94\x81\x84\x94\x81\x84\x94\x81.txt', 'latin1')
  const members = [1, 2, 3].map((number) => ({ name: Buffer.concat([name, Buffer.from(`${number}`)]), content: 'x' }))
  assert.deepEqual(Object.values(await readAll(buildArchive(members))), ['x', 'x', 'x'])
})

test('skips folders, links, empty files, system files and lock files, each with its reason', async () => {
  const content = 'x'
  const found = await readAll(
    buildArchive([
      { name: 'folder/' },
      { name: '__MACOSX/._a.txt', content },
      { name: 'folder/.DS_Store', content },
      { name: 'folder/._a.pdf', content },
      { name: 'folder\\Thumbs.db', content },
      { name: 'Desktop.ini', content },
      { name: 'folder/~$lease.docx', content },
      { name: '.~lock.lease.odt#', content },
      { name: 'link.txt', content: '/etc/passwd', mode: 0o120777 },
      { name: 'empty.txt' },
      { name: 'folder/a.txt', content, mode: 0o100644 },
    ]),
  )
  assert.deepEqual(found, {
    folder: 'skipped: A folder.',
    '__MACOSX/._a.txt': 'skipped: A file of the operating system.',
    'folder/.DS_Store': 'skipped: A file of the operating system.',
    'folder/._a.pdf': 'skipped: A file of the operating system.',
    'folder/Thumbs.db': 'skipped: A file of the operating system.',
    'Desktop.ini': 'skipped: A file of the operating system.',
    'folder/~$lease.docx': 'skipped: A lock file of an Office program.',
    '.~lock.lease.odt#': 'skipped: A lock file of an Office program.',
    'link.txt': 'skipped: A link to another file.',
    'empty.txt': 'skipped: The file is empty.',
    'folder/a.txt': 'x',
  })
})

test('a damaged, encrypted or unknown member fails alone, with its reason', async () => {
  const content = 'The pump is green.'
  for (const [member, reason] of [
    [{ content, flags: 1 }, /password protected/],
    [{ content, method: 14 }, /method 14 is not supported/],
    [{ content, crc: 1 }, /checksum/],
    [{ content, bytes: 5 }, /its size is not that/],
    [{ content, bytes: 50 }, /its size is not that/],
    [{ content, bytes: 101 * MB }, /larger than 100 MB/],
    [{ content: randomBytes(50), method: 8 }, null],
  ] as const) {
    const found = await one(member)
    if (reason !== null) assert.match(found['a.txt'] ?? '', reason)
  }
  const whole = buildArchive([
    { name: 'a.txt', content: 'x'.repeat(5000) },
    { name: 'b.txt', content: 'fine' },
  ])
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 36, 44)
  const found = await readAll(damaged)
  assert.match(found['a.txt'] ?? '', /damaged/)
  assert.equal(found['b.txt'], 'fine')
})

test('a member that states far less than it unpacks to stops at its stated size', async () => {
  const bomb = buildArchive([{ name: 'a.txt', content: Buffer.alloc(60 * MB), bytes: 10 }])
  const zip = await open(bomb)
  const path = join(folder, 'bomb')
  const [member] = zip.members
  assert.ok(member?.entry)
  await assert.rejects(zip.unpack(member.entry, path, new AbortController().signal), /its size is not that/)
  assert.ok(!existsSync(path) || readFileSync(path).length <= 10)
  await zip.close()
})

test('a bomb of honest sizes is refused by its ratio, and by the size of all members', async () => {
  const bomb = { name: 'a.txt', content: Buffer.alloc(90 * MB) }
  const noise = { name: 'noise', content: randomBytes(MB), method: 0 }
  assert.match(
    (await readAll(buildArchive([bomb, noise])))['a.txt'] ?? '',
    /failed: The file is too large when unpacked/,
  )
  await assert.rejects(open(buildArchive([bomb, { ...bomb, name: 'b' }, { ...bomb, name: 'c' }])), {
    message: /270 MB, at most 200 MB/,
    remedy: 'Send the content in several smaller files.',
  })
})

test('a bomb of many members, each below the size that counts, is refused', async () => {
  const member = { name: 'a.txt', content: Buffer.alloc(30 * MB, 'a\n') }
  const archive = buildArchive([member, { ...member, name: 'b.txt' }])
  await assert.rejects(open(archive), /too large when unpacked: its members unpack to far more/)
})

test('starts of headers without members do not delay the archive', async () => {
  const flood = { name: 'x'.repeat(30), content: Buffer.alloc(20 * MB, 'PK\x03\x04'), method: 0, isUnlisted: true }
  const started = performance.now()
  const found = await readAll(buildArchive([flood, { name: 'a.txt', content: 'fine' }]))
  assert.equal(found['a.txt'], 'fine')
  assert.ok(performance.now() - started < 10_000)
})

test('too many, overlapping and truncated members refuse the archive', async () => {
  const three = { a: 'x', b: 'y', c: 'z' }
  await assert.rejects(open(buildZip(three), { maxMembers: 2 }), {
    code: 'unprocessable_document',
    message: /has 3 members/,
  })
  await assert.rejects(open(buildZip(three, { isOverlapping: true })), /overlap/)
  await assert.rejects(open(buildZip(three).subarray(0, 80)), /probably truncated/)
})

test('names members that only a local header shows', async () => {
  const hidden = { name: 'hidden.txt', content: 'a secret', isUnlisted: true }
  const shown = { name: 'a.txt', content: 'PK\x03\x04 in a text'.repeat(3), method: 0 }
  const message = 'failed: The directory of the archive does not list this file.'
  for (const members of [
    [hidden, shown],
    [shown, hidden],
    [shown, hidden, { ...shown, name: 'b.txt' }],
  ]) {
    const found = await readAll(buildArchive(members))
    assert.equal(found['hidden.txt'], message)
    assert.equal(found['a.txt'], shown.content)
  }
})
