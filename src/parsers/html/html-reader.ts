import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { ApiError } from '../../errors.ts'
import type { Block } from '../parse-event.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createBoldWords } from './bold-words.ts'
import { getShownWords } from './get-shown-words.ts'
import { BLOCK_ELEMENTS, RAW_ELEMENTS, VOID_ELEMENTS } from './html-elements.ts'
import { type Attributes, createPageBlocks } from './page-blocks.ts'
import { createSelectWords } from './select-words.ts'
import { createTitleHolder } from './title-holder.ts'
import { createUnseen } from './unseen.ts'
import { createWordsOfPage } from './words-of-page.ts'

/**
 * Reads HTML: headings, paragraphs, list items with their numbers, table rows with their header, preformatted text, words of
 * links and form fields (what is chosen, not all that may be), alternative text of pictures, the title where no heading says it. Leaves out what a browser does not
 * show. Works on the tokens, not on a tree, so that nesting costs nothing and memory stays flat. Throws
 * `unprocessable_document` at the end of a page without words.
 */
export function createHtmlReader(emit: Emit, head: string): BlockReader {
  let hasText = false
  let hasWords = false
  const title = createTitleHolder((event) => {
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

const NO_TEXT = 'The HTML page has no text: it may be filled in by scripts, which are not run.'

const ONLY_TITLE = 'The HTML page has no text but its title: it may be filled in by scripts, which are not run.'

/** A page that begins with it is read as XML is. */
const XML_DECLARATION = /^\s*<\?xml\s/

/** Reads the tags of a page; its title is given apart from its blocks. `isXml`: an element may end with its own tag. */
export function createPageTokenizer(
  emit: (block: Block) => void,
  setTitle: (title: string) => void,
  isXml: boolean,
): Tokenizer {
  const blocks = createPageBlocks(emit)
  const running = createWordsOfPage(blocks)
  const unseen = createUnseen()
  const bold = createBoldWords()
  const select = createSelectWords(blocks.words)
  /** The title while it is read, `null` outside of it; and how deep inside drawings, whose titles are other titles. */
  let title: string | null = null
  let drawings = 0

  /** In XML and in drawings an element may end with its own tag, whatever its name. */
  function startTag(token: Token.TagToken): void {
    beginElement(token)
    if (!token.selfClosing || !(isXml || drawings > 0) || VOID_ELEMENTS.has(token.tagName)) return
    tokenizer.state = TokenizerMode.DATA
    endTag(token)
  }

  function beginElement(token: Token.TagToken): void {
    const name = token.tagName
    const attributes: Attributes = new Map(token.attrs.map((attribute) => [attribute.name, attribute.value]))
    if (name === 'svg') drawings += 1
    if (drawings === 0) tokenizer.state = getMode(name)
    if (select.takes(name, attributes) || unseen.begins(name, attributes)) return
    running.begin(name, attributes)
    bold.begin(name, attributes)
    if (name === 'title' && drawings === 0) title = ''
    else if (BLOCK_ELEMENTS.has(name)) blocks.begin(name, attributes)
    else if (name === 'select') select.begin(attributes)
    else if (name === 'br') blocks.breakLine()
    const words = getShownWords(name, attributes)
    if (words !== '') blocks.words(words)
  }

  function endTag({ tagName }: Token.TagToken): void {
    if (tagName === 'svg') drawings = Math.max(0, drawings - 1)
    if (select.ends(tagName) || unseen.ends(tagName)) return
    running.end(tagName)
    bold.end(tagName)
    if (title !== null && tagName === 'title') {
      setTitle(title)
      title = null
    } else if (tagName === 'br') blocks.breakLine()
    else if (BLOCK_ELEMENTS.has(tagName)) blocks.end(tagName)
  }

  function characters({ chars }: Token.CharacterToken): void {
    if (select.text(chars) || unseen.isOpen()) return
    if (title !== null) {
      title += chars
      return
    }
    if (!bold.isOpen() && chars.trim() !== '') blocks.plainText()
    running.text(chars)
  }

  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: startTag,
      onEndTag: endTag,
      onCharacter: characters,
      onWhitespaceCharacter: characters,
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {
        if (title !== null) blocks.text(title)
        select.finish()
        running.finish()
        blocks.finish()
      },
    },
  )
  return tokenizer
}

/** How the tokenizer reads on after the start tag. Void elements have no content, whatever their name. */
function getMode(name: string): Tokenizer['state'] {
  if (VOID_ELEMENTS.has(name)) return TokenizerMode.DATA
  if (name === 'script') return TokenizerMode.SCRIPT_DATA
  if (name === 'title' || name === 'textarea') return TokenizerMode.RCDATA
  if (name === 'plaintext') return TokenizerMode.PLAINTEXT
  return RAW_ELEMENTS.has(name) ? TokenizerMode.RAWTEXT : TokenizerMode.DATA
}
