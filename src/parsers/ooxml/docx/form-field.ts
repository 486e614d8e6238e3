import { type Attributes, getAttribute, getNumber, isOn } from '../xml/xml-handler.ts'

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
