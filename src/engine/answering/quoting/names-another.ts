import type { Analyzer } from '../../analysis/analyzer.ts'
import { listPlainNumbers, plainNumber, WRITTEN_NUMBER } from '../../analysis/plain-number.ts'
import type { QuestionUnit } from '../question/question-units.ts'

/** A number directly behind a word, by which things of one kind are told apart: `order 8812`, `Invoice no. 2026-0417`, `Version 4.2`, `CS-1107`. */
const BEHIND = new RegExp(
  String.raw`(?:-|\s{0,3}(?:[#№]|n[or][.º°]?|n[º°])?\s{0,3})(${WRITTEN_NUMBER})(?![\p{L}\p{Nd}]|[.,\/–\-]\p{Nd})`,
  'iuy',
)
/** A question with more numbers asks for no one of them; each is compared with those of every sentence. */
const MOST_NUMBERS = 20
const RANGE = /^(\d+)-(\d+)$/
/** `March 12` is no other March than `March 2024`. */
const YEAR = /^(?:1[5-9]|20)\d\d$/
const WORD = /\p{L}{2}/u

/** `E02`, `P1`, `Q3`: letters that say of what kind it is, and a number. */
const CODE = /(?<![\p{L}\p{Nd}])(\p{Lu}{1,4})(\d{1,6})(?![\p{L}\p{Nd}])/gu

/** A unit of the question with the number behind it; `next` is the unit behind that, if any. */
type Numbered = { unit: number; number: string; next: number | null }

/**
 * Makes what tells texts that name a thing of the question by other numbers alone: `Order 8830` where `order 8899` is asked for, `E01` where `E02` is. A quantity, which
 * has the same word behind it in both ("up to 20 people", "30 people"), is no name.
 */
export function createNamesAnother(
  analyzer: Analyzer,
  { text: question, languages }: { text: string; languages: readonly string[] },
  units: readonly QuestionUnit[],
): (text: string) => boolean {
  const unitOf = new Map(units.flatMap(({ terms }, index) => terms.map((term) => [term, index] as const)))
  const read = (text: string): Numbered[] => {
    const matches = analyzer.findTerms(text, [...unitOf.keys()], languages)
    const unitAt = new Map(matches.map(({ term, start }) => [start, unitOf.get(term) ?? null]))
    return matches.flatMap(({ term, start, end }) => {
      const unit = unitOf.get(term)
      BEHIND.lastIndex = end
      const [, number] = (WORD.test(text.slice(start, end)) && BEHIND.exec(text)) || []
      if (unit === undefined || number === undefined) return []
      const behind = BEHIND.lastIndex + (/^\s+/.exec(text.slice(BEHIND.lastIndex))?.[0].length ?? 0)
      return [{ unit, number: plainNumber(number), next: unitAt.get(behind) ?? null }]
    })
  }
  const mentioned = listPlainNumbers(question)
  const asked = mentioned.length > 0 && mentioned.length <= MOST_NUMBERS ? read(question) : []
  const namesOtherCode = createNamesOtherCode(question)
  return (text) => {
    if (namesOtherCode(text)) return true
    const own = asked.length > 0 ? read(text) : []
    const numbers = own.length > 0 ? listPlainNumbers(text) : []
    return asked.some(({ unit, number, next }) => {
      const same = own.filter((other) => other.unit === unit)
      if (same.length === 0 || numbers.includes(number)) return false
      return same.every(
        (other) =>
          !isAmong(other.number, mentioned) &&
          (next === null || other.next !== next) &&
          YEAR.test(other.number) === YEAR.test(number),
      )
    })
  }
}

function createNamesOtherCode(question: string): (text: string) => boolean {
  const asked = [...question.matchAll(CODE)]
  return (text) => {
    const own = asked.length > 0 ? [...text.matchAll(CODE)] : []
    return asked.some(
      ([code, letters]) => own.some((other) => other[1] === letters) && own.every((other) => other[0] !== code),
    )
  }
}

/** True for one of the numbers, for what is within one (`4.2`, `4.2.1`) or around it (`4.2`, `4`), and for a range that holds one. */
function isAmong(number: string, numbers: readonly string[]): boolean {
  const [, from, to] = RANGE.exec(number) ?? []
  return numbers.some((one) => {
    if (`${number}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${number}.`)) return true
    return from !== undefined && /^\d+$/.test(one) && Number(from) <= Number(one) && Number(one) <= Number(to)
  })
}
