import { type AskedWord, findRivals, type PlacedWord, type Rival } from './asked-words.ts'
import { holds, type PlacedText } from './placed-texts.ts'

/** What a statement is compared with: the question, and what the memory holds. */
export type Compared = {
  asked: readonly AskedWord[]
  /** In the form of `normalizeForMatch`. */
  question: string
  /** Headings and titles of all passages. */
  headings: readonly PlacedText[]
  /** True for a word of a passage. */
  isKnown(index: number): boolean
  /** True for a word next to one of its neighbours, in any text. */
  isPaired(index: number): boolean
}

/** A statement with the headings and titles above. */
export type Scope = { own: PlacedText; above: readonly PlacedText[] }

/**
 * True for a statement that surely is about another thing, which has the place of a missing word:
 * - a heading above names a sibling: `Home insurance` for "travel insurance";
 * - the statement defines another one: "Cortagel is a cream" for "Ramolin cream";
 * - another word is beside the same word: "The cake stall" for "the plant stall".
 *
 * These signs are stricter than those of `SubjectEvidence`. They need no lists of words.
 */
export function contradictsQuestion(compared: Compared, scope: Scope, missing: readonly number[]): boolean {
  const { asked } = compared
  const said = missing.filter((index) => asked[index]?.isGeneric === false)
  return (
    said.some((index) => isOfSiblingHeading(compared, scope.above, index)) ||
    missing.some((index) => isThing(asked, index) && isReplaced(compared, scope, index)) ||
    // "Lift passes cost 30 euros" has all but one word of "What do bus passes cost?".
    (missing.length === 1 &&
      said.some((index) => listStrictRivals(compared, scope, index).some((one) => one.isBeside && one.isFlanked)))
  )
}

/** True for a name, a noun, or the first character of a compound. */
function isThing(asked: readonly AskedWord[], index: number): boolean {
  const word = asked[index]
  return word !== undefined && (word.isName || word.isNoun || isModifier(asked, word))
}

const HAN = /^\p{Script=Han}$/u
const UNSPACED_WORD = /^[\p{scx=Hani}\p{Script=Katakana}ー]{2,}$/v

/** True for one character before a word: `東` of `東分館`. */
function isModifier(asked: readonly AskedWord[], { text, after }: AskedWord): boolean {
  return HAN.test(text) && after?.gap === '' && UNSPACED_WORD.test(asked[after.index]?.text ?? '')
}

function isReplaced(compared: Compared, scope: Scope, index: number): boolean {
  if (compared.isKnown(index) && definesOther(compared.asked, scope.own, index)) return true
  const rivals = listStrictRivals(compared, scope, index)
  return rivals.some(({ isBeside, isFlanked }) => isBeside || isFlanked || compared.isPaired(index))
}

function listStrictRivals(compared: Compared, { own, above }: Scope, index: number): Rival[] {
  const word = compared.asked[index]
  if (word === undefined) return []
  return [own, ...above]
    .flatMap((text) => findRivals(compared, word, text))
    .filter(({ isSameGap, isOpposite }) => isSameGap && !isOpposite)
}

/** True if a heading above and another heading of the memory differ in the word asked for. */
function isOfSiblingHeading({ asked, headings }: Compared, above: readonly PlacedText[], index: number): boolean {
  const named = headings.filter((heading) => holds(asked, index, heading))
  const neighbours = listNeighbours(asked, index)
  return above.some(
    (own) =>
      named.some((other) => areSiblingHeadings(own, other, index)) ||
      neighbours.some((neighbour) => isOneOfSeveral(own, headings, neighbour)),
  )
}

/** True if a heading has a different word beside the same neighbour: `Orion Mini`, `Orion X200`. */
function areSiblingHeadings(own: PlacedText, other: PlacedText, index: number): boolean {
  const [ours, theirs] = [listContent(own), listContent(other)]
  const isOther = (word: PlacedWord | undefined) =>
    word !== undefined && word.asked.size === 0 && theirs.every(({ key }) => key !== word.key)
  return theirs.some(({ asked }, at) => {
    const sides = asked.has(index) ? ([-1, 1] as const) : []
    return sides.some((side) =>
      ours.some(({ key }, place) => key === theirs[at + side]?.key && isOther(ours[place - side])),
    )
  })
}

/**
 * True if a heading and another one have different words beside an asked word: `Lento syrup` and
 * `Lento drops`. Neither is about "Lento cream".
 */
function isOneOfSeveral(own: PlacedText, headings: readonly PlacedText[], neighbour: number): boolean {
  const listBeside = ({ placed }: PlacedText, side: -1 | 1) =>
    placed.flatMap((word, at) => {
      const beside = placed[at + side]
      const isOther = word.asked.has(neighbour) && beside?.asked.size === 0 && !beside.isFunction
      return isOther ? [beside.key] : []
    })
  return ([-1, 1] as const).some((side) => {
    const [word] = listBeside(own, side)
    return word !== undefined && headings.some((other) => listBeside(other, side).some((key) => key !== word))
  })
}

/** What may precede the first word of a sentence. */
const SENTENCE_START = /(?:^|[.!?。！？\n])["'“„«(#\s]*$/u

/** True if a sentence begins with the definition of a different name: "Cortagel is a cream". */
function definesOther(asked: readonly AskedWord[], { text, placed }: PlacedText, index: number): boolean {
  const classes = listNeighbours(asked, index).filter((one) => asked[index]?.isName || asked[one]?.isNoun)
  return placed.some((word, at) => {
    if (word.isFunction || word.asked.size > 0 || !SENTENCE_START.test(text.slice(0, word.start))) return false
    const rest = placed.slice(at + 1)
    const next = rest.findIndex(({ isFunction }) => !isFunction)
    return next > 0 && classes.some((one) => rest[next]?.asked.has(one))
  })
}

/** Indices of the asked words directly before and after. */
function listNeighbours(asked: readonly AskedWord[], index: number): number[] {
  return [asked[index]?.before, asked[index]?.after].flatMap((one) => (one?.gap === '' ? [one.index] : []))
}

function listContent({ placed }: PlacedText): PlacedWord[] {
  return placed.filter(({ isFunction }) => !isFunction)
}
