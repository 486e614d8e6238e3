import assert from 'node:assert/strict'
import { test } from 'node:test'
import CFB from 'cfb'
import { buildSummary } from '../../../test/support/build-summary.ts'
import { bufferBytes } from '../byte-source.ts'
import { openCompoundFile } from './compound-file.ts'
import { readTitle } from './read-title.ts'

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

test('a file without properties, or with damaged ones, has none', async () => {
  assert.equal(await read(null), null)
  const whole = buildSummary(Buffer.from('Quays'), 1252)
  for (let bytes = 0; bytes < whole.length - 12; bytes++) {
    const title = await read(whole.subarray(0, bytes))
    assert.ok(title === null || 'Quays'.startsWith(title), `${bytes} bytes: ${title}`)
  }
})
