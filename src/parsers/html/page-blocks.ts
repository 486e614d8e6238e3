import { formatListNumber } from '../list-numbers.ts'
import type { Block } from '../parse-event.ts'
import { cutText, MAX_BLOCK_CHARACTERS } from '../text/block-reader.ts'
import { createFlowingText } from './flowing-text.ts'
import { getHeadingLevel, PREFORMATTED_ELEMENTS } from './html-elements.ts'
import { type CellSpan, readSpan } from './row-spans.ts'
import { createTableRows } from './table-rows.ts'

/** Attributes of a start tag by name. */
export type Attributes = ReadonlyMap<string, string>

/** Turns the elements and the text of a page into blocks. */
export type PageBlocks = {
  /** A block element begins. */
  begin(name: string, attributes: Attributes): void
  /** A block element ends. */
  end(name: string): void
  text(text: string): void
  /** Marks the next text as not bold. */
  plainText(): void
  /** Adds the visible text of an element's attributes. */
  words(words: string): void
  breakLine(): void
  /** Marks the next text as superscript; `isNote`: a footnote mark. */
  raise(isNote: boolean): void
  /** Emits the last block. */
  finish(): void
}

/** A longer heading was never closed. */
const MAX_HEADING_CHARACTERS = 1000
const MAX_INDENT = 8
/** A term up to this length, without a mark at its end, is on the line of its definition. */
const TERM = /^[^\n]{1,60}$/u
const MARK_AT_END = /[\p{Sentence_Terminal}:：;；…؟][\p{Pf}\p{Pe}"'»]*$/u

/**
 * Creates the block builder of a page. Blocks are emitted when they end, those of a table with
 * their row.
 */
export function createPageBlocks(emit: (block: Block) => void): PageBlocks {
  const rows = createTableRows(emit)
  const text = createFlowingText()
  const lists = createListStack()
  const state = { level: null as number | null, preformatted: 0, isBold: true }

  function flush(): void {
    const isPreformatted = state.preformatted > 0
    const words = text.take(isPreformatted)
    if (words === '') return
    if (lists.isTerm()) endTerm()
    if (lists.isTerm() && state.level === null && !isPreformatted && TERM.test(words) && !MARK_AT_END.test(words)) {
      lists.holdTerm(`${lists.takeMarker()}${words}`)
      return
    }
    addBlocks(`${lists.takeMarker()}${words}`, { isPreformatted, leads: lists.isTerm() })
  }

  /** Emits a term without words of a definition behind it. */
  function endTerm(): void {
    const term = lists.takeTerm()
    if (term !== '') addBlocks(term, { isPreformatted: false, leads: true })
  }

  function addBlocks(words: string, { isPreformatted, leads }: { isPreformatted: boolean; leads: boolean }): void {
    const isHeading = state.level !== null && words.length <= MAX_HEADING_CHARACTERS
    const kind = isHeading ? 'heading' : getKind(isPreformatted, lists.depth())
    const indent = kind === 'list-item' ? '  '.repeat(Math.min(lists.depth() - 1, MAX_INDENT)) : ''
    const whole = `${indent}${words}${kind === 'list-item' ? '\n' : '\n\n'}`
    const facts = kind === 'heading' ? { level: state.level ?? 1 } : leads && { leads }
    for (const piece of cutText(whole, MAX_BLOCK_CHARACTERS)) rows.add({ text: piece, kind, ...facts }, state.isBold)
    state.isBold = true
  }

  const { begins, ends } = createElementActions(rows, lists)

  return {
    begin(name, attributes) {
      flush()
      if (ENDS_TERM.has(name)) endTerm()
      state.level = getHeadingLevel(name) ?? (ENDS_HEADING.has(name) ? null : state.level)
      if (PREFORMATTED_ELEMENTS.has(name)) state.preformatted += 1
      begins[name]?.(attributes)
    },
    end(name) {
      flush()
      if (name !== 'dt' && ENDS_TERM.has(name)) endTerm()
      if (getHeadingLevel(name) !== null) state.level = null
      if (PREFORMATTED_ELEMENTS.has(name)) state.preformatted = Math.max(0, state.preformatted - 1)
      ends[name]?.()
    },
    text(piece) {
      text.add(piece, state.preformatted > 0)
      // Bounds memory on a page of any length.
      if (text.length > MAX_HELD_CHARACTERS) flush()
    },
    plainText() {
      state.isBold = false
    },
    words: text.addWords,
    breakLine: text.breakLine,
    raise: text.raise,
    finish() {
      flush()
      endTerm()
    },
  }
}

/** Actions at start and end of list and table elements, by name. */
function createElementActions(rows: ReturnType<typeof createTableRows>, lists: ReturnType<typeof createListStack>) {
  const begins: Record<string, (attributes: Attributes) => void> = {
    table: () => rows.beginTable(),
    thead: () => rows.beginPart(true),
    tbody: () => rows.beginPart(false),
    tfoot: () => rows.beginPart(false),
    tr: () => rows.beginRow(),
    td: (attributes) => rows.beginCell(false, spanOf(attributes)),
    th: (attributes) => rows.beginCell(true, spanOf(attributes)),
    li: lists.beginItem,
    dt: () => lists.setTerm(true),
    dd: () => lists.setTerm(false),
  }
  const ends: Record<string, () => void> = {
    table: () => rows.endTable(),
    thead: () => rows.beginPart(false),
    tr: () => rows.endRow(),
  }
  for (const name of LISTS) {
    begins[name] = (attributes) => lists.open(name, attributes)
    ends[name] = () => {
      const isLast = lists.depth() === 1
      lists.close()
      if (isLast && lists.depth() === 0) rows.add({ text: '\n', kind: 'blank' })
    }
  }
  return { begins, ends }
}

function getKind(isPreformatted: boolean, depth: number): Block['kind'] {
  if (isPreformatted) return 'code'
  return depth > 0 ? 'list-item' : 'paragraph'
}

const MAX_HELD_CHARACTERS = 256 * 1024
const LISTS: readonly string[] = ['ol', 'ul', 'menu', 'dir', 'dl']

/** Elements between a term and its definition: the two are not on one line. */
const ENDS_TERM: ReadonlySet<string> = new Set([
  ...LISTS,
  ...PREFORMATTED_ELEMENTS,
  ...['dt', 'table', 'tr', 'td', 'th', 'hr', 'section', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
])

/** Elements that show that the heading before was never closed. */
const ENDS_HEADING: ReadonlySet<string> = new Set([
  'p',
  'ul',
  'ol',
  'dl',
  'table',
  'tr',
  'td',
  'pre',
  'section',
  'article',
])

function spanOf(attributes: Attributes): CellSpan {
  return readSpan({ colspan: attributes.get('colspan'), rowspan: attributes.get('rowspan') })
}

/** The open lists at the current position. */
type ListStack = {
  depth(): number
  open(name: string, attributes: Attributes): void
  /** Closes the innermost list, if any. */
  close(): void
  beginItem(attributes: Attributes): void
  /** True from a term (`dt`) to its definition. */
  isTerm(): boolean
  setTerm(isTerm: boolean): void
  /** Keeps a term for the first words of its definition. */
  holdTerm(term: string): void
  /** Returns a term whose definition has no words yet, or an empty string. */
  takeTerm(): string
  /**
   * Returns the marker before the first words of an item (`3. `, `c. `) or definition (`Quay: `);
   * empty elsewhere.
   */
  takeMarker(): string
}

type OpenList = {
  isOrdered: boolean
  /**
   * Number of the next item; `null` for a reversed list without `start`, whose length is unknown.
   */
  next: number | null
  type: string
  step: 1 | -1
}

/** Deeper lists count as a single list. */
const MAX_LISTS = 100

/** Creates an empty stack. */
function createListStack(): ListStack {
  const lists: OpenList[] = []
  let deeper = 0
  let marker = ''
  let inTerm = false
  let term = ''

  return {
    depth: () => lists.length,
    open(name, attributes) {
      if (lists.length < MAX_LISTS) lists.push(openList(name, attributes))
      else deeper += 1
    },
    close() {
      inTerm = false
      if (deeper > 0) deeper -= 1
      else lists.pop()
      marker = ''
    },
    beginItem(attributes) {
      const list = lists.at(-1)
      marker = list === undefined ? '' : countItem(list, attributes.get('value'))
    },
    isTerm: () => inTerm,
    setTerm(isTerm) {
      inTerm = isTerm
    },
    holdTerm(words) {
      term = words
    },
    takeTerm() {
      const taken = term
      term = ''
      return taken
    },
    takeMarker() {
      const taken = term === '' ? marker : `${term}: ${marker}`
      term = ''
      marker = ''
      return taken
    },
  }
}

function openList(name: string, attributes: Attributes): OpenList {
  const isReversed = attributes.has('reversed')
  return {
    isOrdered: name === 'ol',
    next: toNumber(attributes.get('start')) ?? (isReversed ? null : 1),
    type: attributes.get('type') ?? '1',
    step: isReversed ? -1 : 1,
  }
}

function countItem(list: OpenList, value: string | undefined): string {
  const number = toNumber(value) ?? list.next
  if (!list.isOrdered || number === null) return ''
  list.next = number + list.step
  return `${formatListNumber(number, list.type)}. `
}

function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null
}
