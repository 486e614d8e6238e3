import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../errors.ts'
import type { PageReport } from '../../../parsers/parse-event.ts'
import type { IndexedDocument } from '../indexing/index-document.ts'
import { describeMissing, listMissing, listPageWarnings, requireText } from './missing-part.ts'

function reports(method: PageReport['method'], pages: readonly number[], message: string): PageReport[] {
  return pages.map((page) => ({ page, method, characters: 0, confidence: null, message }))
}

function read(facts: Partial<IndexedDocument> = {}): IndexedDocument {
  return {
    title: 'a document',
    language: 'en',
    chunkCount: 1,
    characterCount: 40,
    textBytes: 40,
    hasText: true,
    pageCount: 4,
    pages: [],
    failedPages: [],
    doubts: [],
    fallbacks: [],
    scans: { recognized: 0, failed: 0, 'over-limit': 0, off: 0 },
    warnings: [],
    fingerprint: { hash: '', signature: null },
    truncated: false,
    cut: null,
    ...facts,
  }
}

const LIMITED = { recognized: 49, failed: 1, 'over-limit': 130, off: 0 }

function messageOf(indexed: IndexedDocument): string {
  return describeMissing(listMissing(indexed), 'message')
}

describe('missing parts of a document', () => {
  it('are none for a complete document or for pages that the caller excluded', () => {
    assert.deepEqual(listMissing(read()), [])
    assert.deepEqual(listMissing(read({ scans: { ...LIMITED, 'over-limit': 0, off: 3 } })), [])
  })

  it('use the wording of the contract at the page limit', () => {
    assert.equal(messageOf(read({ scans: LIMITED })), 'recognised 50 of 180 pages: ocrMaxPages')
  })

  it('are separate sentences', () => {
    const failedPages = [...reports('failed', [3, 7], 'It took too long.'), ...reports('failed', [9], 'Damaged.')]
    const several = read({ scans: LIMITED, failedPages, cut: 'Reading was stopped.' })
    assert.equal(
      messageOf(several),
      'recognised 50 of 180 pages: ocrMaxPages. Pages 3 and 7: It took too long. Page 9: Damaged. Reading was stopped.',
    )
  })

  it('give the number of pages when there are many', () => {
    const failedPages = reports(
      'failed',
      [...Array(30).keys()].map((index) => index + 2),
      'Damaged.',
    )
    assert.equal(messageOf(read({ failedPages })), '30 pages, the first of them 2: Damaged.')
  })

  it('have an error code for the quota only', () => {
    assert.deepEqual(
      [read({ truncated: true }), read({ scans: LIMITED })].map((indexed) => listMissing(indexed)[0]?.code),
      ['storage_quota_exceeded', null],
    )
  })

  it('cause warnings, also for excluded scanned pages', () => {
    const indexed = read({ scans: { ...LIMITED, 'over-limit': 1, off: 2 }, cut: 'Stopped.' })
    const warnings = listPageWarnings(indexed, 'job')
    assert.deepEqual(
      warnings.map(({ code, message }) => `${code}: ${message}`),
      [
        'pages_not_recognized: 1 page was not recognised: ocrMaxPages is reached. Retry the job for more of them.',
        'pages_not_recognized: 2 pages were not recognised: enableOcr is false.',
        'document_read_with_losses: Stopped.',
      ],
    )
  })

  it('cause a warning where the text of recognised pages may be wrong', () => {
    const pages = [...reports('ocr', [2, 4, 5], 'Recognised as a picture.'), ...reports('text', [3], 'Only a header.')]
    const doubts = [2, 5].map((page) => ({ page, message: 'Letters may be wrong.' }))
    assert.deepEqual(listPageWarnings(read({ pages, doubts }), 'request'), [
      { code: 'pages_uncertain', message: 'Pages 2 and 5: Letters may be wrong.', param: null },
    ])
  })

  it('have a remedy for documents read within a request', () => {
    const [warning] = listPageWarnings(read({ scans: LIMITED }), 'request')
    assert.equal(
      warning?.message,
      '130 pages were not recognised: ocrMaxPages is reached. Send the document again with a larger ocrMaxPages, at most 200.',
    )
  })
})

describe('a document without text', () => {
  it('is rejected with the messages of its pages', () => {
    const pages = reports('empty', [1, 2], 'The page is blank.')
    assert.throws(
      () => requireText(read({ hasText: false, pages })),
      (error) =>
        error instanceof ApiError &&
        error.code === 'unprocessable_document' &&
        error.message === 'The document has no text. Pages 1 and 2: The page is blank.',
    )
  })

  it('passes when pages were not read', () => {
    requireText(read({ hasText: false, scans: { ...LIMITED, recognized: 0 } }))
    requireText(read({ hasText: false, scans: { ...LIMITED, 'over-limit': 0, off: 1 } }))
  })
})
