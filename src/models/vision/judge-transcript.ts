import type { Recognition } from '../recognizer.ts'
import { countWords, takeMatches, wordsOf } from './page-words.ts'

/** Why a transcript is not believed, as the end of a sentence. */
type Disbelief = 'gave no text' | 'did not copy the page' | 'repeated itself' | 'did not finish'

/** What the model is asked to write where there is no text. */
export const NO_TEXT = '[no text]'

/** A page of a telephone book has 15,000. */
const MAX_CHARACTERS = 20_000
/** Vision models that lose the thread write one line for ever; no page has one so often in a row. */
const MAX_REPEATS = 12
/** The same on one line: up to 60 characters more than 20 times in a row, with a letter among them. */
const LOOP = /((?=.{0,59}[\p{L}\p{N}]).{3,60}?)\1{20,}/su
const LOOP_CHARACTERS = 4_000
/** What the embedded engine is sure of it has right: at 0.8 it has 1 to 2 % of characters wrong (docs/decisions/0017). */
const SURE = 0.8
const SURE_WORDS = 8
/** A good transcript has nearly all words that the engine is sure of; one of another page, or an obeyed order, has hardly any. */
const MIN_SHARE = 0.5

/**
 * Why the transcript of a page cannot be believed, beside what the embedded engine read on it; `null` where it can. An order in the picture that
 * the model obeyed, a refusal, and an invented page show in that words are missing which the engine is sure of.
 */
export function disbelieve({ text, isCut }: { text: string; isCut: boolean }, embedded: Recognition): Disbelief | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.toLowerCase() === NO_TEXT) return 'gave no text'
  if (repeatsItself(trimmed)) return 'repeated itself'
  if (isCut || trimmed.length > MAX_CHARACTERS) return 'did not finish'
  const read = wordsOf(
    embedded.blocks
      .filter(({ confidence }) => confidence >= SURE)
      .map((block) => block.text)
      .join('\n'),
  )
  if (read.length < SURE_WORDS) return looksLikeRefusal(trimmed) ? 'did not copy the page' : null
  const share = takeMatches(read, countWords(wordsOf(trimmed))) / read.length
  return share < MIN_SHARE ? 'did not copy the page' : null
}

/** Only asked where nothing is known of the page: a letter may well begin so. */
function looksLikeRefusal(text: string): boolean {
  return (
    text.length < 400 &&
    /^(i['’]?m sorry|i am sorry|sorry,|i can(no|['’])t|i am unable|i['’]m unable|as an ai)/i.test(text)
  )
}

function repeatsItself(text: string): boolean {
  let repeats = 1
  let last = ''
  for (const line of text.split('\n').map((written) => written.trim())) {
    // Lines of signs alone are rules and dots, which do repeat.
    if (wordsOf(line).length === 0) continue
    repeats = line === last ? repeats + 1 : 1
    if (repeats > MAX_REPEATS) return true
    last = line
  }
  const [, unit = ''] = LOOP.exec(text.slice(-LOOP_CHARACTERS)) ?? []
  return wordsOf(unit).length > 0
}
