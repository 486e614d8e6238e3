import type { Chunk } from '../chunking/chunk.ts'

const ASCII = /^[\0-\x7f]*$/
/**
 * Characters without meaning for a copy: white space, punctuation and marks of Markdown. Symbols,
 * question marks, and separators and signs before a digit are kept: 1.5 is not 15, $5 not 5 %.
 */
const MEANINGLESS_ASCII = /(?:[^a-z0-9$%+<=>?.,:/-]|[.,:/-](?!\d))+/g
const MEANINGLESS = /(?:[[\s\p{P}\p{C}`\|~^]--[%‰?.,:\/\-–]]|[.,:\/\-–](?!\p{N}))+/gv

/**
 * Key of a text that is equal for copies only: two texts that differ in case, white space or
 * punctuation. Texts that differ in a word, number, sign or unit have different keys.
 */
export function toCopyKey(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(MEANINGLESS_ASCII, ' ').trim()
  return text.normalize('NFKC').toLowerCase().replace(MEANINGLESS, ' ').trim()
}

/** Key of a passage below its headings; equal for copies only. */
export function copyKeyOf({ text, section, header }: Pick<Chunk, 'text' | 'section' | 'header'>): string {
  return [section ?? '', header ?? '', text].map(toCopyKey).join('\n')
}
