import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { unreadable } from '../../unreadable.ts'
import { createElementFilter } from './alternate-content.ts'
import type { XmlHandler } from './xml-handler.ts'

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

/** {@link readXml} for parts of which nothing is passed on before the end. */
export async function readWholeXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(part, pieces, handler)) void _
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
