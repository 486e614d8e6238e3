import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch } from '../../analysis/fold.ts'
import type { Span } from '../../chunking/split-text.ts'
import { findTitleLine } from '../parent-lines.ts'
import { type Passage, sentenceAt } from '../passage.ts'
import { type AskedWord, findRivals, type PlacedWord, placeWords, type Rival } from './asked-words.ts'
import { type CarryTest, createCarryTest } from './carried-words.ts'
import { contradictsQuestion } from './contradictions.ts'
import { AND, holds, isBesideNeighbour, isPresent, type PlacedText } from './placed-texts.ts'

/**
 * Evidence that a sentence, with its headings, title and table header, is about the thing that the
 * question asks about, or about another one. Shares are of the asked words, 0 to 1, by weight.
 */
export type SubjectEvidence = {
  /** Indices of the asked words that the scope lacks. */
  missing: ReadonlySet<number>
  /** Asked words that the scope of the sentence lacks, and the passage has. */
  inPassage: number
  /** Asked words that only other passages have. */
  elsewhere: number
  /** Asked words that no passage has. */
  nowhere: number
  /** 1 if the question has names or numbers and the scope has all of them. */
  namesMet: number
  /** 1 if the passage lacks a name or number that other passages have. */
  namesElsewhere: number
  /** 1 if no passage has one of the names or numbers. */
  namesNowhere: number
  nounsNowhere: number
  nounsElsewhere: number
  othersNowhere: number
  specific: number
  /** 1 if a rival has both neighbours of a missing word. */
  between: number
  /** Missing words that are in the title or heading of another passage or section. */
  foreignHeading: number
  /**
   * 1 if another word has the place of a missing word, and the memory has the missing word in that
   * place elsewhere: a sibling.
   */
  sibling: number
  /** 1 if another word has the place of a missing word that no passage has. */
  replaced: number
  /** 1 if another word has the place of a missing word that passages have in other places. */
  displaced: number
  /** Same as `replaced`, after other function words or on the other side of its neighbour. */
  loose: number
  /** Indices of the missing names and numbers. */
  missingNames: ReadonlySet<number>
  /** True for a statement that surely is about another thing. */
  isOfOther: boolean
  /** Mean likeness of the asked words to the most alike words of the scope, by weight, 0 to 1. */
  aligned: number
  /** Same for the text of the statement alone, and for the text with the line above. */
  alignedText: number
  alignedBlock: number
  /** Likeness of the least alike word of those that do not only ask. */
  leastAligned: number
}

/** A passage with its title and headings. */
export type SubjectSource = {
  text: string
  headings: readonly string[]
  innerHeadings: readonly string[]
  sentences: readonly Span[]
}

type Knowledge = {
  analyzer: Analyzer
  /** In the form of `normalizeForMatch`. */
  question: string
  asked: readonly AskedWord[]
  languages: readonly string[]
  sources: readonly SubjectSource[]
  /** Cosine of two words; `null` if unknown. */
  similarityOf: (one: string, other: string) => number | null
  /** A high cosine of two words is that of synonyms. */
  knowsSynonyms: boolean
}

/**
 * A statement. `before` is the previous sentence of the paragraph, empty if there is none. `lead`
 * counts the headings `above` that are the heading or question right above.
 */
export type Statement = { text: string; before: string; above: readonly string[]; lead: number; source: number }

const MAX_WEIGHED_LETTERS = 10
const NAME_WEIGHT = 1.6

function weightOf({ text, isLiteral, isName }: AskedWord): number {
  if (isName) return NAME_WEIGHT
  return Math.min(MAX_WEIGHED_LETTERS, text.length * (isLiteral ? 2.5 : 1)) / 5
}

/** Creates a reader of subject evidence. Words of a text are analysed once. */
export function createSubjectReader(knowledge: Knowledge): (statement: Statement) => SubjectEvidence {
  const { asked } = knowledge
  const memory = readMemory(knowledge)
  const weights = asked.map(weightOf)
  const headings = knowledge.sources.flatMap(({ headings: own, innerHeadings }) => [...own, ...innerHeadings])
  const compared = { ...knowledge, ...memory, headings: [...new Set(headings)].map(memory.place) }
  const total = weights.reduce((sum, weight) => sum + weight, 0)

  return (statement) => {
    const above = statement.above.map(memory.place)
    const own = memory.place(statement.text)
    const scope = [own, ...above]
    const carried = createCarryTest(knowledge, own, memory.place(statement.before))
    const missing = listMissing(knowledge, scope, { ...carried, isKnown: memory.isKnown })
    const shareOf = (isCounted: (index: number) => boolean) =>
      total > 0 ? missing.filter(isCounted).reduce((sum, index) => sum + (weights[index] ?? 0), 0) / total : 0
    const isHere = (index: number) => memory.isInSource(statement.source, index)
    const isElsewhere = (index: number) => !isHere(index) && memory.isKnown(index)
    return {
      missing: new Set(missing),
      inPassage: shareOf(isHere),
      elsewhere: shareOf(isElsewhere),
      nowhere: shareOf((index) => !memory.isKnown(index)),
      foreignHeading: shareOf((index) => memory.isInForeignHeading(statement, index)),
      specific: asked.filter(({ isGeneric }) => !isGeneric).length,
      missingNames: new Set(missing.filter((index) => asked[index]?.isName)),
      ...alignWords(knowledge, weights, { scope, lead: statement.lead, carried }),
      isOfOther: contradictsQuestion(compared, { own, above }, missing),
      ...countWords(asked, missing, { isElsewhere, isKnown: memory.isKnown }),
      ...readRivals(knowledge, memory, { scope, missing }),
    }
  }
}

/** What the memory holds: texts with their words, and the places of the asked words. */
type Memory = {
  place(text: string): PlacedText
  isInSource(source: number, index: number): boolean
  isKnown(index: number): boolean
  /** True for a word in the title or heading of another passage or section. */
  isInForeignHeading(statement: Statement, index: number): boolean
  /** True for a word next to one of its neighbours, in any text. */
  isPaired(index: number): boolean
  listStatementsWith(index: number): readonly PlacedText[]
}

function readMemory(knowledge: Knowledge): Memory {
  const { analyzer, asked, sources } = knowledge
  const place = memoize((text: string) => ({
    text,
    plain: normalizeForMatch(text),
    placed: placeWords(analyzer, text, knowledge),
  }))
  const textsOf = memoize((source: number) => {
    const { text = '', headings = [] } = sources[source] ?? {}
    return [text, ...headings].map(place)
  })
  const presence = sources.map((_, source) =>
    memoize((index: number) => textsOf(source).some((text) => isPresent(asked, index, text))),
  )
  const isInSource = (source: number, index: number) => presence[source]?.(index) === true
  const isInText = (text: string, index: number) => holds(asked, index, place(text))
  return {
    place,
    isInSource,
    isKnown: memoize((index: number) => presence.some((isHere) => isHere(index))),
    isInForeignHeading: ({ source, above }, index) =>
      sources.some(({ headings }, at) => at !== source && headings.some((heading) => isInText(heading, index))) ||
      (sources[source]?.innerHeadings ?? []).some((heading) => !above.includes(heading) && isInText(heading, index)),
    isPaired: memoize((index: number) =>
      sources.some((_, source) => textsOf(source).some((text) => isBesideNeighbour(asked, index, text))),
    ),
    listStatementsWith: memoize((index: number) =>
      sources.flatMap(({ text, sentences }, source) => {
        const statements = isInSource(source, index) ? sentences : []
        return statements
          .map(({ start, end }) => place(text.slice(start, end)))
          .filter((one) => holds(asked, index, one))
      }),
    ),
  }
}

/** Indices of the asked words that a scope lacks. A word that only asks, and a synonym, suffice. */
function listMissing(
  { asked, similarityOf, knowsSynonyms }: Knowledge,
  scope: readonly PlacedText[],
  { isCarriedOver, isKnown }: CarryTest & Pick<Memory, 'isKnown'>,
): number[] {
  // The vectors are those of words of scripts with spaces.
  const hasSynonym = ({ text, isLiteral }: AskedWord, index: number) =>
    knowsSynonyms &&
    !isLiteral &&
    scope.some(({ placed }) =>
      placed.some((word) => !word.isFunction && (similarityOf(text, word.text) ?? 0) >= leastCosine(index)),
    )
  // A word that the memory has elsewhere may mean another thing: profit, if it has revenue as well.
  const leastCosine = (index: number) => (isKnown(index) ? MIN_KNOWN_SYNONYM_COSINE : MIN_SYNONYM_COSINE)
  // "Kettles and toasters" are two things, and a statement about one is about what is asked.
  const isListed = ({ before: left, after: right }: AskedWord) =>
    [left, right].some(
      (beside) => beside !== null && AND.test(beside.gap) && scope.some((text) => holds(asked, beside.index, text)),
    )
  return asked.flatMap((word, index) => {
    if (isListed(word)) return []
    if (scope.some((text) => holds(asked, index, text)) || isCarriedOver(word, index)) return []
    return word.isName || !(word.isGeneric || hasSynonym(word, index)) ? [index] : []
  })
}

/**
 * Compares each asked word with the words of the scope: the statement, `lead` lines above it, and
 * the headings.
 */
function alignWords(
  { asked, similarityOf }: Knowledge,
  weights: readonly number[],
  { scope, lead, carried }: { scope: readonly PlacedText[]; lead: number; carried: CarryTest },
): Pick<SubjectEvidence, 'aligned' | 'alignedText' | 'alignedBlock' | 'leastAligned'> {
  const likenessOf = (word: AskedWord, index: number) => (one: PlacedText, place: number) => {
    if (holds(asked, index, one) || (place === 0 && carried.isInText(word, index))) return 1
    const words = word.isLiteral ? [] : one.placed.filter(({ isFunction }) => !isFunction)
    return Math.max(0, ...words.map(({ text }) => similarityOf(word.text, text) ?? 0))
  }
  const likeness = asked.map((word, index) => scope.map(likenessOf(word, index)))
  const best = likeness.map((own) => Math.max(0, ...own))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (values: readonly number[]) =>
    total > 0 ? values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / total : 0
  return {
    aligned: mean(best),
    alignedText: mean(likeness.map(([own = 0]) => own)),
    alignedBlock: mean(likeness.map((own) => Math.max(0, ...own.slice(0, lead + 1)))),
    leastAligned: Math.min(1, ...best.filter((_, index) => asked[index]?.isGeneric === false)),
  }
}

type Tests = Readonly<Record<'isElsewhere' | 'isKnown', (index: number) => boolean>>

function countWords(asked: readonly AskedWord[], missing: readonly number[], { isElsewhere, isKnown }: Tests) {
  const count = (isCounted: (word: AskedWord) => boolean, isThere: (index: number) => boolean, most = 1) => {
    const counted = missing.filter((index) => asked[index] !== undefined && isCounted(asked[index]) && isThere(index))
    return Math.min(most, counted.length)
  }
  const isUnknown = (index: number) => !isKnown(index)
  const isMet = !missing.some((index) => asked[index]?.isName)
  return {
    namesMet: isMet && asked.some(({ isName }) => isName) ? 1 : 0,
    namesElsewhere: count(({ isName }) => isName, isElsewhere),
    namesNowhere: count(({ isName }) => isName, isUnknown),
    nounsNowhere: count(({ isNoun }) => isNoun, isUnknown, 2),
    nounsElsewhere: count(({ isNoun }) => isNoun, isElsewhere),
    othersNowhere: count(({ isNoun, isName }) => !isNoun && !isName, isUnknown, 2),
  }
}

/** Looks for words in the places of the missing ones. The statement is the first text. */
function readRivals(
  { asked, question }: Knowledge,
  memory: Memory,
  { scope, missing }: { scope: readonly PlacedText[]; missing: readonly number[] },
): Pick<SubjectEvidence, 'between' | 'sibling' | 'replaced' | 'displaced' | 'loose'> {
  const [own] = scope
  const evidence = { between: 0, sibling: 0, replaced: 0, displaced: 0, loose: 0 }
  for (const index of missing) {
    const word = asked[index]
    if (word === undefined) continue
    const isKnown = memory.isKnown(index)
    const isSibling = (other: PlacedText) => own !== undefined && areSiblings(own, other)
    if (isKnown && memory.listStatementsWith(index).some(isSibling)) evidence.sibling = 1
    const rivals = scope.flatMap((text) => findRivals({ asked, question }, word, text))
    if (rivals.length === 0) continue
    const strict = rivals.filter(({ isSameGap, isOpposite }) => isSameGap && !isOpposite)
    if (areOnBothSides(strict)) evidence.between = 1
    if (isKnown && memory.isPaired(index)) evidence.sibling = 1
    else if (strict.length === 0 || !(word.isNoun || word.isName)) evidence.loose = 1
    else if (isKnown) evidence.displaced = 1
    else evidence.replaced = 1
  }
  return evidence
}

function areOnBothSides(rivals: readonly Rival[]): boolean {
  return rivals.some(({ side, text }) => side < 0 && rivals.some((other) => other.side > 0 && other.text === text))
}

/** `eat` and `food` have .63. Siblings have less: `Edinburgh` and `London` .32. */
const MIN_SYNONYM_COSINE = 0.5
/** `bike` and `bicycle` have .71, `couch` and `sofa` .72; `profit` and `revenue` only .61. */
const MIN_KNOWN_SYNONYM_COSINE = 0.65
/** Minimum share of the words of a statement in another one that says the same of a sibling. */
const MIN_SIBLING_WORDS = 0.5
/** Same for a correction and the statement that it replaces. */
export const MIN_SHARED_WORDS = 0.6

/**
 * True if two statements say the same of two things. Most words are equal, and the first has a
 * different word that is no number and not asked for.
 */
function areSiblings(one: PlacedText, other: PlacedText): boolean {
  const [own, others] = [contentOf(one), contentOf(other)]
  const words = [...own.values()].filter(({ isNumeric }) => !isNumeric)
  const unshared = words.filter(({ key }) => !others.has(key))
  if (words.length === 0 || !unshared.some(({ asked }) => asked.size === 0)) return false
  return 1 - unshared.length / words.length >= MIN_SIBLING_WORDS
}

/**
 * Share of the words that two texts have in common, without function words and numbers, 0 to 1: of
 * the text with fewer words.
 */
export function shareWords(
  { analyzer, languages }: Pick<Knowledge, 'analyzer' | 'languages'>,
  one: string,
  other: string,
): number {
  const wordsOf = (text: string) => listKeys({ placed: placeWords(analyzer, text, { asked: [], languages }) })
  const [own, others] = [wordsOf(one), wordsOf(other)]
  if (own.length === 0 || others.length === 0) return 0
  return own.filter((key) => others.includes(key)).length / Math.min(own.length, others.length)
}

/** Keys of the content words that are no numbers. */
function listKeys(text: Pick<PlacedText, 'placed'>): string[] {
  return [...contentOf(text)].flatMap(([key, { isNumeric }]) => (isNumeric ? [] : [key]))
}

function contentOf({ placed }: Pick<PlacedText, 'placed'>): Map<string, PlacedWord> {
  return new Map(placed.filter(({ isFunction }) => !isFunction).map((word) => [word.key, word]))
}

/** Title, headings and sentences of passages. */
export function toSubjectSources(passages: readonly Passage[]): SubjectSource[] {
  return passages.map((passage) => ({
    text: passage.text,
    headings: listHeadings(passage),
    innerHeadings: listInnerHeadings(passage),
    sentences: passage.sentences,
  }))
}

/** Title and headings of a passage. */
function listHeadings(passage: Passage): string[] {
  const title = passage.title ?? findTitleLine(passage) ?? ''
  // The first heading of a document is its title.
  const first = passage.startOffset === 0 ? sentenceAt(passage, 0) : ''
  return [title, /^#\s/.test(first) ? first : '', ...(passage.section ?? '').split(/ > |\n/)].filter(
    (heading) => heading !== '',
  )
}

const MARKED_HEADING = /^#{1,6}\s+\S/

/** Headings within a passage. */
function listInnerHeadings(passage: Passage): string[] {
  return passage.sentences.map((_, place) => sentenceAt(passage, place)).filter((text) => MARKED_HEADING.test(text))
}

function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key) ?? compute(key)
    known.set(key, found)
    return found
  }
}
