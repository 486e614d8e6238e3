/** Follows complex fields: what stands between their beginning and their result is an instruction, not text. */
export type Fields = {
  /** True where text belongs to an instruction. */
  isInstruction(): boolean
  /** `begin`, `separate` or `end` of `w:fldChar`. */
  mark(type: string | null): void
  /** At the end of a paragraph: an instruction that was never closed must not swallow the document. */
  endParagraph(): void
}

/** Fields in fields are a few deep; more are damage. */
const MAX_DEPTH = 50

/** Makes the follower of one story. (ECMA-376 part 1, section 17.16.18.) */
export function createFields(): Fields {
  let instructions: boolean[] = []
  return {
    isInstruction: () => instructions.includes(true),
    mark(type) {
      if (type === 'begin' && instructions.length < MAX_DEPTH) instructions.push(true)
      else if (type === 'separate' && instructions.length > 0) instructions[instructions.length - 1] = false
      else if (type === 'end') instructions.pop()
    },
    endParagraph() {
      instructions = instructions.map(() => false)
    },
  }
}
