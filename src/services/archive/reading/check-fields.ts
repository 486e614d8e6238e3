/** What requests are held to beside their schemas: texts with something to see in them, times that there are, and texts that every store keeps. */
import { countMetadata, UNTITLED } from '../../../api/fields.ts'
import { DOCUMENT_FIELDS } from '../../../limits.ts'
import { hasVisibleText } from '../../../text/characters.ts'
import { cleanFileName } from '../../../text/clean-file-name.ts'
import type { ArchivedDocument, Head } from '../archive-schemas.ts'
import { invalidArchive } from '../invalid-archive.ts'

/** The head as it came; throws `invalid_archive` that names the field where no request could have made such a memory. */
export function checkHead(head: Head, entry: string): Head {
  requireWellFormed(head, entry)
  requireInk(head.memory.name, '/memory/name', entry)
  requireTime(head.memory.createdAt, '/memory/createdAt', entry)
  return head
}

/**
 * A document, cleaned as requests clean theirs: the name of its file is one of a file and no path, no tag stands twice, and a title in which there is nothing to
 * see is none. Throws `invalid_archive` that names the field where no request could have made such a document.
 */
export function checkDocument(document: ArchivedDocument, entry: string): ArchivedDocument {
  const { title, filename, tags, metadata, url, correction, createdAt, updatedAt } = document
  requireWellFormed(document, entry)
  for (const [place, tag] of tags.entries()) requireInk(tag, `/tags/${place}`, entry)
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most)
    throw refused('/metadata', entry, `has more than ${most} characters in all names and values`)
  requireTime(createdAt, '/createdAt', entry)
  requireTime(updatedAt, '/updatedAt', entry)
  if (url !== null && !URL.canParse(url)) throw refused('/url', entry, 'is no URL')
  if (correction !== null) checkCorrection(document, correction, entry)
  return {
    ...document,
    title: hasVisibleText(title) ? title : UNTITLED,
    filename: filename === null ? null : cleanFileName(filename),
    tags: [...new Set(tags)],
  }
}

function checkCorrection(
  { externalId, filename, url, metadata, originalBytes }: ArchivedDocument,
  { statement, topics, expiresAt }: NonNullable<ArchivedDocument['correction']>,
  entry: string,
): void {
  requireInk(statement, '/correction/statement', entry)
  for (const [place, topic] of topics.entries()) requireInk(topic, `/correction/topics/${place}`, entry)
  if (typeof expiresAt === 'string') requireTime(expiresAt, '/correction/expiresAt', entry)
  const strange = Object.entries({ externalId, filename, url, originalBytes }).find(([, value]) => value !== null)
  if (strange !== undefined) throw refused(`/${strange[0]}`, entry, 'is none of a correction')
  if (Object.keys(metadata).length > 0) throw refused('/metadata', entry, 'is none of a correction')
}

function requireInk(text: string, place: string, entry: string): void {
  if (!hasVisibleText(text)) throw refused(place, entry, 'has nothing to see in it')
}

/** Also of the right form it may be no time: the 30th of February. */
function requireTime(time: string, place: string, entry: string): void {
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== time) throw refused(place, entry, 'is no time')
}

/** UTF-8 has no half of a surrogate pair: a store refuses it, or keeps something else. */
function requireWellFormed(value: unknown, entry: string, place = ''): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw refused(place, entry, 'has half of a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (!key.isWellFormed()) throw refused(place, entry, 'has half of a surrogate pair')
    requireWellFormed(part, entry, `${place}/${key}`)
  }
}

function refused(place: string, entry: string, why: string): Error {
  return invalidArchive(`${entry} does not have the form of its kind: ${place.slice(0, 200)} ${why}.`)
}
