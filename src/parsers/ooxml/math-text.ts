import { type Attributes, getAttribute } from './package/read-xml.ts'

/** Converts an Office equation to a line of text: `(a+b)/2`, `x^2`, `√(y)`. */
type MathText = {
  /** True within an equation. */
  isOpen(): boolean
  open(name: string, attributes: Attributes): void
  text(text: string): void
  /** Returns the line at the end of the equation, else `null`. */
  close(): string | null
}

/** An open element with the text of its finished children. */
type Element = { name: string; parts: { name: string; text: string }[]; properties: Map<string, string> }

/** Creates the converter. The first `open` starts an equation. (ECMA-376 part 1, section 22.1.) */
export function createMathText(): MathText {
  const elements: Element[] = []

  return {
    isOpen: () => elements.length > 0,
    open(name, attributes) {
      // Properties are nested two levels deep: `d > dPr > begChr`.
      elements.at(-2)?.properties.set(name, getAttribute(attributes, 'val') ?? '')
      elements.push({ name, parts: [], properties: new Map() })
    },
    text(text) {
      const element = elements.at(-1)
      if (element?.name === 't') element.parts.push({ name: 'text', text })
    },
    close() {
      const element = elements.pop()
      if (element === undefined) return null
      const text = writeElement(element)
      const parent = elements.at(-1)
      if (parent === undefined) return text
      if (text !== '') parent.parts.push({ name: element.name, text })
      return null
    },
  }
}

const WRITERS: Readonly<Record<string, (element: Element) => string>> = {
  f: (element) => `${parenthesize(joinParts(element, 'num'))}/${parenthesize(joinParts(element, 'den'))}`,
  sSup: (element) => `${parenthesize(joinParts(element, 'e'))}^${parenthesize(joinParts(element, 'sup'))}`,
  sSub: (element) => `${parenthesize(joinParts(element, 'e'))}_${parenthesize(joinParts(element, 'sub'))}`,
  sSubSup: (element) => `${parenthesize(joinParts(element, 'e'))}${writeLimits(element)}`,
  sPre: (element) => `${writeLimits(element)}${parenthesize(joinParts(element, 'e'))}`,
  rad: (element) => `${joinParts(element, 'deg')}√${parenthesize(joinParts(element, 'e'))}`,
  nary: (element) => `${element.properties.get('chr') ?? '∫'}${writeLimits(element)} ${joinParts(element, 'e')}`,
  func: (element) => `${joinParts(element, 'fName')} ${parenthesize(joinParts(element, 'e'))}`,
  limLow: (element) => `${joinParts(element, 'e')}_${parenthesize(joinParts(element, 'lim'))}`,
  limUpp: (element) => `${joinParts(element, 'e')}^${parenthesize(joinParts(element, 'lim'))}`,
  acc: (element) => `${joinParts(element, 'e')}${element.properties.get('chr') ?? '\u0302'}`,
  d: writeDelimited,
  m: (element) => `[${listParts(element, 'mr').join('; ')}]`,
  mr: (element) => listParts(element, 'e').join(', '),
  eqArr: (element) => listParts(element, 'e').join('\n'),
}

function writeElement(element: Element): string {
  const write = WRITERS[element.name]
  return write === undefined ? element.parts.map(({ text }) => text).join('') : write(element)
}

function writeDelimited(element: Element): string {
  const { properties } = element
  const inner = listParts(element, 'e').join(properties.get('sepChr') ?? '|')
  return `${properties.get('begChr') ?? '('}${inner}${properties.get('endChr') ?? ')'}`
}

function writeLimits(element: Element): string {
  const sub = joinParts(element, 'sub')
  const sup = joinParts(element, 'sup')
  return `${sub === '' ? '' : `_${parenthesize(sub)}`}${sup === '' ? '' : `^${parenthesize(sup)}`}`
}

function listParts(element: Element, name: string): string[] {
  return element.parts.filter((part) => part.name === name).map(({ text }) => text)
}

function joinParts(element: Element, name: string): string {
  return listParts(element, name).join('')
}

function parenthesize(text: string): string {
  return text.length <= 1 || /^[\p{L}\p{N}.]+$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`
}
