import { type Passage, sentenceAt } from './passage.ts'

/** A label alone on a line: a few words without a number, an address or a sentence mark. */
const LABEL = /^\p{Lu}[^\d@.,;:：!?|\n]{1,40}$/u
const MAX_LABEL_WORDS = 5
const MAX_VALUE_CHARACTERS = 80
/** Lines of one block of a form that are examined. */
const MAX_LINES = 20
/** A number or an address shows a value. */
const VALUE = /[\d@]/
const BLANK = /\n[ \t]*\n/

/**
 * True for a label with its value on the next line, as forms have them: `Telephone`, `01482
 * 550120`. Every second line of the block is a label. A block of two lines of words needs another
 * block of that form: it may be a list of names.
 */
export function isLabelLine(passage: Passage, place: number): boolean {
  const span = passage.sentences[place]
  if (span === undefined || !isLabel(sentenceAt(passage, place))) return false
  const { text } = passage
  const above = text.slice(0, span.start).split(BLANK).at(-1) ?? ''
  const below = text.slice(span.start).split(BLANK, 1)[0] ?? ''
  const lines = `${above}${below}`.split('\n').filter((line) => line.trim() !== '')
  const at = above.split('\n').filter((line) => line.trim() !== '').length
  // The first two lines are often a name with an address or a title.
  if (lines.length === 2 && place === 0) return false
  return at % 2 === 0 && areLabelled(lines) && (lines.some((line) => VALUE.test(line)) || hasLabelledBlock(text))
}

/** A figure alone on a line, with at most two words: `412 m`, `61.3 million EUR`. */
const FIGURE_LINE = /^[^\p{L}\d\n]{0,3}\d[\d.,:’'\u00a0\u202f/+–-]*(?: \d{3})*(?:[ \u00a0]?[^\s\d]{1,12}){0,2}$/u

const FIGURE_LABEL = /^\p{L}[^\d@.,;:：!?|\n]{1,40}$/u

/** True for lines of figures, each above its label: `412 m`, `Total length`. */
export function areFiguresAboveLabels(lines: readonly string[]): boolean {
  if (lines.length === 0 || lines.length % 2 === 1 || lines.length > MAX_LINES) return false
  return lines.every((line, index) => (index % 2 === 0 ? FIGURE_LINE : FIGURE_LABEL).test(line.trim()))
}

function isLabel(line: string): boolean {
  return LABEL.test(line.trim()) && line.trim().split(/\s+/).length <= MAX_LABEL_WORDS
}

function areLabelled(lines: readonly string[]): boolean {
  if (lines.length === 0 || lines.length % 2 === 1 || lines.length > MAX_LINES) return false
  return lines.every((line, index) => (index % 2 === 0 ? isLabel(line) : isValue(line)))
}

/** A sentence below a few words is a paragraph with its heading. */
function isValue(line: string): boolean {
  return line.trim().length <= MAX_VALUE_CHARACTERS && !/[\p{L})][.!?]$/u.test(line.trim())
}

/** True for a text with a label above a number or an address. */
function hasLabelledBlock(text: string): boolean {
  return text.split(BLANK).some((block) => {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    return areLabelled(lines) && lines.some((line) => VALUE.test(line))
  })
}
