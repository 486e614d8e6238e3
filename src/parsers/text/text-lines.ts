/** The level of a heading that a line of plain text, standing alone between blank lines, certainly is; `null` when it need not be one. */
export function getTitleLevel(title: string): number | null {
  if (title.length > MAX_TITLE_CHARACTERS || (/[.,;:!?]$/.test(title) && !isNumberAlone(title))) return null
  const named = /^(chapter|part|book|appendix|annex|section|article)\s+(\d{1,3}|[ivxlc]{1,7}|[a-z])\b/i.exec(title)?.[1]
  if (named !== undefined) return /section|article/i.test(named) ? 2 : 1
  const numbers = /^(\d{1,3}(?:\.\d{1,3})+)\.?\s+\p{Lu}/u.exec(title)?.[1]
  if (numbers !== undefined) return numbers.split('.').length
  return isCapitals(title) ? 2 : null
}

/** True for the number of a chapter without its title, as old books have it: `CHAPTER IV.` */
export function isNumberAlone(title: string): boolean {
  return /^(?:chapter|part|book|appendix|annex|section|article)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\.?$/i.test(title)
}

/** The heading that a line is by the marks around it, of a wiki (`== Berths ==`), AsciiDoc (`== Berths` behind a blank line) or TeX (`\section{Berths}`); `null` for other lines. */
export function getMarkedHeading(line: string, afterBlank: boolean): { level: number; heading: string } | null {
  if (line.length > MAX_TITLE_CHARACTERS * 2) return null
  const [, part, name] = /^\\(chapter|(?:sub){0,2}section)\*?(?:\[[^\]]*\])?\{([^{}]+)\}/.exec(line) ?? []
  if (part !== undefined && name !== undefined) return { level: TEX_PARTS.indexOf(part) + 1, heading: name.trim() }
  const [, marks, title, end] = /^(={2,6})[ \t]*([^=\s][^=]*?)[ \t]*(=*)\s*$/.exec(line) ?? []
  if (marks === undefined || title === undefined || title.length > MAX_TITLE_CHARACTERS) return null
  const isMarked =
    end === marks || (end === '' && afterBlank && /^=+[ \t]+\p{L}/u.test(line) && !/[.,;:!?]$/.test(title))
  return isMarked ? { level: marks.length, heading: title } : null
}

const MAX_TITLE_CHARACTERS = 100
const TEX_PARTS: readonly string[] = ['chapter', 'section', 'subsection', 'subsubsection']

/** True when a line begins with a bullet or a number and goes on. */
export function isListItem(line: string): boolean {
  return /^\s{0,12}(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+\S/.test(line)
}

/** Words of capitals only, at least one of four letters; codes and acronyms are not. */
function isCapitals(title: string): boolean {
  return /\p{Lu}{4}/u.test(title) && !/[\p{Ll}\d{}<>=|\\/_$#@*]/u.test(title)
}
