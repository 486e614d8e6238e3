import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { greekForms } from './greek-letters.ts'

describe('greekForms', () => {
  const cases: [guarantee: string, word: string, forms: string[]][] = [
    ['name a letter', 'Β', ['beta']],
    ['write a name as its letter', 'Gamma', ['γ']],
    ['give the parts of a name', 'TNFα', ['tnf', 'α', 'alpha']],
    ['join the number of a name with a hyphen, and leave its letter with it', 'IL1β', ['il1β', 'il-1β', 'il1', 'il-1']],
    ['are none for other words', 'alphabet', []],
    ['are none for Greek words', 'βιβλίο', []],
  ]
  for (const [guarantee, word, forms] of cases) {
    it(guarantee, () => assert.deepEqual([...new Set(greekForms(word))], forms))
  }
})
