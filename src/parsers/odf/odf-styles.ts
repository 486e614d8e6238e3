import { createListCounters, type List, type ListLevel } from '../ooxml/docx/numbering.ts'
import { type Attributes, getAttribute, getIntAttribute, type XmlHandler } from '../ooxml/package/read-xml.ts'

/** Properties of a style, inherited ones included. */
type OdfStyle = {
  /** Heading level from 1; `null` for body text. */
  level: number | null
  /** List style of the paragraphs; `null` for none. */
  listStyle: string | null
  breaksBefore: boolean
  breaksAfter: boolean
  /** Hidden text, table or slide. */
  isHidden: boolean
}

/** `undefined`: the parent style decides. */
type OwnStyle = { parent: string | null; name: string } & Partial<OdfStyle>

/** Levels of a list by number, from 0. */
type ListLevels = ReadonlyMap<number, ListLevel>

/** Written level: the number with prefix and suffix. */
type WrittenLevel = ListLevel & { prefix: string; suffix: string; shownLevels: number; pattern: string | null }

/** Parents may form a cycle. */
const MAX_ANCESTORS = 20
/** LibreOffice writes a style for each formatted run. */
const MAX_STYLES = 200_000
const MAX_AFFIX_CHARACTERS = 200
const MAX_HEADING_LEVEL = 10

/** Number formats of OpenDocument 1.3 part 3, section 19.502, as ST_NumberFormat. */
const NUMBER_FORMATS: Readonly<Record<string, string>> = {
  ...{ '1': 'decimal', a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman', '': 'none' },
  ...{ '01, 02, 03, ...': 'decimalZero', '1st': 'ordinal', '①, ②, ③, ...': 'decimalEnclosedCircle' },
  ...{ '一, 二, 三, ...': 'chineseCounting' },
}
const LEVEL_ELEMENTS: ReadonlySet<string> = new Set([
  ...['list-level-style-number', 'list-level-style-bullet', 'list-level-style-image', 'outline-level-style'],
])

/** Styles of a part. Names are unique in a part and the shared styles. */
export class OdfStyles {
  readonly #shared: OdfStyles | null
  readonly #own = new Map<string, OwnStyle>()
  readonly #lists = new Map<string, Map<number, WrittenLevel>>()
  readonly #known = new Map<string, OdfStyle>()
  readonly #knownLists = new Map<string, ListLevels>()
  #outline: Map<number, WrittenLevel> | null = null

  /** `shared` has the styles of the styles part. */
  constructor(shared: OdfStyles | null) {
    this.#shared = shared
  }

  /** Returns a style of a family (`paragraph`, `text`, `table`, …); a plain style if unknown. */
  get(family: string, name: string | null): OdfStyle {
    const key = `${family} ${name ?? ''}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const style = this.#resolve(family, name)
    this.#known.set(key, style)
    return style
  }

  /** Returns the levels of a list style; `null` if unknown. */
  getList(name: string): ListLevels | null {
    const known = this.#knownLists.get(name)
    if (known !== undefined) return known
    const written = this.#lists.get(name)
    if (written === undefined) return this.#shared?.getList(name) ?? null
    const levels = toListLevels(written)
    this.#knownLists.set(name, levels)
    return levels
  }

  /** Numbers of headings by level, from 0. */
  getOutline(): ListLevels {
    return this.#outline === null ? (this.#shared?.getOutline() ?? new Map()) : toListLevels(this.#outline)
  }

  #find(key: string): OwnStyle | undefined {
    return this.#own.get(key) ?? (this.#shared === null ? undefined : this.#shared.#find(key))
  }

  #resolve(family: string, name: string | null): OdfStyle {
    const found: Partial<OdfStyle> = {}
    let style = name === null ? undefined : this.#find(`${family} ${name}`)
    for (let depth = 0; style !== undefined && depth < MAX_ANCESTORS; depth += 1) {
      const { parent, name: own, ...properties } = style
      if (family === 'paragraph' && own === 'Title') properties.level ??= 1
      for (const [key, value] of Object.entries(properties))
        if (!(key in found) && value !== undefined) Object.assign(found, { [key]: value })
      style = parent === null ? undefined : this.#find(`${family} ${parent}`)
    }
    return { level: null, listStyle: null, breaksBefore: false, breaksAfter: false, isHidden: false, ...found }
  }

  /** Returns a handler for the styles of a part. */
  createHandler(): XmlHandler {
    let style: OwnStyle | null = null
    let list: Map<number, WrittenLevel> | null = null

    const openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
      style: (attributes) => {
        style = this.#addStyle(attributes)
      },
      'list-style': (attributes) => {
        list = new Map()
        if (this.#lists.size < MAX_STYLES) this.#lists.set(getAttribute(attributes, 'name') ?? '', list)
      },
      'outline-style': () => {
        list = new Map()
        this.#outline = list
      },
    }
    return {
      open(name, attributes) {
        if (name === 'master-styles') return true
        if (LEVEL_ELEMENTS.has(name)) addLevel(list, name, attributes)
        else if (openers[name] !== undefined) openers[name](attributes)
        else if (style !== null && name.endsWith('-properties')) readProperties(style, name, attributes)
        return false
      },
      close(name) {
        if (name === 'style') style = null
        else if (name === 'list-style' || name === 'outline-style') list = null
      },
      text() {},
    }
  }

  #addStyle(attributes: Attributes): OwnStyle {
    const name = getAttribute(attributes, 'name') ?? ''
    const style: OwnStyle = { parent: getAttribute(attributes, 'parent-style-name'), name }
    const level = getAttribute(attributes, 'default-outline-level')
    if (level !== null) style.level = toHeadingLevel(Number.parseInt(level, 10))
    const list = getAttribute(attributes, 'list-style-name')
    if (list !== null) style.listStyle = list === '' ? null : list
    // A new page style begins a page.
    const page = getAttribute(attributes, 'master-page-name')
    if (page !== null && page !== '') style.breaksBefore = true
    const key = `${getAttribute(attributes, 'family') ?? ''} ${name}`
    if (this.#own.size < MAX_STYLES) this.#own.set(key, style)
    return style
  }
}

/** Returns a heading level from 1; `null` outside of the levels of the format. */
export function toHeadingLevel(level: number): number | null {
  return level >= 1 && level <= MAX_HEADING_LEVEL ? level : null
}

function readProperties(style: OwnStyle, name: string, attributes: Attributes): void {
  const display = getAttribute(attributes, 'display')
  if (display !== null && (name === 'text-properties' || name === 'table-properties'))
    style.isHidden = display === 'none' || display === 'false'
  if (name === 'drawing-page-properties' && getAttribute(attributes, 'visibility') === 'hidden') style.isHidden = true
  const before = getAttribute(attributes, 'break-before')
  if (before !== null) style.breaksBefore ||= before === 'page'
  const after = getAttribute(attributes, 'break-after')
  if (after !== null) style.breaksAfter = after === 'page'
}

function addLevel(list: Map<number, WrittenLevel> | null, name: string, attributes: Attributes): void {
  const level = getIntAttribute(attributes, 'level')
  if (list === null || level === null || level < 1 || level > MAX_HEADING_LEVEL) return
  const isNumber = name === 'list-level-style-number' || name === 'outline-level-style'
  const format = getAttribute(attributes, 'num-format') ?? (isNumber ? '1' : '')
  const affix = (local: string) => (getAttribute(attributes, local) ?? '').slice(0, MAX_AFFIX_CHARACTERS)
  list.set(level - 1, {
    ...{ start: getIntAttribute(attributes, 'start-value') ?? 1, restartAfter: null, isLegal: false, styleId: null },
    format: isNumber ? (Object.hasOwn(NUMBER_FORMATS, format) ? (NUMBER_FORMATS[format] ?? '') : 'decimal') : 'bullet',
    text: '',
    prefix: affix('num-prefix'),
    suffix: affix('num-suffix'),
    shownLevels: getIntAttribute(attributes, 'display-levels') ?? 1,
    pattern: getAttribute(attributes, 'num-list-format')?.slice(0, MAX_AFFIX_CHARACTERS) ?? null,
  })
}

/** Levels without a number are left out of the numbers of lower levels. */
function toListLevels(written: ReadonlyMap<number, WrittenLevel>): ListLevels {
  const levels = new Map<number, ListLevel>()
  for (const [at, { prefix, suffix, shownLevels, pattern, ...level }] of written) {
    const shown = Array.from({ length: at + 1 }, (_, index) => index)
      .slice(-Math.max(1, Math.min(shownLevels, at + 1)))
      .filter((index) => !['none', 'bullet'].includes(written.get(index)?.format ?? 'none'))
    const joined = `${prefix}${shown.map((index) => `%${index + 1}`).join('.')}${suffix}`
    levels.set(at, { ...level, text: pattern === null ? joined : pattern.replace(/%(\d)%/g, '%$1') })
  }
  return levels
}

/** An open list or sublist. */
export type OpenList = {
  /** Lists with the same number sequence share the id. */
  sequence: string
  style: string | null
  /** From 0. */
  level: number
  /** The next paragraph begins an item. */
  isItemBegun: boolean
  /** Number of the next item; `null` to count on. */
  start: number | null
}

/** Counts the items of lists and the headings of a document. */
export type OdfLists = {
  /** Opens a list within `parent`. */
  openList(attributes: Attributes, parent: OpenList | null): OpenList
  /** Opens the list of a `text:numbered-paragraph`. */
  openNumbered(attributes: Attributes): OpenList
  /**
   * Returns the number of the next item as displayed; empty for bullets. `paragraphStyle` is the
   * list style of the paragraph, for lists without a style.
   */
  next(list: OpenList, paragraphStyle: string | null): string
  /** Returns the number of the next heading outside of lists; empty without numbers. */
  nextHeading(level: number): string
}

const OUTLINE = 'outline'

/** Creates the counters of a document. OpenDocument 1.3 part 3, section 5.3. */
export function createOdfLists(styles: OdfStyles): OdfLists {
  const lists = new Map<string, List>([
    [OUTLINE, { definitionId: OUTLINE, levels: styles.getOutline(), starts: new Map() }],
  ])
  const counters = createListCounters(lists)
  /** Sequences by list id, and the last sequence of each style. */
  const byId = new Map<string, string>()
  const byStyle = new Map<string, string>()
  let count = 0

  function openRoot(attributes: Attributes, style: string | null): string {
    const continued = getAttribute(attributes, 'continue-list')
    const isContinued = getAttribute(attributes, 'continue-numbering') === 'true'
    const known =
      (continued === null ? undefined : byId.get(continued)) ?? (isContinued ? byStyle.get(style ?? '') : undefined)
    count += 1
    const sequence = known ?? `list ${count}`
    const id = getAttribute(attributes, 'id')
    if (id !== null) byId.set(id, sequence)
    byStyle.set(style ?? '', sequence)
    return sequence
  }

  /** A start value applies once, from a separate entry. */
  function addList(sequence: string, style: string, starts: ReadonlyMap<number, number>): string {
    if (starts.size > 0) count += 1
    const id = starts.size > 0 ? `${sequence} ${style} ${count}` : `${sequence} ${style}`
    if (!lists.has(id)) lists.set(id, { definitionId: sequence, levels: styles.getList(style) ?? new Map(), starts })
    return id
  }

  return {
    openList(attributes, parent) {
      const style = getAttribute(attributes, 'style-name') ?? parent?.style ?? null
      const sequence = parent?.sequence ?? openRoot(attributes, style)
      return { sequence, style, level: parent === null ? 0 : parent.level + 1, isItemBegun: false, start: null }
    },
    openNumbered(attributes) {
      const style = getAttribute(attributes, 'style-name')
      const id = getAttribute(attributes, 'list-id') ?? style ?? ''
      const level = Math.max(0, (getIntAttribute(attributes, 'level') ?? 1) - 1)
      const start = getIntAttribute(attributes, 'start-value')
      return { sequence: `numbered ${id}`, style, level, isItemBegun: true, start }
    },
    next({ sequence, style, level, start }, paragraphStyle) {
      const name = style ?? paragraphStyle
      if (name === null) return ''
      const starts = start === null ? new Map<number, number>() : new Map([[level, start]])
      return counters.next(addList(sequence, name, starts), level, null) ?? ''
    },
    nextHeading: (level) => counters.next(OUTLINE, level - 1, null) ?? '',
  }
}
