import { createRequire } from 'node:module'

/**
 * The CommonJS build of apache-arrow, the very one LanceDB loads. LanceDB recognises tables by their class; the ES
 * build has classes of its own, which LanceDB would copy, losing the children of lists.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow')
