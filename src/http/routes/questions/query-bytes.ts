import { QUERY_BUDGET } from '../../../limits.ts'

/** What a query is about to read: the characters it asks with, and passages. */
export type QuerySize = { characters: number; hits: number; explain?: boolean }

/** Bytes that a query holds while it is answered, for `http/query-budget.ts`. */
export function queryBytes({ characters, hits, explain = false }: QuerySize): number {
  const { queryBytes: ofQuery, characterBytes, itemBytes } = QUERY_BUDGET
  return ofQuery + characters * characterBytes + hits * (explain ? itemBytes.explained : itemBytes.plain)
}
