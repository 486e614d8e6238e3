/** Reads prompts as a model would. */
import assert from 'node:assert/strict'

/** A source in a prompt. */
export type PromptSource = { number: number; isCorrection: boolean; text: string }

/** The sources of a prompt in order, and the marker of its fences. */
export function readPrompt(prompt: string): { fence: string; sources: PromptSource[]; beside: string } {
  const fence = /<source-([0-9a-f]{12,}) number="\d+"/.exec(prompt)?.[1]
  assert.ok(fence, `the prompt has no fence: ${prompt.slice(0, 300)}`)
  const one = new RegExp(
    `<source-${fence} number="(\\d+)"( correction="true"(?: corrected="[0-9-]+")?)?>\\n(.*?)\\n</source-${fence}>`,
    'gs',
  )
  const sources = [...prompt.matchAll(one)].map(([, number, correction, text = '']) => {
    return { number: Number(number), isCorrection: correction !== undefined, text }
  })
  return { fence, sources, beside: prompt.replaceAll(one, '') }
}

/** The number of the source with these words. */
export function numberOf(prompt: string, words: string): number {
  const source = readPrompt(prompt).sources.find(({ text }) => text.includes(words))
  assert.ok(source, `no source has ${words}`)
  return source.number
}
