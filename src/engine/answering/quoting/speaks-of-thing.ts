import { matchable, matchableWord } from '../../analysis/fold.ts'
import type { QuestionUnit } from '../question/question-units.ts'
import type { ReadSentence } from '../reading/read-sentences.ts'

/** "Does the policy cover …?", "Are … covered?", "Deckt die Police …?" in English, German, French and Spanish, as `matchable` has them: what is asked for is the group. */
const ASKS_FOR_THING = [
  /^ (?:do|does|did) \S+(?: \S+){0,4}? (?:have|include|contain|offer|support|cover|come with) (.+) $/u,
  /^ (?:is|are|was|were) (.+) (?:included|covered|contained|supported|insured) $/u,
  /^ (?:hat|haben|besitzt|enthalt|enthalten|bietet|deckt|umfasst) (?:(?:der|die|das|den|dies\S*|mein\S*|eure?|ihre?) )?\S+ (.+) $/u,
  /^ (?:est ce qu\S* )?(?:l|la|le|les|cette|ce|cet|el|los|las|este|esta) \S+ (?:couvre|contient|offre|propose|inclut|comprend|cubre|contiene|tiene|incluye|ofrece) (.+) $/u,
]
/** So many letters tell a word of which they are a part: "nut" in "hazelnuts". */
const LEAST_PART_LETTERS = 3

/**
 * Makes what tells sentences that speak, with what leads them in, of the thing whose being there is asked for: that a policy covers fires says nothing of whether it covers
 * earthquakes. `null` where no thing is asked for so. `text` is the sentence's.
 */
export function createSpeaksOfThing(
  question: string,
  units: readonly QuestionUnit[],
): ((text: string, sentence: Pick<ReadSentence, 'units' | 'lead'>) => boolean) | null {
  const asked = matchable(question)
  const thing = ASKS_FOR_THING.map((form) => form.exec(asked)?.[1]).find((found) => found !== undefined) ?? ''
  const wanted = units.flatMap(({ word, terms }, index) =>
    ` ${thing} `.includes(` ${matchableWord(word)} `) ? [{ index, terms }] : [],
  )
  if (wanted.length === 0) return null
  return (text, { units: own, lead }) => {
    const said = matchable(text)
    const isPart = (term: string) => term.length >= LEAST_PART_LETTERS && said.includes(term)
    return wanted.some(({ index, terms }) => own.has(index) || lead?.units.has(index) === true || terms.some(isPart))
  }
}
