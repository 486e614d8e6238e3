import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../../concurrency/worker-thread.ts'
import { hasEnoughLetters, isEnglish, sampleText } from '../../../engine/analysis/language-samples.ts'

/**
 * The language most of a text is written in (ISO 639-1), `null` when none is reliably known: see
 * `detectLanguage` of the engine, whose answers these are.
 */
export type DetectLanguage = (text: string) => Promise<string | null>

/** Tells languages. */
export type LanguageDetector = {
  detect: DetectLanguage
  close(): Promise<void>
}

/**
 * A detector with a thread of its own for what is not plain English, which most texts are: its
 * tables are 60 MB in the heap and 0.15 s of the event loop to read, and every collection of memory
 * went through them. What a broken thread cannot tell is told in this one.
 */
export function createLanguageDetector(
  options: Omit<IdleThreadOptions<LanguageRequest, LanguageReply>, 'name'>,
): LanguageDetector {
  const thread = createIdleThread({ ...options, name: 'language' })
  return {
    async detect(text) {
      const samples = sampleText(text)
      if (isEnglish(samples)) return 'en'
      if (!samples.some(hasEnoughLetters)) return null
      const reply = await thread.call({ samples })
      return reply === null ? detectHere(text) : reply.language
    },
    close: thread.close,
  }
}

/** The same in this thread, for a process that ends soon. */
export const detectHere: DetectLanguage = async (text) => {
  const { detectLanguage } = await import('../../../engine/analysis/detect-language.ts')
  return detectLanguage(text)
}

/** The detector's tables, and as much again while they are read. */
const MAX_HEAP_MB = 256

/** Starts the thread, some 0.25 s. */
export function startLanguageThread(): RunningThread<LanguageRequest, LanguageReply> {
  return startThread({ main: './language-thread-main', baseUrl: import.meta.url, maxHeapMb: MAX_HEAP_MB })
}

/** The samples of one text, as `sampleText` takes them. */
export type LanguageRequest = { samples: readonly string[] }

/** Its language, ISO 639-1; `null` where none is reliably known. */
export type LanguageReply = { language: string | null }
