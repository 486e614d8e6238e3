/** The modes of a search by what they look at. */
export const MODES = {
  auto: 'Automatic',
  hybrid: 'Words and meaning',
  semantic: 'Meaning',
  lexical: 'Words',
} as const

export type Mode = keyof typeof MODES
