/**
 * Every kind of file the service knows by name, as data. API document, "What the service does": supported document file types, and
 * "OCR": supported images.
 */
export type Format = {
  /** What {@link SniffedType} calls it. */
  format: string
  /** What messages call it. */
  name: string
  mimeType: string
  /** File name extensions that hint at it, lower case, without the dot. */
  extensions: readonly string[]
  /** Declared types that hint at it, beside `mimeType`. */
  declaredTypes: readonly string[]
  /** True for formats that are themselves text: any text may bear their name, binary content may not. */
  isText: boolean
  /** Who reads it: the service itself, or a child process, as what strangers can do with the format calls for. `null`: nobody does. */
  readIn: 'service' | 'child' | null
  /** True for pictures, which are no documents: they are taken where text is to be recognised, and nowhere else. */
  isPicture: boolean
}

/** What is taken at a place: documents with text in them, or pictures of text. */
export type Accepted = 'documents' | 'pictures'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

/** The table, text formats first. */
export const FORMATS: readonly Format[] = [
  text('txt', 'TXT', 'text/plain', ['txt', 'text']),
  text('log', 'LOG', 'text/plain', ['log'], ['text/x-log']),
  text('markdown', 'Markdown', 'text/markdown', ['md', 'markdown', 'mdown', 'mkd', 'mdx'], ['text/x-markdown']),
  text('csv', 'CSV', 'text/csv', ['csv'], ['application/csv', 'text/comma-separated-values']),
  text('tsv', 'TSV', 'text/tab-separated-values', ['tsv', 'tab'], ['text/tsv']),
  text('json', 'JSON', 'application/json', ['json', 'geojson'], ['text/json', 'application/geo+json']),
  text(
    'jsonl',
    'JSONL/NDJSON',
    'application/x-ndjson',
    ['jsonl', 'ndjson'],
    ['application/jsonl', 'application/x-jsonlines', 'application/jsonlines', 'application/ndjson'],
  ),
  { ...text('html', 'HTML', 'text/html', ['html', 'htm', 'xhtml'], ['application/xhtml+xml']), readIn: 'child' },
  { ...text('xml', 'XML', 'application/xml', ['xml', 'rss', 'atom', 'svg'], ['text/xml']), readIn: 'child' },
  { ...text('mail', 'EML', 'message/rfc822', ['eml', 'mbox'], ['application/mbox']), readIn: 'child' },
  binary('pdf', 'PDF', 'application/pdf', ['pdf']),
  binary('docx', 'DOCX', `${OPEN_XML}.wordprocessingml.document`, ['docx', 'docm', 'dotx', 'dotm']),
  binary('doc', 'DOC', 'application/msword', ['doc', 'dot']),
  binary('xlsx', 'XLSX', `${OPEN_XML}.spreadsheetml.sheet`, ['xlsx', 'xlsm', 'xltx', 'xltm']),
  { ...binary('xls', 'XLS', 'application/vnd.ms-excel', ['xls']), readIn: null },
  binary('pptx', 'PPTX', `${OPEN_XML}.presentationml.presentation`, ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm']),
  binary('ppt', 'PPT', 'application/vnd.ms-powerpoint', ['ppt', 'pps', 'pot']),
  picture('png', 'PNG', ['png']),
  picture('jpeg', 'JPEG', ['jpg', 'jpeg']),
  picture('webp', 'WebP', ['webp']),
  picture('gif', 'GIF', ['gif']),
  picture('tiff', 'TIFF', ['tif', 'tiff']),
  picture('bmp', 'BMP', ['bmp']),
]

/** The format of that name; throws on a name that is not in the table, which is a mistake of ours. */
export function requireFormat(format: string): Format {
  const found = FORMATS.find((entry) => entry.format === format)
  if (found === undefined) throw new Error(`no such format: ${format}`)
  return found
}

/** What a file name and a declared type hint at, the extension first; `null` when they say nothing we know. */
export function getHintedFormat(filename: string | null, declaredType: string | null): Format | null {
  const extension = /\.([^./\\]+)$/.exec(filename ?? '')?.[1]?.toLowerCase()
  const byName = FORMATS.find((entry) => extension !== undefined && entry.extensions.includes(extension))
  if (byName !== undefined) return byName
  const declared = (declaredType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Clients send text/plain for whatever they take for text; it says no more than the content does.
  if (declared === 'text/plain') return null
  return FORMATS.find((entry) => entry.mimeType === declared || entry.declaredTypes.includes(declared)) ?? null
}

/** The names of the formats that are taken, for messages: `TXT, LOG, Markdown, …`. */
export function listSupportedNames(accepted: Accepted): string {
  return FORMATS.filter((entry) => isAccepted(entry, accepted))
    .map((entry) => entry.name)
    .join(', ')
}

/** True when files of the format are read where `accepted` is taken. */
export function isAccepted({ readIn, isPicture }: Format, accepted: Accepted): boolean {
  return readIn !== null && isPicture === (accepted === 'pictures')
}

/** True for formats whose reader runs in a child process, false for those that `parse` reads in this one. Throws as {@link requireFormat} does. */
export function isReadInChild(format: string): boolean {
  return requireFormat(format).readIn === 'child'
}

function text(
  format: string,
  name: string,
  mimeType: string,
  extensions: readonly string[],
  declaredTypes: readonly string[] = [],
): Format {
  return { format, name, mimeType, extensions, declaredTypes, isText: true, readIn: 'service', isPicture: false }
}

function binary(format: string, name: string, mimeType: string, extensions: readonly string[]): Format {
  return { format, name, mimeType, extensions, declaredTypes: [], isText: false, readIn: 'child', isPicture: false }
}

function picture(format: string, name: string, extensions: readonly string[]): Format {
  return { ...binary(format, name, `image/${format}`, extensions), isPicture: true }
}
