/** Path prefixes before identifiers. */
type Collection = 'memories' | 'documents' | 'jobs' | 'projects' | 'keys' | 'webhooks' | 'sources'

/** Existing resources, for requests close enough to reach them. */
export type Targets = {
  /** Valid keys. */
  keys: string[]
  /** Invalid keys. */
  wrongKeys: string[]
  /** Identifiers by path prefix; the first of each are used most. */
  ids: Record<Collection, string[]>
  /** Resources that DELETE may remove, by the same names; nothing else is ever deleted. */
  spare: Record<Collection, string[]>
  /** Cursors returned by lists. */
  cursors: string[]
}
