/** Reads prompts as a model would. */
import assert from 'node:assert/strict'

/** A source in a prompt. */
export type PromptSource = { number: number; isCorrection: boolean; text: string }

/** The sources of a prompt in order, and the marker of its source tags. */
export function readPrompt(prompt: string): { tag: string; sources: PromptSource[]; beside: string } {
  const tag = /<source-([0-9a-f]{12,}) number="\d+"/.exec(prompt)?.[1]
  assert.ok(tag, `the prompt has no tag: ${prompt.slice(0, 300)}`)
  const one = new RegExp(
    `<source-${tag} number="(\\d+)"( correction="true"(?: corrected="[0-9-]+")?)?>\\n(.*?)\\n</source-${tag}>`,
    'gs',
  )
  const sources = [...prompt.matchAll(one)].map(([, number, correction, text = '']) => {
    return { number: Number(number), isCorrection: correction !== undefined, text }
  })
  return { tag, sources, beside: prompt.replaceAll(one, '') }
}

/** The number of the source with these words. */
export function numberOf(prompt: string, words: string): number {
  const source = readPrompt(prompt).sources.find(({ text }) => text.includes(words))
  assert.ok(source, `no source has ${words}`)
  return source.number
}
