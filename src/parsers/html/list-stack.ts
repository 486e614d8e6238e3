import { formatListNumber } from '../list-numbers.ts'

type Attributes = ReadonlyMap<string, string>

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
  /** Returns the marker before the first words of an item (`3. `, `c. `); empty elsewhere. */
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
export function createListStack(): ListStack {
  const lists: OpenList[] = []
  let deeper = 0
  let marker = ''
  let inTerm = false

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
    takeMarker() {
      const taken = marker
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
