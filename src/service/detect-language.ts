import { isEnglish } from '../engine/analysis/is-english.ts'

/**
 * The language that most of a text is written in (ISO 639-1), `null` when none is reliably known: the text is too short, or code, or numbers. The detector is
 * loaded with the first text that is not plainly English: its tables take 70 MB and a quarter of a second.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  if (isEnglish(text)) return 'en'
  const detector = await import('../engine/analysis/detect-language.ts')
  return detector.detectLanguage(text)
}
