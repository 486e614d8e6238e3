import type { Block, DocumentTitle } from '../../../parsers/parse-event.ts'
import { hasVisibleText } from '../../../text/characters.ts'

/** What the title of a document may be taken from. */
export type TitleSources = {
  /** What the caller gave; `null` when nothing. */
  given: string | null
  /** What the file calls itself; `null` when it says nothing of it. */
  own: DocumentTitle | null
  /** The blocks it begins with. */
  blocks: readonly Block[]
  /** The name of the file, or what stands for it. */
  fallback: string
}

/** Characters of a title that is read from a file; what follows is in its text. */
const MAX_TITLE = 300

/**
 * The title a user would look for: the one given; else the heading the document begins with, or the
 * title in its properties, whichever its format means for it; else the name of its file. What
 * programs write of themselves is no title.
 */
export function chooseTitle({ given, own, blocks, fallback }: TitleSources): string {
  if (given !== null) return given
  const property = own === null ? null : toTitle(own.title)
  const heading = own?.over === 'headings' ? null : findHeading(blocks)
  return heading ?? property ?? fallback
}

/**
 * The first block with words, where that is a heading of the first level; `null` otherwise. What
 * Markdown has in front says what the text is.
 */
function findHeading(blocks: readonly Block[]): string | null {
  const first = blocks.find((block) => block.kind !== 'blank' && hasVisibleText(block.text) && !isFrontMatter(block))
  if (first?.kind !== 'heading' || first.level !== 1) return null
  const title = (first.heading ?? first.text).trim()
  return hasVisibleText(title) ? title.slice(0, MAX_TITLE) : null
}

function isFrontMatter({ kind, text }: Block): boolean {
  return kind === 'code' && /^---\s/.test(text)
}

const POWERPOINT_TITLES = [
  ...['Présentation', 'Presentación(?: de)?', 'Apresentação(?: do)?', 'Presentazione(?: standard)?(?: di)?'],
  'Prezentacja(?: programu)?',
]
const UNTITLED_TITLES = [
  ...['untitled', 'unnamed', 'no title', 'unbenannt', 'ohne titel', 'sans titre', 'sin t[ií]tulo', 'sem t[ií]tulo'],
  ...['senza titolo', 'naamloos', 'bez nazwy', 'без названия', '无标题', '無題', '제목 없음'],
]
const DOCUMENT_TITLES = [
  ...['document', 'dokument', 'documento', 'doc', 'book', 'mappe', 'classeur', 'libro', 'cartel', 'workbook'],
  ...['presentation', 'präsentation', 'présentation', 'presentación', 'slide', 'folie', 'diapositive?'],
  ...['layout', 'page', 'seite', 'scan', 'image', 'print'],
]
const TEMPLATE_TITLES = [
  ...['title', 'titel', 'titre', 'título', 'titolo', 'template', 'vorlage', 'normal'],
  ...['full page photo', 'scanned document', '(?:new|neues) .{0,12}(?:document|dokument)'],
  ...['(?:presentation|document) title', 'click to (?:edit|add) .*'],
]

/**
 * Titles that programs give to what was printed, scanned or not named yet, in the languages of
 * their makers.
 */
const MADE_BY_PROGRAM: readonly RegExp[] = [
  /^Microsoft (?:Office )?(?:Word|Excel|PowerPoint)\b/i,
  /^PowerPoint[ -]\p{L}+$/iu,
  titlePattern(POWERPOINT_TITLES, ' PowerPoint'),
  titlePattern(UNTITLED_TITLES, String.raw`\b.{0,20}`),
  titlePattern(DOCUMENT_TITLES, String.raw`[ _-]?\d*`),
  /^\((?:anonymous|unspecified|untitled|unknown)\)$/i,
  titlePattern(TEMPLATE_TITLES, ''),
]
const FILE_EXTENSIONS = [
  ...['docx?', 'dotx?', 'xlsx?', 'xlsm', 'pptx?', 'pptm', 'potx?', 'pdf', 'rtf', 'od[tsp]', 'txt', 'html?', 'tex'],
  ...['dvi', 'e?ps', 'indd', 'qxd', 'pmd', 'fm', 'cdr', 'dwg', 'tiff?', 'jpe?g', 'png', 'tmp'],
]
/** The name or the place of a file; the document has a name of its own by which it came. */
const FILE_NAME = new RegExp(String.raw`^(?:[a-z]:\\|\\\\|/|file:)|\.(?:${FILE_EXTENSIONS.join('|')})$`, 'i')

function titlePattern(titles: readonly string[], ending: string): RegExp {
  return new RegExp(`^(?:${titles.join('|')})${ending}$`, 'iu')
}

/**
 * A title of a file's properties as it is shown; `null` for one that no person would have given.
 */
function toTitle(property: string | null): string | null {
  const title = (property ?? '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .toWellFormed()
  if (!/[\p{L}\p{N}]/u.test(title) || FILE_NAME.test(title)) return null
  return MADE_BY_PROGRAM.some((pattern) => pattern.test(title)) ? null : title
}
