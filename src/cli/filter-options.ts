import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Filter, SOURCE_TYPES } from '../api/document.ts'
import { collect } from './options.ts'

/** Values of the options of {@link withFilter}. */
export type FilterOptions = {
  tag?: string[]
  document?: string[]
  metadata?: MetadataPair[]
  createdAfter?: string
  createdBefore?: string
  source?: Filter['sourceType']
}

type MetadataPair = Readonly<Record<string, unknown>>

/** Adds the options for a search in some documents. */
export function withFilter<Given extends Command>(command: Given): Given {
  return command
    .option('--tag <tag>', 'only documents with this tag; repeatable', collect)
    .option('--document <id>', 'only this document; repeatable', collect)
    .option('--metadata <condition>', METADATA_HELP, collectMetadata)
    .option('--created-after <time>', 'only documents added after this date or time')
    .option('--created-before <time>', 'only documents added before this date or time')
    .addOption(new Option('--source <type>', 'only documents with this source').choices(SOURCE_TYPES)) as Given
}

const METADATA_HELP = "only documents with this metadata: team=sales, 'year>=2020' or JSON; repeatable"

/** The filter of a request; empty without options. */
export function toFilterOption(options: FilterOptions): { filter?: Filter } {
  const { tag, document, metadata = [], createdAfter, createdBefore, source } = options
  const filter: Filter = {
    ...(tag && { tags: tag }),
    ...(document && { documentIds: document }),
    ...(metadata.length > 0 && { metadata: metadata.length === 1 ? metadata[0] : { $and: metadata } }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
    ...(source && { sourceType: source }),
  }
  return Object.keys(filter).length === 0 ? {} : { filter }
}

const OPERATORS: Readonly<Record<string, string>> = {
  '=': '$eq',
  '!=': '$ne',
  '>': '$gt',
  '>=': '$gte',
  '<': '$lt',
  '<=': '$lte',
}

function collectMetadata(text: string, previous: MetadataPair[] | undefined): MetadataPair[] {
  return [...(previous ?? []), readCondition(text)]
}

/** Reads `key=value` with any comparison, or a JSON object of conditions. */
function readCondition(text: string): MetadataPair {
  if (text.trim().startsWith('{')) return readJson(text)
  const [, key, operator = '', value = ''] = /^([^=!<>]+)(!=|>=|<=|=|>|<)(.*)$/s.exec(text) ?? []
  if (key === undefined)
    throw new InvalidArgumentError("Give key=value, another comparison such as 'year>=2020', or a JSON object.")
  return { [key.trim()]: { [OPERATORS[operator] ?? '$eq']: readScalar(value.trim()) } }
}

function readJson(text: string): MetadataPair {
  try {
    return JSON.parse(text) as MetadataPair
  } catch {
    throw new InvalidArgumentError('It is not valid JSON.')
  }
}

/** Numbers, booleans and null are read as such. Quotes make a value a string. */
function readScalar(text: string): string | number | boolean | null {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text.replace(/^"(.*)"$/s, '$1')
}
