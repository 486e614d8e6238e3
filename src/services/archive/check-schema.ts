import type { Static, TSchema } from 'typebox'
import { countMetadata, UNTITLED } from '../../api/fields.ts'
import { DOCUMENT_FIELDS, JSON_DEPTH } from '../../limits.ts'
import { hasVisibleText } from '../../text/characters.ts'
import { cleanFileName } from '../../text/clean-file-name.ts'
import { findExcess } from '../json-excess.ts'
import { invalidArchive } from './archive-format.ts'
import type { ArchivedDocument, Head } from './archive-schemas.ts'

/** Reads one JSON value by its schema; throws `invalid_archive` that names the entry and the place, never the value. */
export type SchemaReader<Schema extends TSchema> = (json: string, entry: string) => Static<Schema>

/** A reader of values of this schema. */
export async function createSchemaReader<Schema extends TSchema>(schema: Schema): Promise<SchemaReader<Schema>> {
  // Loaded when first needed: 20 MB that a service without imports does not pay.
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (json, entry) => {
    const value = parse(json, entry)
    if (!validator.Check(value)) {
      const [, [first]] = validator.Errors(value)
      throw invalidArchive(`${entry} does not have the form of its kind at ${first?.instancePath || '/'}.`)
    }
    requireNoNul(value, entry)
    return value as Static<Schema>
  }
}

/**
 * Throws `invalid_archive` for JSON, or lines of it, with more values than this or nested too deep. To be asked before it is parsed: 64 MB
 * hold 22 million empty arrays, pack to some hundred kilobytes, and take a gigabyte and more as values.
 */
export function requireJsonBounds(json: Buffer, { entry, maxValues }: { entry: string; maxValues: number }): void {
  const excess = findExcess(json, { maxDepth: JSON_DEPTH, maxValues })
  if (excess === 'depth') throw invalidArchive(`${entry} is nested deeper than ${JSON_DEPTH} levels.`)
  if (excess === 'values') throw invalidArchive(`${entry} has more values than such an entry may have.`)
}

function parse(json: string, entry: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalidArchive(`${entry} has a line that is not JSON.`)
  }
}

/** PostgreSQL keeps no text with a NUL, and none of ours has one. */
function requireNoNul(value: unknown, entry: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('\0')) throw invalidArchive(`${entry} has a text with a NUL character.`)
      requireNoNul(part, entry)
    }
  }
}

/** What requests are held to beside their schemas: texts with something to see in them, times that there are, and texts that every store keeps. */
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
