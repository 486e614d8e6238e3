import assert from 'node:assert/strict'
import { it } from 'node:test'
import { EXAMPLES } from './examples.ts'

/** Characters that zsh or fish expands or refuses outside of quotes. */
const EXPANDED = /[?*[\](){}!]/

/** The command of an example without quoted texts; empty for a line that is none. */
function unquoted(example: string): string {
  // Lines for the start file of one shell, and lines that no shell runs.
  if (/^(source <|where |\{)/.test(example)) return ''
  return example.replace(/'[^']*'|"[^"]*"/g, '')
}

it('examples work in zsh and fish as in bash', () => {
  for (const example of Object.values(EXAMPLES).flat()) assert.doesNotMatch(unquoted(example), EXPANDED, example)
})
