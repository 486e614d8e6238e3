/** The level of a heading that a line of plain text, standing alone between blank lines, certainly is; `null` when it need not be one. */
export function getTitleLevel(title: string): number | null {
  if (title.length > 100 || /[.,;:!?]$/.test(title)) return null
  const named = /^(chapter|part|book|appendix|annex|section|article)\s+(\d{1,3}|[ivxlc]{1,7}|[a-z])\b/i.exec(title)?.[1]
  if (named !== undefined) return /section|article/i.test(named) ? 2 : 1
  const numbers = /^(\d{1,3}(?:\.\d{1,3})+)\.?\s+\p{Lu}/u.exec(title)?.[1]
  if (numbers !== undefined) return numbers.split('.').length
  return isCapitals(title) ? 2 : null
}

/** True when a line begins with a bullet or a number and goes on. */
export function isListItem(line: string): boolean {
  return /^\s{0,12}(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+\S/.test(line)
}

/** Words of capitals only, at least one of four letters; codes and acronyms are not. */
function isCapitals(title: string): boolean {
  return /\p{Lu}{4}/u.test(title) && !/[\p{Ll}\d{}<>=|\\/_$#@*]/u.test(title)
}
