import { ApiError } from '../../../errors.ts'
import {
  type Block,
  isTooLargeUnpacked,
  type PageReport,
  type ParseEvent,
  tooLargeUnpacked,
  unreadable,
} from '../../parse-event.ts'
import { createPageReport, splitBlock, toHeading, toParagraph } from '../office-block.ts'
import { removeBlankLines } from './sheet-handler.ts'

/** A sheet of a workbook. */
export type NamedSheet = {
  name: string
  /** Message of the report: {@link HIDDEN_SHEET}, or `null` for visible sheets. */
  message: string | null
}

/** Message of the report of a hidden sheet. */
export const HIDDEN_SHEET = 'hidden sheet'

/** Limit on the sheets of a workbook. */
export const MAX_SHEETS = 10_000

/** Functions that read the sheets of a workbook. */
type SheetReading<Sheet> = {
  /** True for a sheet whose data belongs to an earlier sheet, as in crafted files. */
  isRepeated(sheet: Sheet): boolean
  /** Yields the blocks and warnings of a sheet. */
  read(sheet: Sheet): AsyncIterable<ParseEvent> | Iterable<ParseEvent>
}

/**
 * Yields the sheets as pages, each with its report. A damaged sheet fails alone; throws
 * `unprocessable_document` when no sheet is readable or the text is excessive.
 */
export async function* pagesOfSheets<Sheet extends NamedSheet>(
  sheets: readonly Sheet[],
  { isRepeated, read }: SheetReading<Sheet>,
): AsyncGenerator<ParseEvent> {
  let failure: ApiError | null = null
  let good = 0
  for (const [index, sheet] of sheets.entries()) {
    if (isRepeated(sheet)) {
      yield { page: createPageReport(index + 1, 0, 'The sheet uses the same part of the file as an earlier sheet.') }
      continue
    }
    try {
      yield* pageOfSheet(sheet, index + 1, read(sheet))
      good += 1
    } catch (error) {
      if (isTooLargeUnpacked(error)) throw error
      failure = error instanceof ApiError ? error : unreadable(`The sheet "${sheet.name}" is damaged.`, error)
      yield { page: { ...createPageReport(index + 1, 0, failure.message), method: 'failed' } }
    }
  }
  if (failure !== null && good === 0) throw failure
}

/** Character limit per sheet; a sheet of a million cells has some 10 million. */
const MAX_SHEET_CHARACTERS = 200_000_000

/** Yields the name of a sheet as a heading, its events as they arrive, then the report. */
async function* pageOfSheet(
  { name, message }: NamedSheet,
  page: number,
  events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
): AsyncGenerator<ParseEvent> {
  const blocks = createSheetPage(name, page)
  for await (const event of events) {
    if ('warning' in event) yield event
    else if ('block' in event) for (const block of blocks.add(event.block)) yield { block }
  }
  yield { page: blocks.end(message) }
}

/** Places the blocks of a sheet on its page, behind the name of the sheet as a heading. */
type SheetPage = {
  /** Throws `unprocessable_document` when the text is excessive. */
  add(block: Block): Block[]
  /** `message`: {@link HIDDEN_SHEET} or `null`. */
  end(message: string | null): PageReport
}

/** Creates the page of a sheet. */
export function createSheetPage(name: string, page: number): SheetPage {
  let characters = 0
  return {
    add(block) {
      const heading = characters === 0 ? toHeading(name, 1) : null
      characters += (heading?.text.length ?? 0) + block.text.length
      if (characters > MAX_SHEET_CHARACTERS)
        throw tooLargeUnpacked(`its sheet ${page} has more than 200 million characters`)
      return [...(heading === null ? [] : [heading]), ...splitBlock(block)].map((piece) => ({ ...piece, page }))
    },
    end: (message) => createPageReport(page, characters, message),
  }
}

/** Creates the block of a comment; `null` for a comment without text. */
export function toComment({ place, by, text }: { place: string; by: string; text: string }): Block | null {
  if (text.trim() === '') return null
  return toParagraph(`Comment on ${place}${by === '' ? '' : ` by ${by}`}: ${text.trim()}`)
}

/** Creates the blocks of the printed headers and footers of a sheet, each text once. */
export function toMarginBlocks(margins: readonly string[]): Block[] {
  const texts = new Set(margins.map(stripHeaderCodes).filter((text) => /\p{L}/u.test(text)))
  return [...texts].map(toParagraph).filter((block) => block !== null)
}

/** Strips the formatting codes of a printed header or footer (`&L&"Arial,Bold"&12Report &P`). */
export function stripHeaderCodes(text: string): string {
  const words = text
    .replace(/&"[^"]*"/g, '')
    .replace(/&K[0-9A-Fa-f]{6}/g, '')
    .replace(/&\d+/g, '')
    .replace(/&[LCR]/g, '\n')
    .replace(/&[A-Z]/gi, '')
    .replaceAll('&&', '&')
  return removeBlankLines(words)
}
