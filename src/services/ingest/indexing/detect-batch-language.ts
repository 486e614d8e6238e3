import type { DetectLanguage } from '../../language/language-detector.ts'

/** Enough to tell the language of what came together; the detector itself reads five places. */
const MOST_TEXTS = 50
const EXCERPT_CHARACTERS = 200

/**
 * The language (ISO 639-1) of texts that came together, for those among them that are too short to tell their own, such as turns of a conversation;
 * `null` for a single text, and where none is reliably known.
 */
export async function detectBatchLanguage(
  detectLanguage: DetectLanguage,
  texts: readonly string[],
): Promise<string | null> {
  if (texts.length < 2) return null
  const step = Math.ceil(texts.length / MOST_TEXTS)
  const some = texts.filter((_, place) => place % step === 0)
  return detectLanguage(some.map((text) => text.slice(0, EXCERPT_CHARACTERS)).join('\n'))
}
