/** The databases the tables are written for. */
export type Dialect = 'sqlite' | 'postgres'

/** One step forward; its statements run in order, in one transaction with all others. There is no step back. */
export type Migration = {
  name: string
  statements(dialect: Dialect): readonly string[]
  /** Tables of which every row is written anew, or into another one; so much room is asked for before. */
  rewrites?: readonly string[]
}
