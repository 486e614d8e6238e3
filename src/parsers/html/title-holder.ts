import type { Block } from '../parse-event.ts'
import type { Emit } from '../text/block-reader.ts'

/** Holds the first blocks of a page back until it is known whether a heading says what the title says. */
export type TitleHolder = {
  /** The title of the page; only the first counts. */
  setTitle(title: string): void
  add(block: Block): void
  /** What is still held comes out. */
  end(): void
}

/** The heading of a page stands at its beginning, below menus. */
const MAX_HELD_BLOCKS = 200
const MAX_HELD_CHARACTERS = 64_000
const MAX_TITLE_CHARACTERS = 1000

/**
 * The title becomes the first heading where the page has none of level 1, a paragraph before everything where it has one
 * that says something else, and goes where the heading says the same. It is also given as what it is, before all blocks.
 */
export function createTitleHolder(emit: Emit): TitleHolder {
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
