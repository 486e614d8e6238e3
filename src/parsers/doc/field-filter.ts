/** Takes the control characters out of the text of paragraphs. */
export type FieldFilter = {
  /** The words of the next paragraph: of fields the result, not the instruction. */
  clean(text: string): string
}

/** Characters of Word that stand for something else. MS-DOC 2.4.1, and for the marks of fields 2.8.25. */
const REPLACED: Readonly<Record<string, string>> = {
  '\v': '\n',
  '\x0e': '\n',
  '\x1e': '-',
  '\x1f': '',
}
const FIELD_BEGIN = '\x13'
const FIELD_RESULT = '\x14'
const FIELD_END = '\x15'

/** Makes the filter of one file; a field may begin in one paragraph and end in another. */
export function createFieldFilter(): FieldFilter {
  /** For each open field whether its result has begun. */
  let open: boolean[] = []

  let isInInstruction = false

  function take(mark: string): void {
    if (mark === FIELD_BEGIN) open.push(false)
    else if (mark === FIELD_RESULT && open.length > 0) open[open.length - 1] = true
    else if (mark === FIELD_END) open.pop()
    else return
    isInInstruction = open.some((hasResult) => !hasResult)
  }

  return {
    clean(text) {
      let words = ''
      for (const character of text) {
        if (character < ' ' && character !== '\t') {
          take(character)
          words += isInInstruction ? '' : (REPLACED[character] ?? '')
        } else if (!isInInstruction) words += character
      }
      // An instruction ends with its paragraph: if its end is missing the rest must not be lost.
      if (isInInstruction) open = []
      isInInstruction = false
      return words
    },
  }
}
