import type { LabelWord } from '../labels/label-words.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import type { ReadPassage } from '../reading/read-passage.ts'

const SCORE = 0.7
/** The words of a label stand this near together where a sentence says what the label does. */
const MAX_SPREAD_WORDS = 5
/** A name behind "is", "to", "by": capitals, with the small words that stand inside of names. */
const NAMED =
  /^["”)]?,?\s+(?:is|are|was|will be|shall be|to|by|is called|ist|lautet|est)(?:\s+(?:the|to|der|die|das|le|la))?\s+((?:(?:Dr|Prof|Mr|Mrs|Ms)\.\s+)?\p{Lu}[\p{L}\p{N}.'’&-]*(?:\s+(?:(?:of|and|the|de|du|von|van|der|den|&)\s+)*\p{Lu}[\p{L}\p{N}.'’&-]*){0,6})/u
const CODE =
  /^\s+(?:(?:is|ist|lautet|est|number|no\.?|nr\.?)\s+)*((?=[\p{L}\p{N}/.-]*\d)[\p{L}\p{N}][\p{L}\p{N}/.-]{2,30}[\p{L}\p{N}])(?![\p{L}\p{N}])/u

/** Names and numbers of running text that follow the words of the label: `you will report to Professor Beddoes`. */
export function listNamedCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  const strong = asked.filter(({ weight }) => weight > 0.5)
  const isCode = keys.has('number') || keys.has('reference')
  if (strong.length === 0) return []
  return passage.clauses.flatMap(({ words, end }): Candidate[] =>
    phraseEnds(words, strong).flatMap((at) => {
      const behind = passage.text.slice(at, end)
      const match = (isCode ? CODE : NAMED).exec(behind)
      const raw = match?.[1]?.replace(/[.,]$/, '')
      if (match === null || raw === undefined) return []
      const start = at + match[0].lastIndexOf(raw)
      return [{ value: raw.replaceAll(/\s+/g, ' '), start, end: start + raw.length, score: SCORE }]
    }),
  )
}

/** Where the words of a phrase end that has all of the asked ones close together. */
function phraseEnds(words: readonly LabelWord[], asked: readonly LabelWord[]): number[] {
  return words.flatMap((word, index) => {
    if (!asked.some((one) => one.keys.some((key) => word.keys.includes(key)))) return []
    const phrase = words.slice(Math.max(0, index - MAX_SPREAD_WORDS + 1), index + 1)
    const isWhole = asked.every((one) => phrase.some((own) => own.keys.some((key) => one.keys.includes(key))))
    return isWhole ? [word.end] : []
  })
}
