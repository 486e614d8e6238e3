/** How far a check goes: `quick` looks at the pages, `whole` also holds indexes to tables and rows to those that they refer to. */
export type CheckExtent = 'quick' | 'whole'

/**
 * One thing that is wrong with the database itself. `index`: what is made again from the tables; `space`: pages that count as free, or as nobody's;
 * `reference`: rows whose other half is gone; `table`: what only a backup has.
 */
export type DatabaseProblem = { part: 'table' | 'index' | 'space' | 'reference'; detail: string }

/** What a check found, and in a sentence each what it could not look at. */
export type DatabaseCheck = { problems: readonly DatabaseProblem[]; unchecked: readonly string[] }
