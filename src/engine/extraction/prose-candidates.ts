import type { Candidate, FieldSearch } from './field-search.ts'
import { listBooleanCandidates } from './prose/boolean-candidates.ts'
import { listContactCandidates } from './prose/contact-candidates.ts'
import { listNamedCandidates } from './prose/named-candidates.ts'
import { listTypedCandidates } from './prose/typed-candidates.ts'
import type { ReadPassage } from './read-passage.ts'

/** The values in running text that may be the one asked for, a list for each passage; lists are read from layouts alone. */
export function listProseCandidates(passages: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  switch (search.type) {
    case 'list':
      return passages.map(() => [])
    case 'string':
      return passages.map((passage) => listNamedCandidates(passage, search))
    case 'boolean':
      return passages.map((passage) => listBooleanCandidates(passage, search))
    case 'email':
    case 'phone':
    case 'url':
      return listContactCandidates(passages, search)
    default:
      return passages.map((passage) => listTypedCandidates(passage, search))
  }
}
