/** Gives the words of a text that comes in pieces, in the one form in which equal texts are equal. */
export type NormalWords = {
  /** The words that are complete; a word at the very end of the piece may go on in the next. */
  add(piece: string): string[]
  /** The words that are left. */
  finish(): string[]
}

/** A longer run of letters counts as several words, cut from its start so that pieces of the text make no difference. */
const MAX_WORD_CHARACTERS = 64
const RUNS = /[\p{L}\p{M}\p{N}]+/gv
const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/v
const ASCII = /^[\0-\x7f]*$/
const NOT_LETTERS = /[^\p{L}\p{M}\p{N}]+/gv

/**
 * Makes the reader of one text. Words are NFKC, lower case, without punctuation and white space; in scripts written
 * without spaces each pair of neighbouring characters is one, so that a run of five words is a short one in every script.
 */
export function createNormalWords(): NormalWords {
  let held = ''

  function read(text: string, isEnd: boolean): string[] {
    const words: string[] = []
    held = ''
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      const isWhole = isEnd || index + run.length < text.length
      const complete = isWhole ? run.length : Math.floor((run.length - 1) / MAX_WORD_CHARACTERS) * MAX_WORD_CHARACTERS
      for (let start = 0; start < complete; start += MAX_WORD_CHARACTERS) {
        pushNormal(words, run.slice(start, start + MAX_WORD_CHARACTERS))
      }
      held = run.slice(complete)
    }
    return words
  }

  return {
    add: (piece) => read(held + piece, false),
    finish: () => read(held, true),
  }
}

function pushNormal(words: string[], run: string): void {
  if (ASCII.test(run)) {
    words.push(run.toLowerCase())
    return
  }
  const word = run.normalize('NFKC').toLowerCase().replace(NOT_LETTERS, '')
  const characters = UNSPACED.test(word) ? [...word] : []
  if (characters.length < 2) words.push(word)
  for (let index = 1; index < characters.length; index++) words.push(`${characters[index - 1]}${characters[index]}`)
}
