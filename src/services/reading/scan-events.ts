import type { Block, PageReceipt, ScannedPage } from '../../parsers/parse-event.ts'
import type { ReadEvent, ScanReceipt } from './read-event.ts'
import type { RecognitionPlan, RecognizedPage } from './recognition.ts'

/** A page that was looked at: its paragraphs and its receipt. What the page has of its own is kept where it was not recognised with the rest. */
export function recognizedPageEvents(scan: ScannedPage, { recognition, fallback }: RecognizedPage): ReadEvent[] {
  const told = fallback === undefined ? {} : { fallback }
  const { outcome, blocks, confidence, message } = recognition
  const own = toBlocks(withoutKnown(scan.text, recognition.text), scan.page)
  if (outcome === 'text') {
    const all = [...blocks.flatMap(({ text }) => toBlocks(text, scan.page)), ...own]
    return withReceipt(all, { page: scan.page, method: 'ocr', confidence, message }, { fate: 'recognized', ...told })
  }
  const isBlank = outcome === 'blank'
  const method = isBlank ? (own.length === 0 ? 'empty' : 'text') : 'failed'
  const fate = isBlank || outcome === 'nonsense' ? 'recognized' : 'failed'
  return withReceipt(own, { page: scan.page, method, confidence: null, message }, { fate, ...told })
}

/** A page that was not looked at, and why. */
export function omittedPageEvents(
  scan: ScannedPage,
  fate: 'off' | 'over-limit',
  { maxPages }: RecognitionPlan,
): ReadEvent[] {
  const own = toBlocks(scan.text, scan.page)
  const receipt =
    fate === 'off'
      ? ({ method: 'empty', message: 'The page is a picture, and enableOcr is false.' } as const)
      : ({ method: 'failed', message: `Not recognised: ocrMaxPages is ${maxPages}.` } as const)
  return withReceipt(own, { page: scan.page, confidence: null, ...receipt }, { fate })
}

function withReceipt(
  blocks: Block[],
  { page, method, confidence, message }: Omit<PageReceipt, 'characters'>,
  outcome: Omit<ScanReceipt, 'page'>,
): ReadEvent[] {
  const characters = blocks.reduce((total, { text }) => total + text.length, 0)
  return [
    ...blocks.map((block) => ({ block })),
    { page: { page, method, characters, confidence, message }, ...outcome },
  ]
}

/** A paragraph and the empty line after it, as the readers of documents give them. */
function toBlocks(text: string, page: number): Block[] {
  const paragraph = text.trim()
  if (paragraph === '') return []
  return [
    { text: `${paragraph}\n`, kind: 'paragraph', page },
    { text: '\n', kind: 'blank', page },
  ]
}

/** The lines that do not stand in the recognised text. A stamp does, as a rule; a reader's remark is not drawn. */
function withoutKnown(own: string, recognized: string): string {
  const known = squash(recognized)
  return own
    .split('\n')
    .filter((line) => line.trim() !== '' && !known.includes(squash(line)))
    .join('\n')
}

function squash(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}
