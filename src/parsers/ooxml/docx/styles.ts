import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getNumber, isOn } from '../package/read-xml.ts'

/** What a paragraph's style says of its place, and any style of its text. */
type Style = {
  /** Level of a heading, from 1; `null` for body text. */
  level: number | null
  /** The list it belongs to, and the level in it, from 0. */
  numberingId: string | null
  listLevel: number | null
  isHidden: boolean
}

/** The styles of paragraphs and of runs of a document. */
export type Styles = {
  /** The style of that id with what it inherits; the default style of paragraphs for `null` and for ids that are not there. */
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
/** Styles may be based on each other in circles. */
const MAX_ANCESTORS = 20

/** Reads the styles of a document; none when the part is absent. */
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

/** `undefined`: the style says nothing of it. Built-in names are English in the file, whatever the language of Word. */
function levelOf({ name, outlineLevel }: OwnStyle): number | null | undefined {
  if (outlineLevel !== null) return outlineLevel >= 0 && outlineLevel < 9 ? outlineLevel + 1 : null
  const named = /^heading ([1-9])$/i.exec(name)?.[1]
  if (named !== undefined) return Number(named)
  return /^title$/i.test(name) ? 1 : undefined
}
