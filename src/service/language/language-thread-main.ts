/** Runs in the thread of `language-detector.ts`: answers a `LanguageRequest` after the other. */
import { parentPort } from 'node:worker_threads'
import { detectLanguageOf } from '../../engine/analysis/detect-language.ts'
import type { LanguageReply, LanguageRequest } from './language-thread-messages.ts'

parentPort?.on('message', ({ samples }: LanguageRequest) => {
  const reply: LanguageReply = { language: detectLanguageOf(samples) }
  parentPort?.postMessage(reply)
})
