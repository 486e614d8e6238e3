/** The beginnings of paths that identifiers follow. */
type Collection = 'memories' | 'documents' | 'jobs' | 'projects' | 'keys' | 'webhooks'

/** What exists in the running service, for requests that come near enough to reach it. */
export type Targets = {
  /** Keys that are let in. */
  keys: string[]
  /** Keys that are not. */
  wrongKeys: string[]
  /** Identifiers by the beginning of their path; the first of each are met most. */
  ids: Record<Collection, string[]>
  /** What DELETE may take, by the same names: nothing else is ever deleted. */
  spare: Record<Collection, string[]>
  /** Cursors that lists gave out. */
  cursors: string[]
}
