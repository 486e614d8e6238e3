import type { Block } from '../parse-event.ts'
import type { TextKind } from './body.ts'

/** Takes the blocks of parts that say the same in several ways, one within the other, and gives those of one way. */
export type Choices = {
  begin(): void
  end(): void
  /** What stands in no choice is given at once. */
  add(blocks: readonly Block[], kind: TextKind): void
  /** What came so far is given: what comes now says something else. */
  settle(): void
}

/** The same words in several ways. */
type Choice = Record<TextKind, Block[]>

/** Where the plain text is so much shorter, it says no more than that there is a page. */
const STUB_SHARE = 3
const STUB_CHARACTERS = 200

/** Makes those of one file. */
export function createChoices(give: (block: Block) => void): Choices {
  const open: Choice[] = []

  function add(blocks: readonly Block[], kind: TextKind): void {
    const choice = open.at(-1)
    for (const block of blocks) {
      if (choice === undefined) give(block)
      else choice[kind].push(block)
    }
  }

  return {
    begin: () => void open.push(emptyChoice()),
    end() {
      const choice = open.pop()
      if (choice !== undefined) add(choose(choice), 'page')
    },
    add,
    settle() {
      for (const [index, choice] of open.entries()) {
        for (const block of choose(choice)) give(block)
        open[index] = emptyChoice()
      }
    },
  }
}

function emptyChoice(): Choice {
  return { plain: [], page: [], other: [] }
}

function choose({ plain, page, other }: Choice): readonly Block[] {
  const [plainLength, pageLength] = [measure(plain), measure(page)]
  if (plainLength === 0 && pageLength === 0) return other
  return pageLength > 0 && (plainLength === 0 || pageLength > STUB_SHARE * plainLength + STUB_CHARACTERS) ? page : plain
}

function measure(blocks: readonly Block[]): number {
  return blocks.reduce((total, { text }) => total + text.trim().length, 0)
}
