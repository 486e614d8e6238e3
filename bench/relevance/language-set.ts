import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Service } from '../service.ts'

/**
 * Passages in one language, and questions with inflected words, each with the index of its passage.
 */
export type LanguageSet = {
  /** ISO 639-1. */
  language: string
  passages: readonly string[]
  questions: readonly (readonly [question: string, passage: number])[]
}

type Found = { hits: readonly { text: string }[] }

/**
 * The sets, the same texts in every language and all our own: a library, a school, a physician and
 * trains.
 */
export function readLanguageSets(): LanguageSet[] {
  const lines = readFileSync(join(import.meta.dirname, 'languages-set/languages.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as LanguageSet)
}

/** Adds the passages of a set to a new memory, one document each; returns its id. */
export async function fillLanguageMemory(service: Service, { language, passages }: LanguageSet): Promise<string> {
  const { id } = (await service.send('POST', '/v1/memories', { name: language })) as { id: string }
  await service.send('POST', `/v1/memories/${id}/documents`, { documents: passages.map((text) => ({ text })) })
  return id
}

/** The questions with a wrong first passage in a mode. */
export async function listMissedQuestions(
  service: Service,
  memoryId: string,
  { set, mode }: { set: LanguageSet; mode: string },
): Promise<string[]> {
  const missed: string[] = []
  for (const [query, passage] of set.questions) {
    const { hits } = (await service.send('POST', `/v1/memories/${memoryId}/find`, {
      query,
      options: { mode },
    })) as Found
    if (hits[0]?.text !== set.passages[passage]) missed.push(query)
  }
  return missed
}
