/**
 * Finds the language of a page by reading it, first in the configured languages. If the text is in
 * another installed language, the page is read in that one, and the better reading is kept. If the
 * text is nonsense, the script is detected from the shapes. The page is read again in installed
 * languages of that script. Without one, the nonsense is dropped, and a note names what is missing.
 */
import { findInstalled, MAX_LANGUAGES } from './choose-languages.ts'
import type { Reading } from './compose-reading.ts'
import { describeMissingLanguage, describeMissingScript, findCode, scriptOf } from './language-names.ts'

/** A reading and the languages it was made in. */
export type LanguageReading = {
  /** The engine's names: `eng`. */
  languages: readonly string[]
  /** `null` for a blank page. */
  reading: Reading | null
  /** Sentence that names missing data; `null` if none is missing. */
  note: string | null
}

/** What reading by language needs. */
export type LanguageReadingDeps = {
  /** Installed languages. */
  installed: readonly string[]
  /** Reads the page in these languages; `null` if blank. */
  read(languages: readonly string[]): Promise<Reading | null>
  /** Language of a text (ISO 639-1), `null` when uncertain. */
  detectLanguage(text: string): Promise<string | null>
  /** ISO 15924 code of the page's script, `null` when uncertain. */
  detectScript(): Promise<string | null>
}

/**
 * Text of another language reads below this: six languages read as English gave 0.83 to 0.92, and
 * in their own 0.95 to 0.97. A surer page is not said to lack its language.
 */
const FOREIGN = 0.93
/**
 * A page below this may be in another script. Bold Cyrillic of 20 points gave 0.56 as English, all
 * other scripts less than 0.4.
 */
const DOUBTFUL = 0.7
/** Shorter readings are guesses, and too short to detect a script. As in language detection. */
const MIN_CHARACTERS = 24

/** Reads a page as described above. Rejects if the first reading does; a later failure keeps it. */
export async function readInLanguage(
  languages: readonly string[],
  deps: LanguageReadingDeps,
): Promise<LanguageReading> {
  const first = { languages, reading: await deps.read(languages), note: null }
  if (first.reading === null) return first
  try {
    const spoken = await detectLanguages(first.reading, deps)
    if (spoken.length === 0) return await readInScript(first, first.reading, deps)
    return await readAgain(first, spoken, deps)
  } catch {
    // The engine ended during a later pass, usually by timeout.
    return first
  }
}

/**
 * Languages of a reading (ISO 639-1), most text first. Each long paragraph counts alone, because
 * contracts have a column per language. Short paragraphs count if no long one has a language.
 */
async function detectLanguages({ blocks }: Reading, { detectLanguage }: LanguageReadingDeps): Promise<string[]> {
  const characters = new Map<string, number>()
  let counted = 0
  for (const { text } of blocks.filter((block) => block.text.length >= MIN_PARAGRAPH)) {
    const language = await detectLanguage(text)
    if (language === null) continue
    characters.set(language, (characters.get(language) ?? 0) + text.length)
    counted += text.length
  }
  const found = [...characters].filter(([, count]) => count >= MIN_SHARE * counted).sort(([, a], [, b]) => b - a)
  if (found.length > 0) return found.map(([language]) => language)
  const whole = blocks.map(({ text }) => text).join('\n')
  const language = whole === '' ? null : await detectLanguage(whole)
  return language === null ? [] : [language]
}

/** Two lines; the language of shorter paragraphs is often a guess. */
const MIN_PARAGRAPH = 120
/** A second language has this share of the text: less is a quotation, or an error of detection. */
const MIN_SHARE = 0.25

async function readAgain(
  first: LanguageReading,
  spoken: readonly string[],
  deps: LanguageReadingDeps,
): Promise<LanguageReading> {
  const isCovered = (language: string) => findCode(language, (code) => first.languages.includes(code)) !== undefined
  const codes = spoken.flatMap((language) => findInstalled(language, deps.installed) ?? []).slice(0, MAX_LANGUAGES)
  if (codes.some((code) => !first.languages.includes(code))) return await readBetter(first, codes, deps)
  const [main = ''] = spoken
  const isForeign = first.reading !== null && first.reading.confidence < FOREIGN && !isCovered(main)
  const missing = isForeign ? describeMissingLanguage(main) : null
  return missing === null ? first : { ...first, note: `Letters may be wrong: ${missing}` }
}

/** The better of a reading and a new one. */
async function readBetter(
  first: LanguageReading,
  languages: readonly string[],
  { read }: LanguageReadingDeps,
): Promise<LanguageReading> {
  const reading = await read(languages)
  const isBetter = reading !== null && reading.weight > (first.reading?.weight ?? 0)
  return isBetter ? { languages, reading, note: null } : first
}

async function readInScript(
  first: LanguageReading,
  reading: Reading,
  deps: LanguageReadingDeps,
): Promise<LanguageReading> {
  const kept = reading.blocks.reduce((sum, { text }) => sum + text.length, 0)
  const isDoubtful = reading.confidence < DOUBTFUL
  if (reading.characters < MIN_CHARACTERS || (!isDoubtful && 2 * kept > reading.characters)) return first
  const script = await deps.detectScript()
  if (script === null || first.languages.some((code) => scriptOf(code) === script)) return first
  const fitting = deps.installed.filter((code) => scriptOf(code) === script).slice(0, MAX_LANGUAGES)
  if (fitting.length > 0) return await readBetter(first, fitting, deps)
  const missing = describeMissingScript(script)
  // Words that are sure among nonsense are true: a name or a unit in another script.
  const rest = isDoubtful ? { ...reading, blocks: [], hasNonsense: true } : reading
  return missing === null ? first : { ...first, reading: rest, note: missing }
}
