import { formatNumber } from '../../list-numbers.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getIntAttribute, isSwitchedOn } from '../package/read-xml.ts'

/** A level of a list. */
export type ListLevel = {
  start: number
  /** ST_NumberFormat: `decimal`, `lowerRoman`, `bullet`, … */
  format: string
  /** Pattern such as `%1.%2)`. */
  text: string
  /** Level (from 1) after which numbering restarts; 0: never; `null`: after any higher level. */
  restartAfter: number | null
  /** Legal numbering: all numbers are decimal. */
  isLegal: boolean
  /** Paragraph style linked to this level. */
  styleId: string | null
}

/** A list instance: levels by number (from 0) and start overrides. */
export type List = {
  /** Lists with the same definition continue each other's numbers. */
  definitionId: string
  levels: ReadonlyMap<number, ListLevel>
  /** Start overrides by level. */
  starts: ReadonlyMap<number, number>
}

/** Lists of a document by `numId`. */
type Lists = ReadonlyMap<string, List>

type ListDefinition = { levels: Map<number, ListLevel>; styleLink: string | null; numberingStyleLink: string | null }
type ListInstance = { definitionId: string; levels: Map<number, ListLevel>; starts: Map<number, number> }

/** Reads the lists of a document; empty when the part is absent. */
export async function readNumbering(pkg: OfficePackage, part: string | null): Promise<Lists> {
  const definitions = new Map<string, ListDefinition>()
  const instances = new Map<string, ListInstance>()
  let definition: ListDefinition | null = null
  let instance: ListInstance | null = null
  let level: ListLevel | null = null
  let overridden = 0

  const openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
    abstractNum(attributes) {
      definition = { levels: new Map(), styleLink: null, numberingStyleLink: null }
      instance = null
      definitions.set(getAttribute(attributes, 'abstractNumId') ?? '', definition)
    },
    num(attributes) {
      instance = { definitionId: '', levels: new Map(), starts: new Map() }
      instances.set(getAttribute(attributes, 'numId') ?? '', instance)
    },
    abstractNumId(attributes) {
      if (instance !== null) instance.definitionId = getAttribute(attributes, 'val') ?? ''
    },
    lvlOverride(attributes) {
      overridden = getIntAttribute(attributes, 'ilvl') ?? 0
    },
    startOverride(attributes) {
      instance?.starts.set(overridden, getIntAttribute(attributes, 'val') ?? 1)
    },
    lvl(attributes) {
      level = { start: 0, format: 'decimal', text: '', restartAfter: null, isLegal: false, styleId: null }
      const levels = instance?.levels ?? definition?.levels
      levels?.set(getIntAttribute(attributes, 'ilvl') ?? overridden, level)
    },
    styleLink(attributes) {
      if (definition !== null) definition.styleLink = getAttribute(attributes, 'val')
    },
    numStyleLink(attributes) {
      if (definition !== null) definition.numberingStyleLink = getAttribute(attributes, 'val')
    },
  }
  if (part === null) return new Map()
  await pkg.parseOptional(part, {
    open(name, attributes) {
      const open = openers[name]
      if (open !== undefined) open(attributes)
      else if (level !== null) readLevelProperty(level, name, attributes)
      return name === 'rPr' || name === 'numPicBullet'
    },
    close(name) {
      if (name === 'lvl') level = null
    },
    text() {},
  })
  return resolveLists(definitions, instances)
}

function readLevelProperty(level: ListLevel, name: string, attributes: Attributes): void {
  if (name === 'start') level.start = getIntAttribute(attributes, 'val') ?? 0
  else if (name === 'numFmt') level.format = getAttribute(attributes, 'val') ?? 'decimal'
  else if (name === 'lvlText') level.text = (getAttribute(attributes, 'val') ?? '').slice(0, 200)
  else if (name === 'lvlRestart') level.restartAfter = getIntAttribute(attributes, 'val')
  else if (name === 'isLgl') level.isLegal = isSwitchedOn(attributes)
  else if (name === 'pStyle') level.styleId = getAttribute(attributes, 'val')
}

function resolveLists(
  definitions: ReadonlyMap<string, ListDefinition>,
  instances: ReadonlyMap<string, ListInstance>,
): Lists {
  const lists = new Map<string, List>()
  for (const [id, { definitionId, levels, starts }] of instances) {
    const linked = resolveStyleLink(definitions, definitionId)
    const own = definitions.get(linked)?.levels ?? new Map<number, ListLevel>()
    lists.set(id, { definitionId: linked, levels: new Map([...own, ...levels]), starts })
  }
  return lists
}

/** A definition may consist of a link to a numbering style that holds the levels. */
function resolveStyleLink(definitions: ReadonlyMap<string, ListDefinition>, id: string): string {
  const link = definitions.get(id)?.numberingStyleLink
  if (link === undefined || link === null) return id
  for (const [other, { styleLink }] of definitions) if (styleLink === link) return other
  return id
}

/** Counts list numbers through a document as Word does. */
export type ListCounters = {
  /**
   * Returns the number of the next paragraph in list `id`, as displayed: `4.2`, `(b)`. `level`
   * counts from 0; `null` selects the level linked to the style. Empty for bullets; `null` for an
   * unknown list.
   */
  next(id: string, level: number | null, styleId: string | null): string | null
}

const MAX_LEVELS = 9

/** Creates the counters of a document. (ECMA-376 part 1, section 17.9.) */
export function createListCounters(lists: Lists): ListCounters {
  /** Last number used, by definition and level. */
  const counts = new Map<string, (number | null)[]>()
  const begun = new Set<string>()

  function getCounters(list: List): (number | null)[] {
    const counters = counts.get(list.definitionId) ?? Array.from({ length: MAX_LEVELS }, () => null)
    counts.set(list.definitionId, counters)
    return counters
  }

  function applyStartOverrides(id: string, list: List, counters: (number | null)[]): void {
    if (begun.has(id)) return
    begun.add(id)
    for (const [level, start] of list.starts) if (level < MAX_LEVELS) counters[level] = start - 1
  }

  return {
    next(id, level, styleId) {
      const list = lists.get(id)
      if (list === undefined) return null
      const at = Math.min(Math.max(level ?? findLevelOfStyle(list, styleId) ?? 0, 0), MAX_LEVELS - 1)
      const counters = getCounters(list)
      applyStartOverrides(id, list, counters)
      const count = (counters[at] ?? (list.levels.get(at)?.start ?? 1) - 1) + 1
      counters[at] = count
      for (let deeper = at + 1; deeper < MAX_LEVELS; deeper += 1) {
        if (restartsAfter(list.levels.get(deeper), at)) counters[deeper] = null
      }
      return formatLevel(list, at, counters)
    },
  }
}

function findLevelOfStyle(list: List, styleId: string | null): number | null {
  if (styleId === null) return null
  for (const [level, { styleId: own }] of list.levels) if (own === styleId) return level
  return null
}

function restartsAfter(deeper: ListLevel | undefined, at: number): boolean {
  const after = deeper?.restartAfter ?? null
  return after === null || (after > 0 && at < after)
}

function formatLevel(list: List, at: number, counters: readonly (number | null)[]): string {
  const level = list.levels.get(at)
  if (level === undefined || level.format === 'bullet' || level.format === 'none') return ''
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const other = list.levels.get(Number(digit) - 1)
    const count = counters[Number(digit) - 1] ?? other?.start ?? 1
    return formatNumber(count, level.isLegal ? 'decimal' : (other?.format ?? 'decimal'))
  })
}
