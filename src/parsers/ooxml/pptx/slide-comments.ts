import type { Block } from '../../parse-event.ts'
import { toParagraph } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getAttribute } from '../package/read-xml.ts'

/** Author names by the id used in comments. */
type Authors = ReadonlyMap<string, string>

/** Reads the comment authors, in the old and the new format. */
export async function readAuthors(pkg: OfficePackage, relationships: readonly Relationship[]): Promise<Authors> {
  const authors = new Map<string, string>()
  for (const { type, part } of relationships) {
    if (part === null || (type !== 'commentAuthors' && type !== 'authors')) continue
    await pkg.parseOptional(part, {
      open(name, attributes) {
        const isAuthor = name === 'cmAuthor' || name === 'author'
        if (isAuthor) authors.set(getAttribute(attributes, 'id') ?? '', getAttribute(attributes, 'name') ?? '')
        return false
      },
      close() {},
      text() {},
    })
  }
  return authors
}

/** Reads the comments and replies of a slide, in file order. */
export async function readComments(pkg: OfficePackage, part: string, authors: Authors): Promise<Block[]> {
  const blocks: Block[] = []
  /**
   * Authors of the open comments. A reply is nested in its parent comment, before the parent's
   * text.
   */
  const writers: string[] = []
  let text = ''
  let isText = false

  function flush(): void {
    const writer = writers.at(-1) ?? ''
    const block =
      text.trim() === '' ? null : toParagraph(`Comment${writer === '' ? '' : ` by ${writer}`}: ${text.trim()}`)
    if (block !== null) blocks.push(block)
    text = ''
  }

  await pkg.parseOptional(part, {
    open(name, attributes) {
      if (name === 'cm' || name === 'reply') {
        flush()
        writers.push(authors.get(getAttribute(attributes, 'authorId') ?? '') ?? '')
      }
      if (name === 'p' && text !== '') text += '\n'
      if (name === 'text' || name === 't') isText = true
      return false
    },
    close(name) {
      if (name === 'text' || name === 't') isText = false
      if (name === 'cm' || name === 'reply' || name === 'txBody') flush()
      if (name === 'cm' || name === 'reply') writers.pop()
    },
    text(piece) {
      if (isText) text += piece
    },
  })
  return blocks
}
