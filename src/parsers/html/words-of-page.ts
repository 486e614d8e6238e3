import { createFormulaMarks } from './formula-marks.ts'
import { BLOCK_ELEMENTS } from './html-elements.ts'
import type { Attributes, PageBlocks } from './page-blocks.ts'

/** Takes the running text of a page with the elements in it that say how words stand to each other. */
type WordsOfPage = {
  begin(name: string, attributes: Attributes): void
  end(name: string): void
  text(text: string): void
  /** The page is over: what a link may still hold comes out. */
  finish(): void
}

/** Elements that stand apart from the words beside them without white space between, in forms, drawings and formulas. */
const APART: ReadonlySet<string> = new Set(['button', 'meter', 'progress', 'text', 'annotation'])
/** What a heading shows for a link to itself. */
const LINK_SIGN = /^\s*[#¶§🔗\u200b]?\s*$/u
const MAX_SIGN_CHARACTERS = 4

/**
 * Makes that of a page. A link that a heading or a term has to itself shows a sign and is no word (`Terms¶`); raised figures are no further
 * digits of the number before them, and the number of a note no part of the word (`30^1 days`); how a word is read stands behind it.
 */
export function createWordsOfPage(blocks: Pick<PageBlocks, 'text' | 'raise'>): WordsOfPage {
  /** The words of a link within the page while they may be a sign. */
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
    // The space of a sign parts the words around it still.
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
      if (APART.has(name)) blocks.text(' ')
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
      if (APART.has(name)) blocks.text(' ')
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

/** Holds back how words are read (`rt` in `ruby`), which is shown in brackets behind them. */
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
    /** True where the text is held back. */
    take(text: string): boolean {
      if (reading === null || !isReading) return false
      reading += /^[()（）《》]$/.test(text) ? '' : text
      return true
    },
    finish,
  }
}
