/** Elements of DocBook, JATS and DITA whose lines are lines, as those of code are. */
const LINES = /^(?:\w+:)?(?:programlisting|literallayout|preformat|codeblock|pre)$/i
/** The same in manuals alone: of a film the synopsis is prose, and the screen no listing. */
const LINES_OF_MANUALS = /^(?:\w+:)?(?:screen|synopsis)$/i
const MANUAL =
  /^(?:\w+:)?(?:set|book|part|article|chapter|appendix|preface|glossary|section|sect[1-5]|reference|refentry|topic|concept|task|dita)$/i

/** True for an element in which line ends and indents count. `root`: the element around all others. */
export function keepsLines(root: string, name: string): boolean {
  return LINES.test(name) || (LINES_OF_MANUALS.test(name) && MANUAL.test(root))
}
