/**
 * Elements that part words wherever they stand: breaks of lines, columns and pages, tabs and blanks of office formats, DocBook, JATS and TEI, and
 * notes, which stand at the foot of a page when it is laid out; so does a formula that is written twice (JATS).
 */
const PARTING_NAME =
  /^(?:text:s|(?:\w+:)?(?:br|cr|lb|cb|pb|break|line-break|soft-page-break|tab|space|milestone|note|fn|footnote|endnote|tex-math))$/i

/**
 * True where words before and after the tags of an element are words of their own. A break of TEI may say that it stands inside of
 * one; a piece of a drawing that has a place of its own is a line of its own.
 */
export function partsWords(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (/^(?:\w+:)?tspan$/.test(name)) return ['x', 'y', 'dy'].some((place) => attributes[place] !== undefined)
  return PARTING_NAME.test(name) && attributes['break'] !== 'no'
}
