import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getIntAttribute, isSwitchedOn } from '../package/read-xml.ts'

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

type RawStyle = {
  name: string
  basedOn: string | null
  outlineLevel: number | null
  numberingId: string | null
  listLevel: number | null
  isHidden: boolean | null
}

const PLAIN_STYLE: Style = { level: null, numberingId: null, listLevel: null, isHidden: false }
/** Base styles may form a cycle. */
const MAX_ANCESTORS = 20

/** Reads the styles of a document; empty when the part is absent. */
export async function readStyles(pkg: OfficePackage, part: string | null): Promise<Styles> {
  const own = new Map<string, RawStyle>()
  let defaultId: string | null = null
  let current: RawStyle | null = null

  function openStyle(attributes: Attributes): void {
    const id = getAttribute(attributes, 'styleId') ?? ''
    current = { name: '', basedOn: null, outlineLevel: null, numberingId: null, listLevel: null, isHidden: null }
    const type = getAttribute(attributes, 'type') ?? 'paragraph'
    if (type !== 'paragraph' && type !== 'character') return
    own.set(id, current)
    if (type === 'paragraph' && getAttribute(attributes, 'default') !== null && isSwitchedOn(attributes, 'default'))
      defaultId = id
  }

  if (part !== null) {
    await pkg.parseOptional(part, {
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
      const style = known.get(key) ?? resolveStyle(own, key)
      known.set(key, style)
      return style
    },
  }
}

function readProperty(style: RawStyle, name: string, attributes: Attributes): void {
  if (name === 'name') style.name = getAttribute(attributes, 'val') ?? ''
  else if (name === 'basedOn') style.basedOn = getAttribute(attributes, 'val')
  else if (name === 'outlineLvl') style.outlineLevel = getIntAttribute(attributes, 'val')
  else if (name === 'numId') style.numberingId = getAttribute(attributes, 'val')
  else if (name === 'ilvl') style.listLevel = getIntAttribute(attributes, 'val')
  else if (name === 'vanish') style.isHidden = isSwitchedOn(attributes)
}

function resolveStyle(own: ReadonlyMap<string, RawStyle>, id: string): Style {
  const resolved = { ...PLAIN_STYLE }
  let isLevelKnown = false
  let isHidden: boolean | null = null
  let style = own.get(id)
  for (let depth = 0; style !== undefined && depth < MAX_ANCESTORS; depth += 1) {
    const level = getOwnLevel(style)
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
function getOwnLevel({ name, outlineLevel }: RawStyle): number | null | undefined {
  if (outlineLevel !== null) return outlineLevel >= 0 && outlineLevel < 9 ? outlineLevel + 1 : null
  const named = /^heading ([1-9])$/i.exec(name)?.[1]
  if (named !== undefined) return Number(named)
  return /^title$/i.test(name) ? 1 : undefined
}
