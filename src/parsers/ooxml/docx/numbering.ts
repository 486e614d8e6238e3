import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getNumber, isOn } from '../xml/xml-handler.ts'

/** One level of a list. */
export type ListLevel = {
  start: number
  /** ST_NumberFormat: `decimal`, `lowerRoman`, `bullet`, … */
  format: string
  /** `%1.%2)` */
  text: string
  /** The level, from 1, after which it begins again; 0: never; `null`: after any higher one. */
  restartAfter: number | null
  /** Legal numbering: all numbers decimal. */
  isLegal: boolean
  /** The paragraph style that brings this level. */
  styleId: string | null
}

/** A list: levels by their number from 0, and what this instance of it begins with. */
export type List = {
  /** Lists of one definition count on in each other. */
  definitionId: string
  levels: ReadonlyMap<number, ListLevel>
  /** Numbers this list begins again with, by level. */
  starts: ReadonlyMap<number, number>
}

/** The lists of a document by their `numId`. */
export type Lists = ReadonlyMap<string, List>

type Definition = { levels: Map<number, ListLevel>; styleLink: string | null; numberingStyleLink: string | null }
type Instance = { definitionId: string; levels: Map<number, ListLevel>; starts: Map<number, number> }

/** Reads the lists of a document; none when the part is absent. */
export async function readNumbering(pkg: OfficePackage, part: string | null): Promise<Lists> {
  const definitions = new Map<string, Definition>()
  const instances = new Map<string, Instance>()
  let definition: Definition | null = null
  let instance: Instance | null = null
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
      overridden = getNumber(attributes, 'ilvl') ?? 0
    },
    startOverride(attributes) {
      instance?.starts.set(overridden, getNumber(attributes, 'val') ?? 1)
    },
    lvl(attributes) {
      level = { start: 0, format: 'decimal', text: '', restartAfter: null, isLegal: false, styleId: null }
      const levels = instance?.levels ?? definition?.levels
      levels?.set(getNumber(attributes, 'ilvl') ?? overridden, level)
    },
    styleLink(attributes) {
      if (definition !== null) definition.styleLink = getAttribute(attributes, 'val')
    },
    numStyleLink(attributes) {
      if (definition !== null) definition.numberingStyleLink = getAttribute(attributes, 'val')
    },
  }
  if (part === null) return new Map()
  await pkg.tryFeed(part, {
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
  if (name === 'start') level.start = getNumber(attributes, 'val') ?? 0
  else if (name === 'numFmt') level.format = getAttribute(attributes, 'val') ?? 'decimal'
  else if (name === 'lvlText') level.text = (getAttribute(attributes, 'val') ?? '').slice(0, 200)
  else if (name === 'lvlRestart') level.restartAfter = getNumber(attributes, 'val')
  else if (name === 'isLgl') level.isLegal = isOn(attributes)
  else if (name === 'pStyle') level.styleId = getAttribute(attributes, 'val')
}

function resolveLists(definitions: ReadonlyMap<string, Definition>, instances: ReadonlyMap<string, Instance>): Lists {
  const lists = new Map<string, List>()
  for (const [id, { definitionId, levels, starts }] of instances) {
    const linked = followLink(definitions, definitionId)
    const own = definitions.get(linked)?.levels ?? new Map<number, ListLevel>()
    lists.set(id, { definitionId: linked, levels: new Map([...own, ...levels]), starts })
  }
  return lists
}

/** A definition may only say that the levels are those of a numbering style. */
function followLink(definitions: ReadonlyMap<string, Definition>, id: string): string {
  const link = definitions.get(id)?.numberingStyleLink
  if (link === undefined || link === null) return id
  for (const [other, { styleLink }] of definitions) if (styleLink === link) return other
  return id
}
