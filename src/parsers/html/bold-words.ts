import type { Attributes } from './page-blocks.ts'

/** Follows the elements that make words bold. */
export type BoldWords = {
  begin(name: string, attributes: Attributes): void
  end(name: string): void
  /** True where the words that come now are bold. */
  isOpen(): boolean
}

const BOLD_ELEMENTS: ReadonlySet<string> = new Set(['b', 'strong'])
const BOLD_STYLE = /(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]00)/i

/** Makes that of a page. Elements that nobody closed end with their cell. */
export function createBoldWords(): BoldWords {
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
