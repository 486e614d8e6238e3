import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import type { ReadPassage } from '../reading/read-passage.ts'
import { listBooleanCandidates } from './boolean-candidates.ts'
import { listContactCandidates } from './contact-candidates.ts'
import { listNamedCandidates } from './named-candidates.ts'
import { listTypedCandidates } from './typed-candidates.ts'

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
