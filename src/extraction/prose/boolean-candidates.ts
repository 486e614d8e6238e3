import type { LabelWord } from '../labels/label-words.ts'
import { contradicts, keysOf } from '../labels/score-label.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import type { ReadPassage } from '../reading/read-passage.ts'
import { findStatements, NEGATION } from './find-statements.ts'

/** What leaves open whether something holds, where nothing denies it. */
const EXCEPTION =
  /(?<!\p{L})(?:unless|except|if|without|provided that|only|ohne|sofern|wenn|nur|außer|sauf|sans|seulement|salvo|sin|solo|sólo|si)(?!\p{L})/iu
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
    const own = words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }))
    return splitContrasts(text, own).flatMap((part): Candidate[] => {
      const statements = findStatements(text.slice(0, part.end), part.words, asked)
      const [first] = statements
      if (first === undefined || statements.some(({ isDenied }) => isDenied !== first.isDenied)) return []
      const said = text.slice(part.start, part.end)
      if (!first.isDenied && (NEGATION.test(said) || EXCEPTION.test(said))) return []
      const score = first.isDenied ? SCORE.denied : SCORE.stated
      return statements.map((one) => {
        return { value: !one.isDenied, start: start + one.start, end: start + one.end, score }
      })
    })
  })
}

type Part = { start: number; end: number; words: readonly LabelWord[] }

/** "Lunch is included, but no drinks" says two things. `words` are those of the text, in order. */
function splitContrasts(text: string, words: readonly LabelWord[]): Part[] {
  const borders = [...text.matchAll(CONTRAST)]
  const starts = [0, ...borders.map((border) => border.index + border[0].length)]
  let at = 0
  return starts.map((start, index) => {
    const end = borders[index]?.index ?? text.length
    while ((words[at]?.start ?? start) < start) at += 1
    const from = at
    while ((words[at]?.end ?? text.length + 1) <= end) at += 1
    return { start, end, words: words.slice(from, at) }
  })
}
