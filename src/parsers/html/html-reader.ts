import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { ApiError } from '../../errors.ts'
import type { Block } from '../parse-event.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createHiddenElements, getAttributeText } from './hidden-elements.ts'
import { BLOCK_ELEMENTS, RAW_ELEMENTS, VOID_ELEMENTS } from './html-elements.ts'
import { createInlineText } from './inline-text.ts'
import { type Attributes, createPageBlocks } from './page-blocks.ts'
import { createSelectFields } from './select-fields.ts'

/**
 * Reads HTML: headings, paragraphs, numbered list items, table rows with header, preformatted text,
 * link text, form fields (selected options only), alternative text. The page title is added unless
 * a heading repeats it. Hidden content is skipped.
 *
 * Works on tokens without a tree, so nesting costs nothing and memory stays constant. Throws
 * `unprocessable_document` at the end of a page without text.
 */
export function createHtmlReader(emit: Emit, head: string): BlockReader {
  let hasText = false
  let hasWords = false
  const title = createTitleBuffer((event) => {
    hasText ||= 'block' in event
    emit(event)
  })
  const add = (block: Block) => {
    hasWords = true
    title.add(block)
  }
  const tokenizer = createPageTokenizer(add, title.setTitle, XML_DECLARATION.test(head))
  return {
    write(text) {
      tokenizer.write(text, false)
    },
    end() {
      tokenizer.write('', true)
      title.end()
      if (!hasText) throw new ApiError('unprocessable_document', { message: NO_TEXT })
      if (!hasWords) emit({ warning: ONLY_TITLE })
    },
  }
}

const NO_TEXT = 'The HTML page has no text. It may need JavaScript, which is not executed.'

const ONLY_TITLE = 'The HTML page has no text except its title. It may need JavaScript, which is not executed.'

/** A page with an XML declaration is read with XML rules. */
const XML_DECLARATION = /^\s*<\?xml\s/

/**
 * Creates a tokenizer that emits blocks; the title is passed separately. `isXml`: elements may be
 * self-closing.
 */
export function createPageTokenizer(
  emit: (block: Block) => void,
  setTitle: (title: string) => void,
  isXml: boolean,
): Tokenizer {
  const elements = createPageElements(emit, setTitle)

  function startTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    elements.begin(tagName, new Map(attrs.map((attribute) => [attribute.name, attribute.value])))
    if (!elements.isInDrawing()) tokenizer.state = getMode(tagName)
    // In XML and in drawings any element may be self-closing.
    if (!selfClosing || !(isXml || elements.isInDrawing()) || VOID_ELEMENTS.has(tagName)) return
    tokenizer.state = TokenizerMode.DATA
    elements.end(tagName)
  }

  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: startTag,
      onEndTag: ({ tagName }) => elements.end(tagName),
      onCharacter: ({ chars }) => elements.text(chars),
      onWhitespaceCharacter: ({ chars }) => elements.text(chars),
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof: elements.finish,
    },
  )
  return tokenizer
}

/** Converts elements and text of a page: blocks go to `emit`, the title to `setTitle`. */
function createPageElements(emit: (block: Block) => void, setTitle: (title: string) => void) {
  const blocks = createPageBlocks(emit)
  const running = createInlineText(blocks)
  const unseen = createHiddenElements()
  const bold = createBoldTracker()
  const select = createSelectFields(blocks.words)
  /**
   * Current title text, `null` outside; and nesting depth of drawings, whose `title` elements are
   * not the page title.
   */
  let title: string | null = null
  let drawings = 0

  return {
    isInDrawing: () => drawings > 0,
    begin(name: string, attributes: Attributes): void {
      if (name === 'svg') drawings += 1
      if (select.takes(name, attributes) || unseen.begins(name, attributes)) return
      running.begin(name, attributes)
      bold.begin(name, attributes)
      if (name === 'title' && drawings === 0) title = ''
      else if (BLOCK_ELEMENTS.has(name)) blocks.begin(name, attributes)
      else if (name === 'select') select.begin(attributes)
      else if (name === 'br') blocks.breakLine()
      const words = getAttributeText(name, attributes)
      if (words !== '') blocks.words(words)
    },
    end(name: string): void {
      if (name === 'svg') drawings = Math.max(0, drawings - 1)
      if (select.ends(name) || unseen.ends(name)) return
      running.end(name)
      bold.end(name)
      if (title !== null && name === 'title') {
        setTitle(title)
        title = null
      } else if (name === 'br') blocks.breakLine()
      else if (BLOCK_ELEMENTS.has(name)) blocks.end(name)
    },
    text(text: string): void {
      if (select.text(text) || unseen.isOpen()) return
      if (title !== null) {
        title += text
        return
      }
      if (!bold.isOpen() && text.trim() !== '') blocks.plainText()
      running.text(text)
    },
    finish(): void {
      if (title !== null) blocks.text(title)
      select.finish()
      running.finish()
      blocks.finish()
    },
  }
}

/** Returns the tokenizer state after a start tag. Void elements have no content. */
export function getMode(name: string): Tokenizer['state'] {
  if (VOID_ELEMENTS.has(name)) return TokenizerMode.DATA
  if (name === 'script') return TokenizerMode.SCRIPT_DATA
  if (name === 'title' || name === 'textarea') return TokenizerMode.RCDATA
  if (name === 'plaintext') return TokenizerMode.PLAINTEXT
  return RAW_ELEMENTS.has(name) ? TokenizerMode.RAWTEXT : TokenizerMode.DATA
}

/** Tracks bold elements. */
type BoldTracker = {
  begin(name: string, attributes: Attributes): void
  end(name: string): void
  /** True if the current text is bold. */
  isOpen(): boolean
}

const BOLD_ELEMENTS: ReadonlySet<string> = new Set(['b', 'strong'])
const BOLD_STYLE = /(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]00)/i

/** Creates the tracker of a page. Unclosed elements end with their table cell. */
function createBoldTracker(): BoldTracker {
  let open = 0
  return {
    begin(name, attributes) {
      if (BOLD_ELEMENTS.has(name)) open += 1
      else if (name === 'td') open = BOLD_STYLE.test(attributes.get('style') ?? '') ? 1 : 0
    },
    end(name) {
      if (BOLD_ELEMENTS.has(name)) open = Math.max(0, open - 1)
    },
    isOpen: () => open > 0,
  }
}

/** Delays the first blocks until a heading shows if the title must be added. */
type TitleBuffer = {
  /** Sets the page title; only the first counts. */
  setTitle(title: string): void
  add(block: Block): void
  /** Emits all delayed blocks. */
  end(): void
}

/** The main heading is near the start, after menus. */
const MAX_HELD_BLOCKS = 200
const MAX_HELD_CHARACTERS = 64_000
const MAX_TITLE_CHARACTERS = 1000

/**
 * Emits the title as a heading if the page has no level 1 heading, else as a paragraph. A heading
 * equal to the title replaces both. Also emits a title event before all blocks.
 */
function createTitleBuffer(emit: Emit): TitleBuffer {
  let title = ''
  let held: Block[] | null = []
  let characters = 0

  function release(heading: Block | null): void {
    const text = `${title}\n\n`
    if (title !== '') emit({ title, over: 'headings' })
    if (title !== '' && heading === null) emit({ block: { text, kind: 'heading', level: 1 } })
    else if (title !== '' && normalize(heading?.text ?? '') !== title) emit({ block: { text, kind: 'paragraph' } })
    for (const block of held ?? []) emit({ block })
    held = null
  }

  return {
    setTitle(text) {
      const first = normalize(text).slice(0, MAX_TITLE_CHARACTERS).toWellFormed()
      if (title === '' && held !== null) title = first
    },
    add(block) {
      if (held === null) {
        emit({ block })
        return
      }
      held.push(block)
      characters += block.text.length
      if (block.kind === 'heading' && block.level === 1) release(block)
      else if (held.length > MAX_HELD_BLOCKS || characters > MAX_HELD_CHARACTERS) release(null)
    },
    end() {
      if (held !== null) release(null)
    },
  }
}

function normalize(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
