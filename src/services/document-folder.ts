import { isId } from '../ids.ts'

/** What the object store keeps of a document: its text where that is large, the original, the file that waits for its job, and pages that this job recognised. */
export type DocumentObject = 'text' | 'source' | 'upload' | `recognized/${number}`

/** What a document that is whole needs no longer: the file as it came, and its recognised pages, which are kept in case it is read again. A folder ends in `/`. */
export const OF_UPLOAD = ['upload', 'recognized/'] as const

/** Where all objects of a document lie: what their keys begin with, which ends in `/`. */
export function documentFolder(memoryId: string, documentId: string): string {
  return `${memoryFolder(memoryId)}documents/${documentId}/`
}

/** Where all objects of a memory lie: what their keys begin with, which ends in `/`. */
export function memoryFolder(memoryId: string): string {
  return `memories/${memoryId}/`
}

/** The key of an object. */
export function documentObject(memoryId: string, documentId: string, name: DocumentObject): string {
  return documentFolder(memoryId, documentId) + name
}

/** Whose object a key is, and its name there; `null` where it is not in the folder of a document. */
export function readObjectKey(key: string): { memoryId: string; documentId: string; name: string } | null {
  const [, memoryId = '', documentId = '', name = ''] = /^memories\/([^/]+)\/documents\/([^/]+)\/(.+)$/.exec(key) ?? []
  return isId('mem', memoryId) && isId('doc', documentId) ? { memoryId, documentId, name } : null
}

/** Whether an object of a document is one of {@link OF_UPLOAD}, by its name. */
export function isOfUpload(name: string): boolean {
  return OF_UPLOAD.some((own) => (own.endsWith('/') ? name.startsWith(own) : name === own))
}
