import type { Block } from '../parse-event.ts'
import type { DateSystem } from './number-format/format-date.ts'
import { type NumberFormat, readNumberFormat } from './number-format/number-format.ts'
import { paragraphOf, rowOf, tableOf } from './office-block.ts'
import type { OfficePackage } from './package/office-package.ts'
import { getNumber, isOn, type XmlHandler } from './package/read-xml.ts'

/** A row of values of a chart, by the number of the point. Categories have levels, the innermost first. */
type Series = { name: string; categories: string[][]; values: string[] }

/** Points a series may have; charts of measurements have their numbers in a sheet as well. */
const MAX_POINTS = 2_000
const MAX_SERIES = 250
/** Levels of categories, and what is repeated of the outer ones. */
const MAX_LEVELS = 10
const MAX_REPEATED_CHARACTERS = 200
/** In a chart. */
const MAX_REPEATED_IN_ALL = 50_000

/**
 * The words and numbers of a chart: its titles, and its data as a table with a column for each series. None when the
 * part is absent.
 */
export async function readChart(pkg: OfficePackage, part: string): Promise<Block[]> {
  const titles: string[] = []
  const series: Series[] = []
  await pkg.tryFeed(part, createChartHandler(titles, series))
  const title = paragraphOf(titles.join('\n'))
  return [...(title === null ? [] : [title]), ...dataOf(series)]
}

function createChartHandler(titles: string[], series: Series[]): XmlHandler {
  const open: string[] = []
  let text = ''
  let point = 0
  let level = 0
  let format: NumberFormat | null = null
  let system: DateSystem = '1900'

  /** Dates among the categories are numbers, which their format tells. */
  function showCategory(): string {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    return format === null || !Number.isFinite(number) ? text : format.raw(number)
  }

  function addCategory(categories: string[][]): void {
    while (categories.length <= level) categories.push([])
    const points = categories[level] ?? []
    points[point] ??= showCategory()
  }

  function closePoint(): void {
    const current = series.at(-1)
    if (!open.includes('ser') || current === undefined || point >= MAX_POINTS) return
    if (open.includes('tx')) current.name = `${current.name} ${text}`.trim()
    else if (open.includes('cat') || open.includes('xVal')) addCategory(current.categories)
    else if (open.includes('val') || open.includes('yVal')) current.values[point] ??= text
  }

  return {
    open(name, attributes) {
      if (name === 'extLst' || (name === 'ser' && series.length >= MAX_SERIES)) return true
      if (name === 'ser') series.push({ name: '', categories: [], values: [] })
      if (name === 'date1904' && isOn(attributes)) system = '1904'
      if (name === 'cat' || name === 'xVal') {
        level = 0
        format = null
      }
      if (name === 'pt') point = getNumber(attributes, 'idx') ?? 0
      if (name === 'v' || name === 'p' || name === 'formatCode') text = ''
      open.push(name)
      return false
    },
    close(name) {
      open.pop()
      if (name === 'v') closePoint()
      if (name === 'lvl') level = Math.min(level + 1, MAX_LEVELS)
      if (name === 'formatCode') format = readNumberFormat(text, system)
      const isTitle = name === 'p' || (name === 'pt' && !open.includes('ser') && !open.includes('numCache'))
      if (isTitle && text.trim() !== '') titles.push(text.trim())
      if (isTitle) text = ''
    },
    text(piece) {
      const within = open.at(-1)
      if (within === 't' || within === 'v' || within === 'pt' || within === 'formatCode') text += piece
    },
  }
}

function dataOf(series: readonly Series[]): Block[] {
  const categories = namesOf(series.find((one) => one.categories.length > 0)?.categories ?? [])
  const count = Math.max(categories.length, ...series.map((one) => one.values.length))
  const rows = [rowOf(['', ...series.map(({ name }) => name)], 'table-header')]
  for (let point = 0; point < count; point += 1) {
    rows.push(rowOf([categories[point] ?? '', ...series.map(({ values }) => values[point] ?? '')]))
  }
  return tableOf(rows)
}

/** The categories with those they belong to before them: an outer one stands at the first of its points alone. */
function namesOf([inner = [], ...outer]: Series['categories']): string[] {
  const open = outer.map(() => '')
  let left = MAX_REPEATED_IN_ALL
  return Array.from(inner, (name = '', point) => {
    for (const [level, names] of outer.entries())
      open[level] = names[point]?.slice(0, MAX_REPEATED_CHARACTERS) ?? open[level] ?? ''
    const above = open.toReversed().filter((part) => part !== '')
    left -= above.join(' ').length
    return [...(left >= 0 ? above : []), name].filter((part) => part !== '').join(' ')
  })
}
