import { BLOCK_ELEMENTS } from './html-elements.ts'
import type { Attributes } from './page-blocks.ts'

/** Tracks select fields, which show the selected options only. */
type SelectFields = {
  /** Opens a field. */
  begin(attributes: Attributes): void
  /** Handles a start tag; true if it belongs to the open field. */
  takes(name: string, attributes: Attributes): boolean
  /** Handles an end tag; true if it belongs to the open field. */
  ends(name: string): boolean
  /** Handles text; true if it belongs to the open field. */
  text(text: string): boolean
  /** Ends the page. */
  finish(): void
}

type Option = { text: string; isSelected: boolean }

/** Elements allowed inside a select field. */
const SELECT_PARTS: ReadonlySet<string> = new Set(['option', 'optgroup', 'legend', 'hr', 'div'])
/** Longer lists are not for human choice. */
const MAX_OPTIONS = 5000
const MAX_OPTION_CHARACTERS = 1000

/**
 * Creates the tracker of a page; `show` receives the text of each field. A drop-down shows the
 * selected option or its first available option; a list box shows the selected options or all.
 */
export function createSelectFields(show: (words: string) => void): SelectFields {
  let options: Option[] | null = null
  let isList = false
  /** The option whose text is being read. */
  let option: Option | null = null

  function finish(): void {
    if (options === null) return
    const selected = options.filter(({ isSelected }) => isSelected)
    const shown = isList ? selected : selected.slice(-1)
    const others = isList ? options : options.slice(0, 1)
    const words = (shown.length > 0 ? shown : others).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
    options = null
    option = null
    show(words.filter((text) => text !== '').join(', '))
  }

  function beginOption(all: Option[], attributes: Attributes): void {
    const label = attributes.get('label') ?? ''
    const begun = { text: label, isSelected: attributes.has('selected') }
    option = label === '' ? begun : null
    // A hidden or disabled option may be the initial display only.
    const isOffered = isList || !(attributes.has('hidden') || attributes.has('disabled'))
    if (begun.isSelected || isOffered) all.push(begun)
  }

  return {
    begin(attributes) {
      finish()
      options = []
      isList = attributes.has('multiple') || Number(attributes.get('size')) > 1
    },
    takes(name, attributes) {
      if (options === null) return false
      if (name === 'option' && options.length < MAX_OPTIONS) beginOption(options, attributes)
      if (isInside(name) && name !== 'select') return true
      finish()
      return false
    },
    ends(name) {
      if (options === null) return false
      if (name === 'option') option = null
      if (isInside(name) && name !== 'select') return true
      finish()
      return name === 'select'
    },
    text(text) {
      if (options === null) return false
      if (option !== null && option.text.length < MAX_OPTION_CHARACTERS) option.text += text
      return true
    },
    finish,
  }
}

/** Other block elements follow a field that was never closed. */
function isInside(name: string): boolean {
  return SELECT_PARTS.has(name) || !BLOCK_ELEMENTS.has(name)
}
