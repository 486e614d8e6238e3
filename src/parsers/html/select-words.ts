import { BLOCK_ELEMENTS } from './html-elements.ts'
import type { Attributes } from './page-blocks.ts'

/** Follows fields in which one chooses: each shows what is chosen, and not all that may be. */
type SelectWords = {
  /** A field begins. */
  begin(attributes: Attributes): void
  /** Takes a start tag; true where it belongs to the open field. */
  takes(name: string, attributes: Attributes): boolean
  /** Takes an end tag; true where it belongs to the open field. */
  ends(name: string): boolean
  /** True where the text belongs to the open field. */
  text(text: string): boolean
  /** The page is over. */
  finish(): void
}

type Option = { text: string; isSelected: boolean }

/** Elements that stand in such a field on lines of their own. */
const PARTS: ReadonlySet<string> = new Set(['option', 'optgroup', 'legend', 'hr', 'div'])
/** No list from which a person chooses is longer. */
const MAX_OPTIONS = 5000
const MAX_OPTION_CHARACTERS = 1000

/**
 * Makes that of a page; `show` takes the words of each field. One that drops down shows the option that is selected, else its first that
 * can be; a list shows those that are selected, else all.
 */
export function createSelectWords(show: (words: string) => void): SelectWords {
  let options: Option[] | null = null
  let isList = false
  /** The option whose words come now. */
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
    // What is hidden or closed to choice may be what is shown until one has chosen.
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

/** Other elements stand behind a field that nobody closed. */
function isInside(name: string): boolean {
  return PARTS.has(name) || !BLOCK_ELEMENTS.has(name)
}
