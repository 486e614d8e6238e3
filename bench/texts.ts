import { createRandom, pick } from './random.ts'
import type { Sentences } from './sentences.ts'

/** A document for `POST …/documents`. */
export type TextDocument = { title: string; text: string }

/** Chunks of a document from {@link makeDocuments}. */
export const CHUNKS_A_DOCUMENT = 20
/** A section ends with the sentence that exceeds this: about 500 characters of text. */
const SECTION_CHARACTERS = 470
const TITLE_WORDS = 5
const HEADING_WORDS = 3
const PARAGRAPH_CHARACTERS = 500
const QUERY_WORDS = { min: 3, max: 12 } as const

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

/**
 * Documents with {@link CHUNKS_A_DOCUMENT} sections, each one chunk of about 550 characters with
 * its heading.
 */
export function makeDocuments(sentences: Sentences, count: number): TextDocument[] {
  return Array.from({ length: count }, () => ({
    title: sentences.next().split(' ').slice(0, TITLE_WORDS).join(' '),
    text: Array.from({ length: CHUNKS_A_DOCUMENT }, () => makeSection(sentences)).join('\n\n'),
  }))
}

function makeSection(sentences: Sentences): string {
  const heading = sentences.next().split(' ').slice(0, HEADING_WORDS).join(' ')
  let paragraph = sentences.next()
  while (paragraph.length < SECTION_CHARACTERS) paragraph += ` ${sentences.next()}`
  return `# ${heading}\n\n${paragraph}`
}

/**
 * Queries of three to twelve consecutive words from the documents, deterministic for the same
 * documents.
 */
export function makeQueries(documents: readonly TextDocument[], count: number): string[] {
  const random = createRandom(count)
  return Array.from({ length: count }, () => {
    const words = pick(random, documents).text.split(/[\s#]+/)
    const length = QUERY_WORDS.min + Math.floor(random() * (QUERY_WORDS.max - QUERY_WORDS.min + 1))
    const start = Math.floor(random() * Math.max(1, words.length - length))
    return words.slice(start, start + length).join(' ')
  })
}
