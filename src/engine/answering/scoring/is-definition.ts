import { ITEM_MARK } from '../../markup/block-marks.ts'
import type { Match } from '../reading/read-text.ts'

const MOST_SUBJECT_CHARACTERS = 60
const ARTICLE = 'an?|the|eine?[rnms]?|der|die|das|une?|les?|la|los?|las|el|il|i|gli|u[nm]a?|os?|as?|een|het|de'
/** "What is a correction?", "Was ist ein Vorgang?", "¿Qué es una factura?", "Who is Ann Lee?": over words in lower case without accents, one space around each. */
const ASKS_WHAT = new RegExp(
  '^ (?:(?:what|who) (?:is|are|was|were|s)|(?:was|wer) (?:ist|sind|war|waren)|qu est ce (?:que c est que|que|qu)|qui (?:est|sont|etait)' +
    '|(?:que|quien|quienes) (?:es|son|era|fue)|(?:che )?cos (?:e|era)|(?:che )?cosa (?:e|sono)|chi (?:e|sono|era)|(?:o que|quem) (?:e|sao|era)' +
    `|(?:wat|wie) (?:is|zijn|was)|(?:co|kto) to (?:jest|sa)|кто так(?:ой|ая|ие)|что такое) (?:(?:${ARTICLE}|l) )?(?:\\S+ ){1,4}$`,
  'u',
)
const MARKUP = '["\'“”„‘’«»`*_()]{0,8}'
const BEGINNING = new RegExp(
  `^(?:${ITEM_MARK}|\\p{L}[^\\s:：]{0,20}[:：])?\\s*${MARKUP}(?:(?:${ARTICLE})\\s+|l['’])?${MARKUP}$`,
  'iu',
)
/** `*Jib* (sail)` */
const BEHIND_THING = `${MARKUP}(?:\\s+\\([^)\\n]{1,60}\\))?`
const IS = 'is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era|fue|è|sono|é|são|zijn|to|jest|это|является'
/** What a German word with a capital begins says what something is where it ends with one: `ist Leiterin der Bibliothek`, but not `ist Montags geschlossen`. */
const CAPITAL = String.raw`(?!(?<=(?:ist|sind|war|waren)\s+${MARKUP})(?:[^.,;:!?]*\s)?\p{Ll}[^\s.,;:!?]*(?:[.,;:!?]|$))\p{Lu}`
/** What says what something is names a thing or a person: "is a place", "ist Ann Lee"; "is closed in winter" says how it is. */
const DEFINES = new RegExp(
  `^${BEHIND_THING},?(?:\\s+(?:${IS})\\s+${MARKUP}(?:(?:[Oo]ne|[Aa]ny|${ARTICLE})\\s|l['’]|${CAPITAL}|это\\s|\\p{Script=Cyrillic})` +
    '|\\s+(?:means|refers to|bezeichnet|bedeutet|désigne|signifie|significa|oznacza|означает)\\s|\\s*[—–-]\\s*это\\s)',
  'u',
)
/** `Jib: the small sail`. In a chat `Ann: Good morning` says nothing of Ann. */
const LABELS = new RegExp(`^${BEHIND_THING}\\s*[–—:]\\s`, 'u')

/** True for a question after what something is, and nothing more. `asked` as `matchable` makes it. */
export function asksWhat(asked: string): boolean {
  return ASKS_WHAT.test(asked)
}

/**
 * True for a sentence whose subject is the thing asked for: `- A *correction* is a document …`. Others speak of it, and do not say what it is.
 * `matches` are what of the question's `units` stands in it; `start` is where it begins in its passage. `isPerson`: somebody is asked for.
 */
export function isDefinition(
  text: string,
  { matches, start }: { matches: readonly Match[]; start: number },
  { units, isPerson }: { units: number; isPerson: boolean },
): boolean {
  const first = new Map<number, Match>()
  for (const match of matches) if (!first.has(match.unit)) first.set(match.unit, match)
  if (units === 0 || first.size < units) return false
  const begin = Math.min(...[...first.values()].map((match) => match.start)) - start
  const end = Math.max(...[...first.values()].map((match) => match.end)) - start
  if (end - begin > MOST_SUBJECT_CHARACTERS || !BEGINNING.test(text.slice(0, begin))) return false
  const rest = text.slice(end)
  return DEFINES.test(rest) || (!isPerson && LABELS.test(rest))
}
