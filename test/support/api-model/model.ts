/**
 * The API from the view of its users: acknowledged state holds until a later request changes it.
 * The model knows nothing about storage, jobs or nodes.
 */
import { createHash } from 'node:crypto'
import { prose } from '../../spec/prose.ts'

export type ModelDocument = {
  id: string
  kind: 'document' | 'correction'
  /** A word that occurs only in this text. */
  token: string
  text: string
  externalId: string | null
}

export type ModelMemory = {
  id: string
  name: string
  /** In order of arrival. */
  documents: ModelDocument[]
  /** Deleted, or replaced. */
  gone: ModelDocument[]
}

export type ModelKey = { id: string; key: string; memory: ModelMemory }

/** One project with all its content. */
export type Model = {
  project: { id: string; name: string }
  memories: ModelMemory[]
  goneMemoryIds: string[]
  /** Of memories, not revoked. */
  keys: ModelKey[]
  revoked: string[]
  /** The number of generated texts and names. */
  made: number
}

const LETTERS = 'bcdfghjklmnpqrtvwxz'
const TOKEN_LETTERS = 9
/** Long enough that no two texts are near duplicates and some have two chunks. */
const TEXT_CHARACTERS = [300, 1500] as const

/** A project without a memory. */
export function createModel(project: { id: string; name: string }): Model {
  return { project, memories: [], goneMemoryIds: [], keys: [], revoked: [], made: 0 }
}

/** A new document, unlike all documents of any run. */
export function draftDocument(
  model: Model,
  kind: ModelDocument['kind'],
  externalId: string | null = null,
): ModelDocument {
  const token = newToken(model)
  const [least, most] = TEXT_CHARACTERS
  const characters = kind === 'correction' ? 0 : least + ((model.made * 397) % (most - least))
  return { id: '', kind, token, text: `The word ${token} begins it. ${prose(characters, seedOf(token))}`, externalId }
}

/** A word without vowels, which no stemmer shortens. */
export function newToken(model: Model): string {
  model.made += 1
  const bytes = createHash('sha256').update(`${model.project.id} ${model.made}`).digest()
  return `zq${Array.from(bytes.subarray(0, TOKEN_LETTERS), (byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

/** Adds the documents to the memory and replaces documents with the same external ids. */
export function addDocuments(memory: ModelMemory, documents: readonly ModelDocument[]): void {
  for (const document of documents) {
    const replaced = memory.documents.find(
      ({ externalId }) => externalId !== null && externalId === document.externalId,
    )
    if (replaced !== undefined) removeDocument(memory, replaced)
    memory.documents.push(document)
  }
}

/** The document does not show any more. */
export function removeDocument(memory: ModelMemory, document: ModelDocument): void {
  memory.documents = memory.documents.filter((other) => other !== document)
  memory.gone.push(document)
}

/** Removes the memory with its content and keys. */
export function removeMemory(model: Model, memory: ModelMemory): void {
  model.memories = model.memories.filter((other) => other !== memory)
  model.goneMemoryIds.push(memory.id)
  for (const key of model.keys.filter((one) => one.memory === memory)) removeKey(model, key)
}

/** The key opens nothing any more. */
export function removeKey(model: Model, key: ModelKey): void {
  model.keys = model.keys.filter((other) => other !== key)
  model.revoked.push(key.key)
}

function seedOf(token: string): number {
  return createHash('sha256').update(token).digest().readUInt32BE()
}
