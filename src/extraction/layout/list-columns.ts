import type { Entry } from './entry.ts'
import type { Line } from './split-cells.ts'

const TRUST = { words: 0.95, numbers: 0.85 } as const
/** Fewer rows are a label and a value, more are no answer but a file. */
const ROWS = { least: 2, most: 50 } as const
/** A row of a sum is no item; `Taxi` and `Ivan` are none. */
const SUM =
  /^(?:(?:(?:sub|sous)-?)?tota(?:ls?|les?|ux|al)|sum|vat|tax(?:es)?|summen?|zwischensumme|(?:gesamt|netto|brutto|end)(?:summe|betrag|preis|wert|kosten)?|mwst|ust|tva|iva|base imponible|montants?|importe total|итого|razem)(?!\p{L})|^(?:合計|小計|合计|小计|总计)/iu

/** The columns of a table as lists, each named by its header. None where a row has other cells than the header, sums at the end left out. */
export function listColumns(header: Line, rows: readonly Line[]): Entry[] {
  const end = rows.findIndex(({ cells }) => SUM.test(cells[0]?.text ?? ''))
  const items = end < 0 ? rows : rows.slice(0, end)
  const areWhole = items.every(({ cells }) => cells.length === header.cells.length)
  if (!areWhole || items.length < ROWS.least || items.length > ROWS.most) return []
  return header.cells.flatMap(({ text: label }, column): Entry[] => {
    const cells = items.flatMap(({ cells }) => cells[column] ?? [])
    const [first, last] = [cells[0], cells.at(-1)]
    if (first === undefined || last === undefined || cells.some(({ text }) => text === '')) return []
    const trust = cells.every(({ text }) => /\p{L}{2}/u.test(text)) ? TRUST.words : TRUST.numbers
    const place = { start: first.start, end: last.end, blockEnd: last.end }
    return [{ label, besides: '', ...place, trust, items: cells.map(({ text }) => text) }]
  })
}
