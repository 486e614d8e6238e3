/**
 * Every kind of file the service knows by name, as data: a later parser adds its reader and sets `supported`.
 * API document, "What the service does": supported document file types.
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
  /** True when a reader exists. */
  supported: boolean
}

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
  { ...text('html', 'HTML', 'text/html', ['html', 'htm', 'xhtml'], ['application/xhtml+xml']), supported: false },
  { ...text('xml', 'XML', 'application/xml', ['xml', 'rss', 'atom', 'svg'], ['text/xml']), supported: false },
  binary('pdf', 'PDF', 'application/pdf', ['pdf']),
  binary('docx', 'DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['docx', 'docm']),
  binary('doc', 'DOC', 'application/msword', ['doc']),
  binary('xlsx', 'XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ['xlsx', 'xlsm']),
  binary('xls', 'XLS', 'application/vnd.ms-excel', ['xls']),
  binary('pptx', 'PPTX', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', ['pptx']),
  binary('ppt', 'PPT', 'application/vnd.ms-powerpoint', ['ppt', 'pps']),
  binary('png', 'PNG image', 'image/png', ['png']),
  binary('jpeg', 'JPEG image', 'image/jpeg', ['jpg', 'jpeg']),
  binary('webp', 'WebP image', 'image/webp', ['webp']),
  binary('gif', 'GIF image', 'image/gif', ['gif']),
  binary('tiff', 'TIFF image', 'image/tiff', ['tif', 'tiff']),
  binary('bmp', 'BMP image', 'image/bmp', ['bmp']),
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

/** The names of the formats that can be read, for messages: `TXT, LOG, Markdown, …`. */
export function listSupportedNames(): string {
  return FORMATS.filter((entry) => entry.supported)
    .map((entry) => entry.name)
    .join(', ')
}

function text(
  format: string,
  name: string,
  mimeType: string,
  extensions: readonly string[],
  declaredTypes: readonly string[] = [],
): Format {
  return { format, name, mimeType, extensions, declaredTypes, isText: true, supported: true }
}

function binary(format: string, name: string, mimeType: string, extensions: readonly string[]): Format {
  return { format, name, mimeType, extensions, declaredTypes: [], isText: false, supported: false }
}
