import { createFormulaMarks } from './formula-marks.ts'
import { BLOCK_ELEMENTS } from './html-elements.ts'
import type { Attributes, PageBlocks } from './page-blocks.ts'

/** Takes the inline text of a page with the elements that affect adjacent words. */
type InlineText = {
  begin(name: string, attributes: Attributes): void
  end(name: string): void
  text(text: string): void
  /** Ends the page and emits pending text. */
  finish(): void
}

/** Elements whose text is separate from adjacent words: forms, drawings, formulas. */
const SEPARATE_ELEMENTS: ReadonlySet<string> = new Set(['button', 'meter', 'progress', 'text', 'annotation'])
/** Sign of a heading's link to itself. */
const LINK_SIGN = /^\s*[#¶§🔗\u200b]?\s*$/u
const MAX_SIGN_CHARACTERS = 4

/**
 * Creates the state of a page. A heading's link to itself is dropped (`Terms¶`). Superscripts are
 * separated from numbers and words (`30^1 days`). Ruby annotations follow their word.
 */
export function createInlineText(blocks: Pick<PageBlocks, 'text' | 'raise'>): InlineText {
  /** Text of an internal link while it may be a link sign. */
  let sign: string | null = null
  let isInLink = false
  let isRaised = false
  const ruby = createRuby((words) => blocks.text(words))
  const marks = createFormulaMarks()

  function addMark(mark: string): void {
    if (mark !== '') blocks.text(mark)
  }

  function endSign(isLinkOver: boolean): void {
    const words = sign ?? ''
    sign = null
    // The white space of a dropped sign still separates words.
    const shown = isLinkOver && LINK_SIGN.test(words) ? words.replace(/\S+/gu, '') : words
    if (shown !== '') blocks.text(shown)
  }

  function beginLink(attributes: Attributes): void {
    isInLink = attributes.has('href')
    if (isRaised) blocks.raise(true)
    else if (attributes.get('href')?.startsWith('#') === true) sign = ''
  }

  return {
    begin(name, attributes) {
      endSign(false)
      if (SEPARATE_ELEMENTS.has(name)) blocks.text(' ')
      addMark(marks.begin(name))
      ruby.begin(name)
      if (name === 'a') beginLink(attributes)
      else if (name === 'sup') {
        isRaised = true
        blocks.raise(isInLink)
      }
    },
    end(name) {
      endSign(name === 'a')
      addMark(marks.end(name))
      if (SEPARATE_ELEMENTS.has(name)) blocks.text(' ')
      if (name === 'a') isInLink = false
      else if (name === 'sup') isRaised = false
      ruby.end(name)
    },
    text(text) {
      if (ruby.take(text)) return
      if (sign === null) blocks.text(text)
      else if (sign.length + text.length <= MAX_SIGN_CHARACTERS) sign += text
      else {
        const words = sign + text
        sign = null
        blocks.text(words)
      }
    },
    finish() {
      endSign(false)
      ruby.finish()
    },
  }
}

/** Holds back ruby annotations (`rt`), which are shown in brackets after the word. */
function createRuby(show: (words: string) => void) {
  let reading: string | null = null
  let isReading = false

  function finish(): void {
    const words = (reading ?? '').trim()
    reading = null
    isReading = false
    if (words !== '') show(`(${words})`)
  }

  return {
    begin(name: string): void {
      if (name === 'ruby' || BLOCK_ELEMENTS.has(name)) {
        finish()
        if (name === 'ruby') reading = ''
      } else if (reading !== null) isReading = name === 'rt' || name === 'rp' || (isReading && name !== 'rb')
    },
    end(name: string): void {
      if (name === 'rt' || name === 'rp') isReading = false
      else if (name === 'ruby') finish()
    },
    /** True if the text is held back. */
    take(text: string): boolean {
      if (reading === null || !isReading) return false
      reading += /^[()（）《》]$/.test(text) ? '' : text
      return true
    },
    finish,
  }
}
