import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../../concurrency/worker-thread.ts'
import { hasEnoughLetters, isEnglish, sampleText } from '../../../engine/analysis/language-samples.ts'

/**
 * Main language of a text (ISO 639-1), `null` when uncertain; see the engine's `detectLanguage`.
 */
export type DetectLanguage = (text: string) => Promise<string | null>

/** Detects languages, possibly in a thread. */
export type LanguageDetector = {
  detect: DetectLanguage
  close(): Promise<void>
}

/**
 * Detector with a thread for texts that are not plain English; most texts are. The tables take 60
 * MB of heap and 0.15 s to load, and slow every garbage collection of the main thread. If the
 * thread fails, detection runs in the main thread.
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

/** Detection in this thread, for short-lived processes. English texts need no tables. */
export const detectHere: DetectLanguage = async (text) => {
  if (isEnglish(sampleText(text))) return 'en'
  const { detectLanguage } = await import('../../../engine/analysis/detect-language.ts')
  return detectLanguage(text)
}

/** Twice the size of the detector's tables, as needed while loading. */
const MAX_HEAP_MB = 256

/** Starts the thread in about 0.25 s. */
export function startLanguageThread(): RunningThread<LanguageRequest, LanguageReply> {
  return startThread({ main: './language-thread-main', baseUrl: import.meta.url, maxHeapMb: MAX_HEAP_MB })
}

/** Samples of one text from `sampleText`. */
export type LanguageRequest = { samples: readonly string[] }

/** Language (ISO 639-1); `null` when uncertain. */
export type LanguageReply = { language: string | null }
