import { type Attributes, getAttribute, getNumber, isOn } from '../package/read-xml.ts'

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

/** Reads the box or the list of choices of a form; both are data, not text, in the file. */
export type FormField = {
  /** An element in `w:ffData`. */
  open(name: string, attributes: Attributes): void
  /** What the form shows, at the end of `w:ffData`; empty for other fields. */
  take(): string
}

/** A list has 25 entries at most (ECMA-376 part 1, section 17.16.9). */
const MAX_CHOICES = 25

/** Makes the reader of one story. */
export function createFormField(): FormField {
  let kind: string | null = null
  let isChecked = false
  let chosen = 0
  let choices: string[] = []

  return {
    open(name, attributes) {
      if (name === 'checkBox' || name === 'ddList') kind = name
      else if (name === 'listEntry' && choices.length < MAX_CHOICES) choices.push(getAttribute(attributes, 'val') ?? '')
      else if (name === 'result' || name === 'default') chosen = getNumber(attributes, 'val') ?? chosen
      if (name === 'checked' || name === 'default') isChecked = isOn(attributes)
    },
    take() {
      const shown = kind === 'checkBox' ? (isChecked ? '☒' : '☐') : kind === 'ddList' ? (choices[chosen] ?? '') : ''
      kind = null
      isChecked = false
      chosen = 0
      choices = []
      return shown
    },
  }
}
