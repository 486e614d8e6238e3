import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { ApiError } from '../../errors.ts'
import { ChildStopped } from '../../parsers/child/child.ts'
import type { Caller } from '../caller.ts'
import { createRecentFailures } from '../reading/given-up-files.ts'
import type { DocumentsService } from './documents-service.ts'
import { createPagePicturesService } from './page-pictures-service.ts'

const CALLER: Caller = {
  organizationId: 'org_a',
  keyId: 'key_1',
  keyName: null,
  scope: 'organization',
  memoryIds: null,
  role: 'admin',
  planId: 'unlimited',
}
const PDF = Buffer.from('%PDF-1.4\n')

/** A service whose pages are drawn by `draw`, and how often that was asked for each page. */
async function openPictures(t: TestContext, draw: (page: number) => Promise<Buffer | null>) {
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'recollect-pictures-'))
  t.after(() => rm(temporaryDirectory, { recursive: true }))
  let atMs = 0
  const drawn: number[] = []
  const source = { content: Readable.from([PDF]), bytes: PDF.length, filename: 'a.pdf', mimeType: 'application/pdf' }
  const documents = {
    get: async () => ({ sourceType: 'file', pages: [] }),
    source: async () => ({ ...source, content: Readable.from([PDF]) }),
    text: async () => ({ content: Readable.from(['words']) }),
  } as unknown as DocumentsService
  const pictures = createPagePicturesService({
    documents,
    temporaryDirectory,
    failures: createRecentFailures({ now: () => atMs }),
    reader: {
      draw: ({ page }, { owner }) => {
        assert.deepEqual(owner, CALLER, 'a child is asked for in the name of the caller')
        drawn.push(page)
        return draw(page)
      },
    },
  })
  const ask = (page: number, documentId = 'doc_1') => {
    const wanted = { memoryId: 'mem_1', documentId, page, span: null }
    return pictures.draw(CALLER, wanted, new AbortController().signal)
  }
  const pass = (ms: number) => {
    atMs += ms
  }
  return { ask, drawn, pass }
}

async function failTo(): Promise<never> {
  const cause = new ChildStopped({ kind: 'time', limitMs: 15_000 })
  throw new ApiError('unprocessable_document', {
    message: 'Reading the file took more than 15 s and was stopped.',
    cause,
  })
}

const REFUSED =
  /^Error: Reading the file took more than 15 s and was stopped\. The page is not rendered again for \d+ minutes\.$/

describe('a page that cannot be rendered', () => {
  it('is not retried for 15 minutes', async (t) => {
    const { ask, drawn, pass } = await openPictures(t, failTo)
    await assert.rejects(ask(1), ApiError)
    await assert.rejects(ask(1), (error) => error instanceof ApiError && REFUSED.test(`Error: ${error.message}`))
    assert.deepEqual(drawn, [1])
    pass(15 * 60_000)
    await assert.rejects(ask(1), ApiError)
    assert.deepEqual(drawn, [1, 1])
  })

  it('is rendered once for concurrent requests', async (t) => {
    const { ask, drawn } = await openPictures(t, failTo)
    const all = await Promise.allSettled([ask(1), ask(1), ask(1)])
    assert.deepEqual(
      all.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    assert.deepEqual(drawn, [1])
  })

  it('does not affect other pages and documents', async (t) => {
    const { ask, drawn } = await openPictures(t, (page) => (page === 1 ? failTo() : Promise.resolve(PDF)))
    await assert.rejects(ask(1), ApiError)
    await ask(2)
    await assert.rejects(ask(1, 'doc_2'), ApiError)
    assert.deepEqual(drawn, [1, 2, 1])
  })

  it('is retried if only damaged', async (t) => {
    const { ask, drawn } = await openPictures(t, async () => {
      throw new ApiError('unprocessable_document', { message: 'The page is damaged.' })
    })
    await assert.rejects(ask(1), /damaged\.$/)
    await assert.rejects(ask(1), /damaged\.$/)
    assert.deepEqual(drawn, [1, 1])
  })

  it('is retried after an internal error', async (t) => {
    const { ask, drawn } = await openPictures(t, async () => {
      throw new ApiError('service_unavailable')
    })
    await assert.rejects(ask(1), ApiError)
    await assert.rejects(ask(1), ApiError)
    assert.deepEqual(drawn, [1, 1])
  })
})

it('a page that several ask for together is drawn once', async (t) => {
  const { ask, drawn } = await openPictures(t, async () => PDF)
  await Promise.all([ask(1), ask(1)])
  assert.deepEqual(drawn, [1])
})
