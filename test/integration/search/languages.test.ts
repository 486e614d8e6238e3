import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fillLanguageMemory, listMissedQuestions, readLanguageSets } from '../../../bench/relevance/language-set.ts'
import { type Service, startService } from '../../../bench/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-languages-'))
let service: Service

before(async () => {
  service = await startService(folder)
})
after(async () => {
  try {
    await service?.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('a question in other forms of the words of its passage', () => {
  for (const set of readLanguageSets()) {
    it(`finds it first: ${set.language}`, async () => {
      const memoryId = await fillLanguageMemory(service, set)
      assert.deepEqual(await listMissedQuestions(service, memoryId, { set, mode: 'auto' }), [])
      // Words alone, of which Dutch compounds and polite Japanese share few.
      const byWords = await listMissedQuestions(service, memoryId, { set, mode: 'lexical' })
      assert.ok(byWords.length <= 2, byWords.join('\n'))
    })
  }
})
