/**
 * All file formats known to the service. API document, "What the service does" (supported document
 * types) and "OCR" (supported images).
 */
export type Format = {
  /** Identifier in {@link SniffedType}. */
  format: string
  /** Name in messages. */
  name: string
  mimeType: string
  /** Typical file name extensions, lower case, without dot. */
  extensions: readonly string[]
  /** Typical declared types besides `mimeType`. */
  declaredTypes: readonly string[]
  /** True for text formats. Any text may have such a file name, binary content may not. */
  isText: boolean
  /**
   * The process that parses the format: the service, or a sandboxed child for formats that are
   * risky to parse. `members`: each member is read as a file.
   */
  readIn: 'service' | 'child' | 'members'
  /** True for images, which are accepted for OCR only. */
  isImage: boolean
}

/** Kind of files accepted: documents or images. */
export type AcceptedFiles = 'documents' | 'images'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'
const TEXT = { declaredTypes: [], isText: true, readIn: 'service', isImage: false } as const
const BINARY = { declaredTypes: [], isText: false, readIn: 'child', isImage: false } as const

/** Format of an archive of documents, which `zip-members.ts` opens. */
export const ZIP = 'zip'

/** The table, text formats first. */
export const FORMATS: readonly Format[] = [
  { ...TEXT, format: 'txt', name: 'TXT', mimeType: 'text/plain', extensions: ['txt', 'text'] },
  {
    ...TEXT,
    format: 'log',
    name: 'LOG',
    mimeType: 'text/plain',
    extensions: ['log'],
    declaredTypes: ['text/x-log'],
  },
  {
    ...TEXT,
    format: 'markdown',
    name: 'Markdown',
    mimeType: 'text/markdown',
    extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
    declaredTypes: ['text/x-markdown'],
  },
  {
    ...TEXT,
    format: 'csv',
    name: 'CSV',
    mimeType: 'text/csv',
    extensions: ['csv'],
    declaredTypes: ['application/csv', 'text/comma-separated-values'],
  },
  {
    ...TEXT,
    format: 'tsv',
    name: 'TSV',
    mimeType: 'text/tab-separated-values',
    extensions: ['tsv', 'tab'],
    declaredTypes: ['text/tsv'],
  },
  {
    ...TEXT,
    format: 'json',
    name: 'JSON',
    mimeType: 'application/json',
    extensions: ['json', 'geojson'],
    declaredTypes: ['text/json', 'application/geo+json'],
  },
  {
    ...TEXT,
    format: 'jsonl',
    name: 'JSONL/NDJSON',
    mimeType: 'application/x-ndjson',
    extensions: ['jsonl', 'ndjson'],
    declaredTypes: ['application/jsonl', 'application/x-jsonlines', 'application/jsonlines', 'application/ndjson'],
  },
  {
    ...TEXT,
    format: 'html',
    name: 'HTML',
    mimeType: 'text/html',
    extensions: ['html', 'htm', 'xhtml'],
    declaredTypes: ['application/xhtml+xml'],
    readIn: 'child',
  },
  {
    ...TEXT,
    format: 'xml',
    name: 'XML',
    mimeType: 'application/xml',
    extensions: ['xml', 'rss', 'atom', 'svg'],
    declaredTypes: ['text/xml'],
    readIn: 'child',
  },
  {
    ...TEXT,
    format: 'mail',
    name: 'EML',
    mimeType: 'message/rfc822',
    extensions: ['eml', 'mbox'],
    declaredTypes: ['application/mbox'],
    readIn: 'child',
  },
  { ...BINARY, format: 'pdf', name: 'PDF', mimeType: 'application/pdf', extensions: ['pdf'] },
  {
    ...BINARY,
    format: 'docx',
    name: 'DOCX',
    mimeType: `${OPEN_XML}.wordprocessingml.document`,
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
  },
  { ...BINARY, format: 'doc', name: 'DOC', mimeType: 'application/msword', extensions: ['doc', 'dot'] },
  {
    ...BINARY,
    format: 'rtf',
    name: 'RTF',
    mimeType: 'application/rtf',
    extensions: ['rtf'],
    declaredTypes: ['text/rtf'],
  },
  {
    ...BINARY,
    format: 'xlsx',
    name: 'XLSX',
    mimeType: `${OPEN_XML}.spreadsheetml.sheet`,
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  },
  {
    ...BINARY,
    format: 'xls',
    name: 'XLS',
    mimeType: 'application/vnd.ms-excel',
    extensions: ['xls', 'xlt'],
    declaredTypes: ['application/msexcel', 'application/x-msexcel', 'application/x-excel', 'application/excel'],
  },
  {
    ...BINARY,
    format: 'pptx',
    name: 'PPTX',
    mimeType: `${OPEN_XML}.presentationml.presentation`,
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  },
  {
    ...BINARY,
    format: 'ppt',
    name: 'PPT',
    mimeType: 'application/vnd.ms-powerpoint',
    extensions: ['ppt', 'pps', 'pot'],
  },
  {
    ...openDocument('text'),
    format: 'odt',
    name: 'ODT',
    extensions: ['odt', 'ott', 'fodt', 'odm', 'oth'],
  },
  { ...openDocument('spreadsheet'), format: 'ods', name: 'ODS', extensions: ['ods', 'ots', 'fods'] },
  { ...openDocument('presentation'), format: 'odp', name: 'ODP', extensions: ['odp', 'otp', 'fodp'] },
  { ...BINARY, format: 'epub', name: 'EPUB', mimeType: 'application/epub+zip', extensions: ['epub'] },
  {
    ...BINARY,
    format: ZIP,
    name: 'ZIP',
    mimeType: 'application/zip',
    extensions: ['zip'],
    declaredTypes: ['application/x-zip-compressed'],
    readIn: 'members',
  },
  image('png', 'PNG', ['png']),
  image('jpeg', 'JPEG', ['jpg', 'jpeg']),
  image('webp', 'WebP', ['webp']),
  image('gif', 'GIF', ['gif']),
  image('tiff', 'TIFF', ['tif', 'tiff']),
  image('bmp', 'BMP', ['bmp']),
]

function openDocument(kind: string): Omit<Format, 'format' | 'name' | 'extensions'> {
  const mimeType = `${OPEN_DOCUMENT}.${kind}`
  const declaredTypes = ['-template', '-flat-xml', '-master', '-web'].map((ending) => `${mimeType}${ending}`)
  return { ...BINARY, mimeType, declaredTypes }
}

function image(format: string, name: string, extensions: readonly string[]): Format {
  return { ...BINARY, format, name, extensions, mimeType: `image/${format}`, isImage: true }
}

/** Returns a format by name; throws for an unknown name, which is a programming error. */
export function requireFormat(format: string): Format {
  const found = FORMATS.find((entry) => entry.format === format)
  if (found === undefined) throw new Error(`no such format: ${format}`)
  return found
}

/** Number or date that a rotation appends: `app.log.1`, `app.log-20260102`. */
const ROTATION = /(\.log)[.-]\d[\d._-]{0,30}$/i

/**
 * Returns the format implied by file name or declared type, the extension first; `null` for none.
 */
export function getHintedFormat(filename: string | null, declaredType: string | null): Format | null {
  const name = filename?.replace(ROTATION, '$1') ?? ''
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  const byName = FORMATS.find((entry) => extension !== undefined && entry.extensions.includes(extension))
  if (byName !== undefined) return byName
  const declared = (declaredType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Clients send text/plain for anything that looks like text, so the type carries no information.
  if (declared === 'text/plain') return null
  return FORMATS.find((entry) => entry.mimeType === declared || entry.declaredTypes.includes(declared)) ?? null
}

const PACKED_NAME = /\.gz$/i

/** Returns the text format of a name such as `app.log.gz` (gzip); `null` for other names. */
export function getPackedFormat(filename: string | null): Format | null {
  if (filename === null || !PACKED_NAME.test(filename)) return null
  const format = getHintedFormat(filename.replace(PACKED_NAME, ''), null)
  return format?.isText === true ? format : null
}

/** Returns the names of the accepted formats for messages: `TXT, LOG, Markdown, …`. */
export function listSupportedNames(accepted: AcceptedFiles): string {
  return FORMATS.filter((entry) => isAccepted(entry, accepted))
    .map((entry) => entry.name)
    .join(', ')
}

/** True if files of the format are read where `accepted` applies. */
export function isAccepted({ isImage }: Format, accepted: AcceptedFiles): boolean {
  return isImage === (accepted === 'images')
}

/** True for formats parsed in a child process. Throws as {@link requireFormat} does. */
export function isReadInChild(format: string): boolean {
  return requireFormat(format).readIn === 'child'
}
