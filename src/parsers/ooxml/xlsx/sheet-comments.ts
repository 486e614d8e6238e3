import type { Block } from '../../parse-event.ts'
import { paragraphOf } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getAttribute } from '../package/read-xml.ts'

/**
 * How the author of what newer programs write into the older form begins, for those that know no threads. The text is in the
 * language of the program; the thread has what was said.
 */
const STAND_IN_AUTHOR = 'tc={'

/** Names of those who took part in threads, by their id. */
export async function readPersons(
  pkg: OfficePackage,
  relationships: readonly Relationship[],
): Promise<ReadonlyMap<string, string>> {
  const persons = new Map<string, string>()
  for (const { type, part } of relationships) {
    if (type !== 'person' || part === null) continue
    await pkg.tryFeed(part, {
      open(name, attributes) {
        if (name === 'person')
          persons.set(getAttribute(attributes, 'id') ?? '', getAttribute(attributes, 'displayName') ?? '')
        return false
      },
      close() {},
      text() {},
    })
  }
  return persons
}

/** The comments of a sheet with the cells they belong to. `persons` are those of the workbook. */
export async function readSheetComments(
  pkg: OfficePackage,
  part: string,
  persons: ReadonlyMap<string, string>,
): Promise<Block[]> {
  const blocks: Block[] = []
  const authors: string[] = []
  let text = ''
  let within = ''
  let about = { place: '', by: '' }

  function addComment(): void {
    const by = about.by === '' ? '' : ` by ${about.by}`
    const isStandIn = text.trim() === '' || about.by.startsWith(STAND_IN_AUTHOR)
    const block = isStandIn ? null : paragraphOf(`Comment on ${about.place}${by}: ${text.trim()}`)
    if (block !== null) blocks.push(block)
  }

  await pkg.tryFeed(part, {
    open(name, attributes) {
      if (name === 'comment' || name === 'threadedComment') {
        const person = persons.get(getAttribute(attributes, 'personId') ?? '')
        const author = authors[Number(getAttribute(attributes, 'authorId') ?? '')]
        about = { place: getAttribute(attributes, 'ref') ?? '', by: person ?? author ?? '' }
        text = ''
      }
      if (name === 'author') text = ''
      within = name
      return name === 'rPh' || name === 'mentions'
    },
    close(name) {
      if (name === 'author') authors.push(text.trim())
      else if (name === 'comment' || name === 'threadedComment') addComment()
      within = ''
    },
    text(piece) {
      if (within === 't' || within === 'text' || within === 'author') text += piece
    },
  })
  return blocks
}
