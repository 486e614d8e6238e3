import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDiskPages } from './disk-pages.ts'

const root = mkdtempSync(join(tmpdir(), 'recollect-pages-'))
after(() => rmSync(root, { recursive: true, force: true }))

const PAGE = 4096

async function openPages(name: string, slots: number) {
  const directory = join(root, name)
  const pages = await openDiskPages({ directory, maxBytes: slots * PAGE, pageBytes: PAGE })
  const onDisk = () => readFileSync(join(directory, 'pages'), 'latin1')
  return { pages, onDisk }
}

test('an evicted page is erased although a shorter page uses its slot', async () => {
  const { pages, onDisk } = await openPages('shorter', 1)
  await pages.write('gone', Buffer.alloc(PAGE, 'g'))
  await pages.write('next', Buffer.from('next'))
  assert.deepEqual(await pages.read('next', 0, 4), Buffer.from('next'))
  assert.doesNotMatch(onDisk(), /g/)
  await pages.close()
})

test('a page that was written twice concurrently is erased', async () => {
  const { pages, onDisk } = await openPages('twice', 4)
  await Promise.all([pages.write('gone', Buffer.alloc(PAGE, 'g')), pages.write('gone', Buffer.alloc(PAGE, 'g'))])
  await pages.evictMatching((name) => name === 'gone')
  assert.doesNotMatch(onDisk(), /g/)
  assert.equal(await pages.read('gone', 0, 4), null)
  await pages.close()
})
