import type { Filter, SourceType } from '../../api/document.ts'
import type { Metadata } from '../../api/fields.ts'
import { invalid } from '../../errors.ts'
import { DOCUMENT_FIELDS, FILTER } from '../../limits.ts'
import { isLongerThan } from '../../text/characters.ts'
import {
  type FilterValue,
  isInOrder,
  isOneOf,
  normalizeText,
  ORDER_OPERATORS,
  type OrderOperator,
  toFilterValue,
  toTime,
  type ValueTest,
} from './filter-values.ts'

/** A filter of documents; all conditions must hold. */
export type DocumentFilter = {
  /** Documents have all of them; normalized. */
  tags: readonly string[]
  /** `null` allows every document; an empty array allows none. */
  documentIds: readonly string[] | null
  metadata: MetadataCondition | null
  createdAfterMs: number | null
  createdBeforeMs: number | null
  sourceType: SourceType | null
}

/** The filter without a condition. */
export const NO_CONDITIONS: DocumentFilter = {
  tags: [],
  documentIds: null,
  metadata: null,
  createdAfterMs: null,
  createdBeforeMs: null,
  sourceType: null,
}

/** The field of a filter in the requests that search. */
const FILTER_PARAM = 'options.filter'

/** A condition on metadata; `text` is its JSON. */
export type MetadataCondition =
  | { kind: 'all' | 'any'; of: readonly MetadataCondition[]; text: string }
  | { kind: 'not'; of: MetadataCondition; text: string }
  | { kind: 'value'; key: string; test: ValueTest; text: string }

/**
 * Reads the filter of a request; `param` names it in errors. `null` without a condition. Throws
 * `validation_failed` for an unknown operator, a wrong value, and a filter over the limits.
 */
export function readFilter(filter: Filter | undefined, param: string = FILTER_PARAM): DocumentFilter | null {
  if (filter === undefined) return null
  const { tags = [], documentIds = null, metadata, createdAfter, createdBefore, sourceType = null } = filter
  const reader = new MetadataReader()
  const isAny = metadata === undefined || Object.keys(metadata).length === 0
  const read = {
    tags: [...new Set(tags.map(normalizeText))],
    documentIds,
    metadata: isAny ? null : reader.readGroup(metadata, param === '' ? 'metadata' : `${param}.metadata`, 0),
    createdAfterMs: readTime(createdAfter, `${param}.createdAfter`),
    createdBeforeMs: readTime(createdBefore, `${param}.createdBefore`),
    sourceType,
  }
  return isEmpty(read) ? null : read
}

/** True if a filter, or the rest of one, has no condition. */
export function isEmpty(filter: Partial<DocumentFilter>): boolean {
  return Object.values(filter).every((part) => part === null || (part === filter.tags && part.length === 0))
}

/** Reads a date or time, in milliseconds; `null` without one. Throws `validation_failed`. */
export function readTime(text: string | undefined, param: string): number | null {
  if (text === undefined) return null
  const time = toTime(text)
  if (time === null)
    throw invalid(param, 'must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z')
  return time
}

const GROUPS = ['$and', '$or', '$not'] as const
const OPERATORS = ['$eq', '$ne', '$in', '$nin', ...ORDER_OPERATORS, '$exists'] as const
type Operator = (typeof OPERATORS)[number]
const isOrder = (operator: string): operator is OrderOperator => ORDER_OPERATORS.includes(operator as OrderOperator)

/** Reads the conditions on metadata of one filter, whose number is limited. */
class MetadataReader {
  #conditions = 0
  #values = 0

  /** Reads keys with conditions, and groups. */
  readGroup(group: unknown, param: string, depth: number): MetadataCondition {
    if (!isObject(group)) throw invalid(param, 'must be an object of metadata keys and conditions')
    if (depth > FILTER.depth) throw invalid(param, `must not be nested deeper than ${FILTER.depth} groups`)
    const of = Object.entries(group).map(([key, given]) => {
      const at = `${param}.${key}`.slice(0, PARAM_CHARACTERS).toWellFormed()
      return key.startsWith('$') ? this.#readOperatorOf(key, given, { at, depth }) : this.#readKey(key, given, at)
    })
    return { kind: 'all', of, text: JSON.stringify(group) }
  }

  #readOperatorOf(key: string, given: unknown, { at, depth }: { at: string; depth: number }): MetadataCondition {
    const text = JSON.stringify({ [key]: given })
    if (key === '$not') return { kind: 'not', of: this.#readMember(given, at, depth), text }
    if (key !== '$and' && key !== '$or') throw unknownOperator(at, GROUPS, OPERATORS.includes(key as Operator))
    if (!Array.isArray(given) || given.length === 0) throw invalid(at, 'must be a non-empty array of objects')
    const of = given.map((member, index) => this.#readMember(member, `${at}[${index}]`, depth))
    return { kind: key === '$and' ? 'all' : 'any', of, text }
  }

  /** An empty member would admit all documents, mostly by mistake. */
  #readMember(member: unknown, at: string, depth: number): MetadataCondition {
    if (!isObject(member) || Object.keys(member).length === 0) throw invalid(at, 'must be an object with a condition')
    return this.readGroup(member, at, depth + 1)
  }

  #readKey(key: string, given: unknown, at: string): MetadataCondition {
    if (isLongerThan(key, DOCUMENT_FIELDS.metadataKeyCharacters))
      throw invalid(at, `must have a name of at most ${DOCUMENT_FIELDS.metadataKeyCharacters} characters`)
    const [name, text] = [normalizeText(key), JSON.stringify(given)]
    const toCondition = (test: ValueTest): MetadataCondition => ({ kind: 'value', key: name, test, text })
    if (!isObject(given)) {
      this.#count(at)
      return toCondition(isOneOf([this.#readValue(given, at, 'must be a value or an object of operators')]))
    }
    const operators = Object.entries(given)
    if (operators.length === 0) throw invalid(at, `must have an operator: ${OPERATORS.join(', ')}`)
    const tests = operators.map(([operator, operand]) => {
      this.#count(at)
      return this.#readOperator(operator, operand, `${at}.${operator}`.slice(0, PARAM_CHARACTERS).toWellFormed())
    })
    return toCondition((value) => tests.every((test) => test(value)))
  }

  #readOperator(operator: string, operand: unknown, at: string): ValueTest {
    if (operator === '$eq') return isOneOf([this.#readValue(operand, at)])
    if (operator === '$ne') return negate(isOneOf([this.#readValue(operand, at)]))
    if (operator === '$in') return isOneOf(this.#readValues(operand, at))
    if (operator === '$nin') return negate(isOneOf(this.#readValues(operand, at)))
    if (isOrder(operator)) {
      const message = 'must be a number, a date or another string'
      const bound = this.#readValue(operand, at, message)
      if (bound.kind === 'boolean' || bound.kind === 'null') throw invalid(at, message)
      return isInOrder(operator, bound)
    }
    if (operator !== '$exists') throw unknownOperator(at, OPERATORS, GROUPS.includes(operator as '$and'))
    if (typeof operand !== 'boolean') throw invalid(at, 'must be true or false')
    return (value) => (value !== undefined) === operand
  }

  #readValues(operand: unknown, at: string): FilterValue[] {
    if (!Array.isArray(operand)) throw invalid(at, 'must be an array of values')
    this.#values += operand.length
    if (this.#values > FILTER.values)
      throw invalid(at, `must have at most ${FILTER.values} values in all lists together`)
    return operand.map((value, index) => this.#readValue(value, `${at}[${index}]`))
  }

  #readValue(value: unknown, at: string, message = 'must be a string, number, boolean or null'): FilterValue {
    const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    if (!isScalar) throw invalid(at, message)
    const most = DOCUMENT_FIELDS.metadataCharacters
    if (typeof value === 'string' && isLongerThan(value, most))
      throw invalid(at, `must have at most ${most} characters`)
    return toFilterValue(value as Metadata[string])
  }

  #count(at: string): void {
    this.#conditions += 1
    if (this.#conditions > FILTER.conditions) throw invalid(at, `is one of more than ${FILTER.conditions} conditions`)
  }
}

/** Keys of hostile requests may be long. */
const PARAM_CHARACTERS = 200

function unknownOperator(at: string, known: readonly string[], isMisplaced: boolean): Error {
  const where = known === GROUPS ? 'beside keys' : 'of a key'
  return invalid(
    at,
    `${isMisplaced ? 'is no operator here' : 'is not a known operator'}; operators ${where} are ${known.join(', ')}`,
  )
}

function negate(test: ValueTest): ValueTest {
  return (value) => !test(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
