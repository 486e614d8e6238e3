import { createRandom, pick } from './random.ts'
import type { Sentences } from './sentences.ts'

/** A document as `POST …/documents` takes it. */
export type TextDocument = { title: string; text: string }

/** About ten chunks of a thousand characters. */
const DOCUMENT_CHARACTERS = 10_000
const PARAGRAPH_CHARACTERS = 500
const QUERY_WORDS = { min: 3, max: 8 } as const

/** Paragraphs up to about `characters`, with an empty line behind each. */
export function makeText(sentences: Sentences, characters: number): string {
  const pieces: string[] = []
  let length = 0
  let inParagraph = 0
  while (length < characters) {
    const sentence = sentences.next()
    const end = inParagraph > PARAGRAPH_CHARACTERS ? '\n\n' : ' '
    pieces.push(sentence, end)
    length += sentence.length + end.length
    inParagraph = end === ' ' ? inParagraph + sentence.length : 0
  }
  return pieces.join('')
}

/** Documents of about ten chunks each. */
export function makeDocuments(sentences: Sentences, count: number): TextDocument[] {
  return Array.from({ length: count }, () => ({
    title: sentences.next().split(' ').slice(0, 5).join(' '),
    text: makeText(sentences, DOCUMENT_CHARACTERS),
  }))
}

/** Queries of three to eight words that stand in the documents one after the other, the same for the same documents. */
export function makeQueries(documents: readonly TextDocument[], count: number): string[] {
  const random = createRandom(count)
  return Array.from({ length: count }, () => {
    const words = pick(random, documents).text.split(/\s+/)
    const length = QUERY_WORDS.min + Math.floor(random() * (QUERY_WORDS.max - QUERY_WORDS.min + 1))
    const start = Math.floor(random() * Math.max(1, words.length - length))
    return words.slice(start, start + length).join(' ')
  })
}
