import { type ChartSeries, MAX_POINTS, MAX_SERIES, toChartBlocks } from '../ooxml/read-object.ts'
import type { Block } from '../parse-event.ts'
import type { BiffRecord } from './biff-records.ts'
import { BodyReader, type TextForm } from './biff-strings.ts'
import { readCells } from './sheet-cells.ts'

/** Records of a chart. MS-XLS 2.3.2. */
const CHART = {
  series: 0x1003,
  text: 0x100d,
  attachedText: 0x1025,
  linkedObject: 0x1027,
  beginGroup: 0x1033,
  endGroup: 0x1034,
  cacheIndex: 0x1065,
} as const
/** Cache indexes: the content of the cells that follow. MS-XLS 2.4.277. */
const CATEGORIES = 2
const VALUES = 1
/** Titles by the object that they are linked to, in the order of reading. MS-XLS 2.4.182. */
const TITLE_LINKS: readonly number[] = [1, 3, 2, 7]
/** Limits for crafted files. */
const MAX_TITLES = 100
const MAX_GROUPS = 100

/** Collects the titles and the stored data of a chart. */
export class ChartReader {
  readonly #form: TextForm
  readonly #titles: { link: number; text: string }[] = []
  readonly #series: ChartSeries[] = []
  /** Open groups: the type of the record before each. */
  readonly #groups: number[] = []
  #lastType = 0
  #text = ''
  #cache = 0

  constructor(form: TextForm) {
    this.#form = form
  }

  /** Adds a record. False for a record that is not one of charts. */
  add(record: BiffRecord): boolean {
    const isOfChart = this.#addRecord(record)
    if (record.type !== CHART.text) this.#lastType = record.type
    return isOfChart
  }

  #addRecord(record: BiffRecord): boolean {
    const { type } = record
    if (type === CHART.beginGroup) this.#beginGroup()
    else if (type === CHART.endGroup) this.#groups.pop()
    else if (type === CHART.series) this.#beginSeries()
    else if (type === CHART.text) this.#addText(new BodyReader([record.body.subarray(2)]).string(1, this.#form))
    else if (type === CHART.linkedObject) this.#addTitle(record.body)
    else if (type === CHART.cacheIndex) this.#cache = record.body[0] ?? 0
    else return this.#addCells(record)
    return true
  }

  #beginGroup(): void {
    if (this.#groups.length < MAX_GROUPS) this.#groups.push(this.#lastType)
  }

  #beginSeries(): void {
    if (this.#series.length < MAX_SERIES) this.#series.push({ name: '', categories: [], values: [] })
  }

  #addText(text: string): void {
    const group = this.#groups.at(-1)
    const series = this.#series.at(-1)
    if (group === CHART.attachedText) this.#text = text
    else if (group === CHART.series && series !== undefined && series.name === '') series.name = text.trim()
  }

  #addTitle(body: Buffer): void {
    const link = body.length >= 2 ? body.readUInt16LE(0) : 0
    const isTitle = TITLE_LINKS.includes(link) && this.#text.trim() !== '' && this.#titles.length < MAX_TITLES
    if (isTitle) this.#titles.push({ link, text: this.#text.trim() })
    this.#text = ''
  }

  /** Rows of the cache are points, columns are series. True for records of cells. */
  #addCells(record: BiffRecord): boolean {
    const cells = readCells(record, { form: this.#form, strings: null, formats: null, formulas: null })
    if (cells === null) return false
    for (const { row, column, text } of cells) {
      const series = this.#series[column - 1]
      if (series === undefined || row > MAX_POINTS) continue
      if (this.#cache === VALUES) series.values[row - 1] = text
      else if (this.#cache === CATEGORIES) {
        series.categories[0] ??= []
        series.categories[0][row - 1] = text
      }
    }
    return true
  }

  /** Returns the titles and the data. */
  blocks(): Block[] {
    const titles = TITLE_LINKS.flatMap((link) => this.#titles.filter((title) => title.link === link))
    return toChartBlocks(
      titles.map(({ text }) => text),
      this.#series.filter(({ categories, values }) => categories.length + values.length > 0),
    )
  }
}
