import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { unreadable } from '../../parse-event.ts'

/** Errors common in Office files; the text around the error is sound. */
const TOLERATED_ERRORS = /undefined entity|disallowed character|text data outside of root node|a document must contain/

/**
 * Feeds a part to a handler. Yields after each chunk, so that the caller can forward results before
 * reading more. Entities are never expanded. Throws `unprocessable_document` with the part and line
 * for malformed XML.
 */
export async function* readXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const filter = createElementFilter(handler)
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    filter.open(name, attributes)
    if (filter.isTooDeep()) throw unreadable(`The file is damaged: ${part} nests elements too deeply.`)
  })
  parser.on('closetag', () => filter.close())
  parser.on('text', filter.text)
  parser.on('cdata', filter.text)
  parser.on('error', (error) => {
    if (TOLERATED_ERRORS.test(error.message)) return
    throw unreadable(`The file is damaged: ${part} is broken at line ${parser.line}, column ${parser.column}.`, error)
  })
  let decoder: TextDecoder | null = null
  for await (const piece of pieces) {
    decoder ??= createDecoder(piece)
    parser.write(decoder.decode(piece, { stream: true }))
    yield
  }
  parser.close()
}

function createDecoder(head: Buffer): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le')
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be')
  const declared = /^[^>]*?encoding=["']([\w-]+)["']/.exec(head.toString('latin1', 0, 200))?.[1]
  return new TextDecoder(isSingleByte(declared) ? declared : 'utf-8')
}

/** The standard allows UTF-8 and UTF-16; some writers declare a single-byte encoding. */
function isSingleByte(label: string | undefined): label is string {
  return label !== undefined && /^(iso-8859-\d+|windows-125\d)$/i.test(label)
}

/** Maximum nesting of elements; honest files stay below 100. */
const MAX_DEPTH = 2_000

/** Selects the elements that a handler sees. */
type ElementFilter = {
  open(name: string, attributes: Attributes): void
  close(): void
  text(text: string): void
  /** True when elements nest deeper than in any honest file. */
  isTooDeep(): boolean
}

/**
 * Passes elements on by local name and drops skipped subtrees. Of each `mc:AlternateContent` only
 * one alternative passes, as all contain the same text. (ECMA-376 part 3, section 7.5.)
 */
function createElementFilter(handler: XmlHandler): ElementFilter {
  /** Open elements; an empty name marks an element hidden from the handler. */
  const names: string[] = []
  /** Depth of each open AlternateContent, and whether an alternative was taken. */
  const alternates: { depth: number; isTaken: boolean }[] = []
  const locals = new Map<string, string>()
  let skippedDepth = 0

  function getLocalName(name: string): string {
    const known = locals.get(name)
    if (known !== undefined) return known
    const written = name.slice(name.indexOf(':') + 1)
    // Handlers look names up in plain objects, where inherited keys such as `__proto__` exist.
    const local = written in Object.prototype ? '' : written
    if (locals.size < 1000) locals.set(name, local)
    return local
  }

  /** True for elements of the AlternateContent markup. */
  function openAlternate(local: string): boolean {
    if (local === 'AlternateContent') {
      alternates.push({ depth: names.length, isTaken: false })
      return true
    }
    const alternate = alternates.at(-1)
    if (alternate?.depth !== names.length - 1 || (local !== 'Choice' && local !== 'Fallback')) return false
    if (alternate.isTaken) skippedDepth = 1
    alternate.isTaken = true
    return true
  }

  return {
    open(name, attributes) {
      if (skippedDepth > 0) {
        skippedDepth += 1
        return
      }
      const local = getLocalName(name)
      if (openAlternate(local)) {
        if (skippedDepth === 0) names.push('')
        return
      }
      if (local !== '' && handler.open(local, attributes)) skippedDepth = 1
      else names.push(local)
    },
    close() {
      if (skippedDepth > 0) {
        skippedDepth -= 1
        return
      }
      const local = names.pop()
      if (alternates.at(-1)?.depth === names.length) alternates.pop()
      if (local !== undefined && local !== '') handler.close(local)
    },
    text(text) {
      if (skippedDepth === 0) handler.text(text)
    },
    isTooDeep: () => names.length + skippedDepth > MAX_DEPTH,
  }
}

/** Attributes of an element, as written. */
export type Attributes = Readonly<Record<string, string>>

/**
 * Receives the elements of a part in order, by local name. Office files use two sets of namespaces
 * for the same elements.
 */
export type XmlHandler = {
  /** Returns true to skip the element with its content; `close` is then not called. */
  open(name: string, attributes: Attributes): boolean
  close(name: string): void
  text(text: string): void
}

/** Returns an attribute by local name, preferring no prefix; `null` when absent. */
export function getAttribute(attributes: Attributes, local: string): string | null {
  const plain = attributes[local]
  if (plain !== undefined) return plain
  return getPrefixedAttribute(attributes, local)
}

/**
 * Returns a prefixed attribute by local name, such as the relationship id `r:id`; `null` when
 * absent.
 */
export function getPrefixedAttribute(attributes: Attributes, local: string): string | null {
  for (const name in attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':') {
      return attributes[name] ?? null
    }
  }
  return null
}

/** Returns an attribute as an integer; `null` when absent or not a number. */
export function getIntAttribute(attributes: Attributes, local: string): number | null {
  const value = Number.parseInt(getAttribute(attributes, local) ?? '', 10)
  return Number.isFinite(value) ? value : null
}

/** Reads an on/off property: an element without `val` is on. */
export function isSwitchedOn(attributes: Attributes, local = 'val'): boolean {
  const value = getAttribute(attributes, local)
  return value === null || !['0', 'false', 'off', 'none'].includes(value)
}
