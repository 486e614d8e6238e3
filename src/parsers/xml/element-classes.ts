/** Roots of vocabularies whose elements say what a text looks like or where it stands, and of listings that name their values themselves. */
const SILENT_ROOT = new RegExp(
  '^(?:(?:office|w|pkg|p|a|x|fo|svg):.*|(?:\\w+:)?(?:html|plist|tt|osis|usx|akomantoso|play|' +
    'poem|pmc-articleset|set|part|appendix|preface|glossary|section|sect[1-5]|reference|topic|' +
    'concept|task|dita|map|bookmap|ead))$',
  'i',
)
/** Names that say nothing of what stands in an element, and such as say where it stands. */
const SILENT_NAME = new RegExp(
  '^(?:.|text|content|value|string|str|int|integer|real|data|body|key|item|entry|row|rows|' +
    'record|records|element|object|list|items|root|node|nodes|rss|feed|channel|rdf|kml|result|' +
    'results|array|dict|h[1-6r]|para|paragraph|title|head|heading|term|glossterm|dt)$',
  'i',
)

/**
 * What the name of an element says of its content (`<total>12</total>`), without the prefix of its vocabulary; `null` where that is nothing. `root`: the element
 * around all others.
 */
export function fieldNameOf(name: string, root: string): string | null {
  const own = name.replace(/^.*:/, '')
  return SILENT_ROOT.test(root) || SILENT_NAME.test(own) ? null : own
}

/** Pictures and the like stand in XML as Base64. */
const MIN_ENCODED_CHARACTERS = 300

/** True for what is no words but bytes written as Base64. */
export function isEncoded(text: string): boolean {
  if (text.length < MIN_ENCODED_CHARACTERS || /[^A-Za-z0-9+/=\n]/.test(text)) return false
  return text.split('\n').length <= text.length / 40
}

/** Elements of DocBook, JATS and DITA whose lines are lines, as those of code are. */
const LINES = /^(?:\w+:)?(?:programlisting|literallayout|preformat|codeblock|pre)$/i
/** The same in manuals alone: of a film the synopsis is prose, and the screen no listing. */
const LINES_OF_MANUALS = /^(?:\w+:)?(?:screen|synopsis)$/i
const MANUAL = new RegExp(
  '^(?:\\w+:)?(?:set|book|part|article|chapter|appendix|preface|glossary|section|sect[1-5]|' +
    'reference|refentry|topic|concept|task|dita)$',
  'i',
)

/** True for an element in which line ends and indents count. `root`: the element around all others. */
export function isPreformatted(root: string, name: string): boolean {
  return LINES.test(name) || (LINES_OF_MANUALS.test(name) && MANUAL.test(root))
}

/**
 * Elements that part words wherever they stand: breaks of lines, columns and pages, tabs and blanks of office formats, DocBook, JATS and TEI, and
 * notes, which stand at the foot of a page when it is laid out; so does a formula that is written twice (JATS).
 */
const PARTING_NAME = new RegExp(
  '^(?:text:s|(?:\\w+:)?(?:br|cr|lb|cb|pb|break|line-break|soft-page-break|tab|space|milestone|' +
    'note|fn|footnote|endnote|tex-math))$',
  'i',
)

/**
 * True where words before and after the tags of an element are words of their own. A break of TEI may say that it stands inside of
 * one; a piece of a drawing that has a place of its own is a line of its own.
 */
export function breaksWords(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (/^(?:\w+:)?tspan$/.test(name)) return ['x', 'y', 'dy'].some((place) => attributes[place] !== undefined)
  return PARTING_NAME.test(name) && attributes['break'] !== 'no'
}
