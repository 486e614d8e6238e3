import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getNumber, isOn } from '../package/read-xml.ts'

/** Effective properties of a style. */
type Style = {
  /** Heading level from 1; `null` for body text. */
  level: number | null
  /** List id and level (from 0). */
  numberingId: string | null
  listLevel: number | null
  isHidden: boolean
}

/** Paragraph and character styles of a document. */
export type Styles = {
  /**
   * Returns a style with inherited properties. `null` and unknown ids return the default paragraph
   * style.
   */
  get(id: string | null): Style
}

type OwnStyle = {
  name: string
  basedOn: string | null
  outlineLevel: number | null
  numberingId: string | null
  listLevel: number | null
  isHidden: boolean | null
}

const BODY: Style = { level: null, numberingId: null, listLevel: null, isHidden: false }
/** Base styles may form a cycle. */
const MAX_ANCESTORS = 20

/** Reads the styles of a document; empty when the part is absent. */
export async function readStyles(pkg: OfficePackage, part: string | null): Promise<Styles> {
  const own = new Map<string, OwnStyle>()
  let defaultId: string | null = null
  let current: OwnStyle | null = null

  function openStyle(attributes: Attributes): void {
    const id = getAttribute(attributes, 'styleId') ?? ''
    current = { name: '', basedOn: null, outlineLevel: null, numberingId: null, listLevel: null, isHidden: null }
    const type = getAttribute(attributes, 'type') ?? 'paragraph'
    if (type !== 'paragraph' && type !== 'character') return
    own.set(id, current)
    if (type === 'paragraph' && getAttribute(attributes, 'default') !== null && isOn(attributes, 'default'))
      defaultId = id
  }

  if (part !== null) {
    await pkg.tryFeed(part, {
      open(name, attributes) {
        if (name === 'style') openStyle(attributes)
        else if (current !== null) readProperty(current, name, attributes)
        return name === 'tblStylePr' || name === 'pPrChange'
      },
      close() {},
      text() {},
    })
  }
  const known = new Map<string, Style>()
  return {
    get(id) {
      const key = id !== null && own.has(id) ? id : (defaultId ?? '')
      const style = known.get(key) ?? resolve(own, key)
      known.set(key, style)
      return style
    },
  }
}

function readProperty(style: OwnStyle, name: string, attributes: Attributes): void {
  if (name === 'name') style.name = getAttribute(attributes, 'val') ?? ''
  else if (name === 'basedOn') style.basedOn = getAttribute(attributes, 'val')
  else if (name === 'outlineLvl') style.outlineLevel = getNumber(attributes, 'val')
  else if (name === 'numId') style.numberingId = getAttribute(attributes, 'val')
  else if (name === 'ilvl') style.listLevel = getNumber(attributes, 'val')
  else if (name === 'vanish') style.isHidden = isOn(attributes)
}

function resolve(own: ReadonlyMap<string, OwnStyle>, id: string): Style {
  const resolved = { ...BODY }
  let isLevelKnown = false
  let isHidden: boolean | null = null
  let style = own.get(id)
  for (let depth = 0; style !== undefined && depth < MAX_ANCESTORS; depth += 1) {
    const level = levelOf(style)
    if (!isLevelKnown && level !== undefined) {
      resolved.level = level
      isLevelKnown = true
    }
    resolved.numberingId ??= style.numberingId
    resolved.listLevel ??= style.listLevel
    isHidden ??= style.isHidden
    style = style.basedOn === null ? undefined : own.get(style.basedOn)
  }
  return { ...resolved, isHidden: isHidden ?? false }
}

/**
 * `undefined` when the style sets no level. Built-in style names are stored in English in every
 * language version of Word.
 */
function levelOf({ name, outlineLevel }: OwnStyle): number | null | undefined {
  if (outlineLevel !== null) return outlineLevel >= 0 && outlineLevel < 9 ? outlineLevel + 1 : null
  const named = /^heading ([1-9])$/i.exec(name)?.[1]
  if (named !== undefined) return Number(named)
  return /^title$/i.test(name) ? 1 : undefined
}
