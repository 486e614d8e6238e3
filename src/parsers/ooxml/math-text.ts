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
      const text = textOf(element)
      const parent = elements.at(-1)
      if (parent === undefined) return text
      if (text !== '') parent.parts.push({ name: element.name, text })
      return null
    },
  }
}

const WRITERS: Readonly<Record<string, (element: Element) => string>> = {
  f: (element) => `${wrapped(partOf(element, 'num'))}/${wrapped(partOf(element, 'den'))}`,
  sSup: (element) => `${wrapped(partOf(element, 'e'))}^${wrapped(partOf(element, 'sup'))}`,
  sSub: (element) => `${wrapped(partOf(element, 'e'))}_${wrapped(partOf(element, 'sub'))}`,
  sSubSup: (element) => `${wrapped(partOf(element, 'e'))}${limits(element)}`,
  sPre: (element) => `${limits(element)}${wrapped(partOf(element, 'e'))}`,
  rad: (element) => `${partOf(element, 'deg')}√${wrapped(partOf(element, 'e'))}`,
  nary: (element) => `${element.properties.get('chr') ?? '∫'}${limits(element)} ${partOf(element, 'e')}`,
  func: (element) => `${partOf(element, 'fName')} ${wrapped(partOf(element, 'e'))}`,
  limLow: (element) => `${partOf(element, 'e')}_${wrapped(partOf(element, 'lim'))}`,
  limUpp: (element) => `${partOf(element, 'e')}^${wrapped(partOf(element, 'lim'))}`,
  acc: (element) => `${partOf(element, 'e')}${element.properties.get('chr') ?? '\u0302'}`,
  d: writeDelimited,
  m: (element) => `[${listParts(element, 'mr').join('; ')}]`,
  mr: (element) => listParts(element, 'e').join(', '),
  eqArr: (element) => listParts(element, 'e').join('\n'),
}

function textOf(element: Element): string {
  const write = WRITERS[element.name]
  return write === undefined ? element.parts.map(({ text }) => text).join('') : write(element)
}

function writeDelimited(element: Element): string {
  const { properties } = element
  const inner = listParts(element, 'e').join(properties.get('sepChr') ?? '|')
  return `${properties.get('begChr') ?? '('}${inner}${properties.get('endChr') ?? ')'}`
}

function limits(element: Element): string {
  const sub = partOf(element, 'sub')
  const sup = partOf(element, 'sup')
  return `${sub === '' ? '' : `_${wrapped(sub)}`}${sup === '' ? '' : `^${wrapped(sup)}`}`
}

function listParts(element: Element, name: string): string[] {
  return element.parts.filter((part) => part.name === name).map(({ text }) => text)
}

function partOf(element: Element, name: string): string {
  return listParts(element, name).join('')
}

function wrapped(text: string): string {
  return text.length <= 1 || /^[\p{L}\p{N}.]+$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`
}
