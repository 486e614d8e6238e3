import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fillAutoMemory } from '../../../bench/relevance/auto-set.ts'
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
    it(`finds it first, but for one at most: ${set.language}`, async () => {
      const memoryId = await fillLanguageMemory(service, set)
      const missed = await listMissedQuestions(service, memoryId, { set, mode: 'auto' })
      assert.ok(missed.length <= 1, missed.join('\n'))
      // Lexical search, since Dutch compounds and polite Japanese share few words.
      const byWords = await listMissedQuestions(service, memoryId, { set, mode: 'lexical' })
      assert.ok(byWords.length <= 2, byWords.join('\n'))
    })
  }
})

describe('questions in fourteen languages in one memory that is English before all else', () => {
  it('find their passages first, but for two of 114, also in capitals', async () => {
    const { memoryId } = await fillAutoMemory(service)
    const sets = readLanguageSets()
    // One text of each language in turn, so the batch has no detectable language.
    const places = Math.max(...sets.map(({ passages }) => passages.length))
    const inTurn = Array.from({ length: places }, (_, place) => sets.flatMap(({ passages }) => passages[place] ?? []))
    for (const texts of inTurn)
      await service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: texts.map((text) => ({ text })) })
    for (const write of [(text: string) => text, (text: string) => text.toUpperCase()]) {
      const missed: string[] = []
      for (const { questions, ...set } of sets) {
        const asked = { ...set, questions: questions.map(([question, place]) => [write(question), place] as const) }
        missed.push(...(await listMissedQuestions(service, memoryId, { set: asked, mode: 'auto' })))
      }
      // An Italian question has one word, "multe", which the Portuguese translation has as well. A
      // Swedish one ("kvallstaget") shares no whole word with its passage, which says "på kvällen".
      assert.ok(missed.length <= 2, missed.join('\n'))
    }
  })
})
