import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { unreadable } from '../../parse-event.ts'

/** What strict parsers reject and Office files nevertheless have; the text around it is sound. */
const FORGIVEN = /undefined entity|disallowed character|text data outside of root node|a document must contain/

/**
 * Feeds a part to a handler. Yields after each piece of it, so that a caller can pass on what the handler found before
 * more is read. Entities are never expanded. Throws `unprocessable_document` naming `part` and the line for broken XML.
 */
export async function* readXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const filter = createElementFilter(handler)
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    filter.open(name, attributes)
    if (filter.isTooDeep()) throw unreadable(`The file is damaged: ${part} nests its elements too deeply.`)
  })
  parser.on('closetag', () => filter.close())
  parser.on('text', filter.text)
  parser.on('cdata', filter.text)
  parser.on('error', (error) => {
    if (FORGIVEN.test(error.message)) return
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

/** The standard allows UTF-8 and UTF-16; some writers declare one of these. */
function isSingleByte(label: string | undefined): label is string {
  return label !== undefined && /^(iso-8859-\d+|windows-125\d)$/i.test(label)
}

/** How deep elements may lie in each other; honest files stay below 100. */
const MAX_DEPTH = 2_000

/** What of a part a handler gets to see. */
type ElementFilter = {
  open(name: string, attributes: Attributes): void
  close(): void
  text(text: string): void
  /** True when elements lie in each other deeper than any honest file has it. */
  isTooDeep(): boolean
}

/**
 * Passes elements on by their local names, without what the handler skips, and only one alternative of each
 * `mc:AlternateContent`: the same text stands in both. (ECMA-376 part 3, section 7.5.)
 */
function createElementFilter(handler: XmlHandler): ElementFilter {
  /** Open elements; an empty name is one the handler does not see. */
  const names: string[] = []
  /** For each open AlternateContent, its depth and whether an alternative was taken. */
  const alternates: { depth: number; isTaken: boolean }[] = []
  const locals = new Map<string, string>()
  let skippedDepth = 0

  function localOf(name: string): string {
    const known = locals.get(name)
    if (known !== undefined) return known
    const written = name.slice(name.indexOf(':') + 1)
    // Handlers look names up in plain objects, where `__proto__` and the like are found without being put there.
    const local = written in Object.prototype ? '' : written
    if (locals.size < 1000) locals.set(name, local)
    return local
  }

  /** True when the element is part of the choosing, not of the content. */
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
      const local = localOf(name)
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

/** The attributes of an element, as they are written. */
export type Attributes = Readonly<Record<string, string>>

/** Takes the elements of a part in order. Names are local names: Office files use two sets of namespaces for one thing. */
export type XmlHandler = {
  /** Returns true to skip the element and all that is in it; `close` is then not called for it. */
  open(name: string, attributes: Attributes): boolean
  close(name: string): void
  text(text: string): void
}

/** The attribute of that local name, the one without a prefix first; `null` when there is none. */
export function getAttribute(attributes: Attributes, local: string): string | null {
  const plain = attributes[local]
  if (plain !== undefined) return plain
  return getPrefixed(attributes, local)
}

/** The attribute of that local name that has a prefix, as the ids of relationships do (`r:id`); `null` when there is none. */
export function getPrefixed(attributes: Attributes, local: string): string | null {
  for (const name in attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':') {
      return attributes[name] ?? null
    }
  }
  return null
}

/** A whole number in an attribute; `null` when it is absent or none. */
export function getNumber(attributes: Attributes, local: string): number | null {
  const value = Number.parseInt(getAttribute(attributes, local) ?? '', 10)
  return Number.isFinite(value) ? value : null
}

/** An on/off property: an element without `val` is on. */
export function isOn(attributes: Attributes, local = 'val'): boolean {
  const value = getAttribute(attributes, local)
  return value === null || !['0', 'false', 'off', 'none'].includes(value)
}
