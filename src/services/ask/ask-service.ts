import type { Kysely } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { DetectLanguage } from '../language/language-detector.ts'
import type { SearchService } from '../search/search.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { AskService } from './ask.ts'
import { prepareContentQuestion } from './prepare-content-question.ts'
import { prepareMemoryQuestion } from './prepare-memory-question.ts'
import { streamAnswer } from './prepared-question.ts'

/** What the service of questions is made of. */
export type AskParts = {
  db: Kysely<Tables>
  search: Pick<SearchService, 'find'>
  analyzer: Analyzer
  embedder: Embedder
  detectLanguage: DetectLanguage
  /** What words the answers: a language model where one is configured, quotes where none is. */
  writer: AnswerWriter
}

/** Answers questions: retrieves, has the answer worded, and says where each part of it stands. */
export function createAskService(parts: AskParts): AskService {
  const { writer } = parts
  return {
    async ask(searched, request, signal) {
      const prepared = await prepareMemoryQuestion(parts, { searched, request, signal })
      return prepared.describe(await writer.write(prepared.request))
    },

    async streamAsk(searched, request, signal) {
      return streamAnswer(writer, await prepareMemoryQuestion(parts, { searched, request, signal }))
    },

    async askOnce(request, signal) {
      const prepared = await prepareContentQuestion(parts, request, signal)
      return prepared.describe(await writer.write(prepared.request))
    },

    async streamAskOnce(request, signal) {
      return streamAnswer(writer, await prepareContentQuestion(parts, request, signal))
    },
  }
}
