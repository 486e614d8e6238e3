import type { LabelWord } from '../labels/label-words.ts'
import { contradicts, keysOf } from '../labels/score-label.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import type { ReadPassage } from '../reading/read-passage.ts'
import { findStatements, type Statement } from './find-statements.ts'

/** What leaves open whether something holds, where nothing denies it. */
const EXCEPTION =
  /(?<!\p{L})(?:unless|except|if|without|provided that|only|ohne|sofern|wenn|nur|außer|sauf|sans|seulement|salvo|sin|solo|sólo|si)(?!\p{L})/iu
const NEGATION =
  /(?<!\p{L})(?:not|never|no|nicht|kein\p{L}*|nie|pas|aucune?|jamais|ning[uú]n\p{L}*|nunca|without|sans|ohne|sin)(?!\p{L})|n['’]t(?!\p{L})/iu
const CONTRAST = /,?\s(?:but|while|whereas|although|aber|sondern|jedoch|mais|pero|sino|mientras)\s/giu
const SCORE = { denied: 0.72, stated: 0.7 } as const

/**
 * What a sentence states or denies of the words of the label: `Pets are not allowed`, `The price includes breakfast`, `The barn is not wheelchair accessible`. Others
 * that only mention a thing are no answer, nor is one under a condition.
 */
export function listBooleanCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  return passage.clauses.flatMap(({ start, end, words }): Candidate[] => {
    const text = passage.text.slice(start, end)
    if (asked.length === 0 || /\?\s*$/.test(text) || contradicts(keys, keysOf(words))) return []
    return splitContrasts(text).flatMap((part): Candidate[] => {
      const own = words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }))
      const inside = own.filter((word) => word.start >= part.start && word.end <= part.end)
      const statements = findStatements(text.slice(0, part.end), inside, asked)
      const isOpen = new Set(statements.map(({ isDenied }) => isDenied)).size > 1
      return isOpen ? [] : statements.flatMap((one) => read(text.slice(part.start, part.end), one, start))
    })
  })
}

function read(part: string, { isDenied, start, end }: Statement, offset: number): Candidate[] {
  if (!isDenied && (NEGATION.test(part) || EXCEPTION.test(part))) return []
  const score = isDenied ? SCORE.denied : SCORE.stated
  return [{ value: !isDenied, start: offset + start, end: offset + end, score }]
}

/** "Lunch is included, but no drinks" says two things. */
function splitContrasts(text: string): Pick<LabelWord, 'start' | 'end'>[] {
  const borders = [...text.matchAll(CONTRAST)]
  const starts = [0, ...borders.map((border) => border.index + border[0].length)]
  return starts.map((start, index) => ({ start, end: borders[index]?.index ?? text.length }))
}
