import type { KnownQuestion } from './findings.ts'

/** Format of a document ID. Any other name in a tab-separated line is an `externalId`. */
const DOCUMENT_ID = /^doc_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/**
 * Parses known questions, one per line; empty lines are skipped. A line is a JSON object `{"query",
 * "documentIds" | "externalIds", "grades"}`, or a query, a tab, and comma-separated document names.
 * Throws `SyntaxError` with the number of the first invalid line.
 */
export function readQuestions(text: string): KnownQuestion[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]))
}

function readLine(line: string, number: number): KnownQuestion {
  return line.trimStart().startsWith('{') ? readJson(line, number) : readTabs(line, number)
}

function readJson(line: string, number: number): KnownQuestion {
  let value: Partial<Record<keyof KnownQuestion, unknown>>
  try {
    value = JSON.parse(line) as typeof value
  } catch (error) {
    throw new SyntaxError(`Line ${number} is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof value.query !== 'string') throw new SyntaxError(`Line ${number} has no query.`)
  if (!isNames(value.documentIds) && !isNames(value.externalIds)) {
    throw new SyntaxError(`Line ${number} has neither documentIds nor externalIds.`)
  }
  return value as KnownQuestion
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}

function readTabs(line: string, number: number): KnownQuestion {
  const [query = '', list = ''] = line.split('\t')
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (query.trim() === '' || names.length === 0) {
    throw new SyntaxError(`Line ${number} is neither JSON nor a query, a tab and document names.`)
  }
  const documentIds = names.filter((name) => DOCUMENT_ID.test(name))
  const externalIds = names.filter((name) => !DOCUMENT_ID.test(name))
  return {
    query: query.trim(),
    ...(documentIds.length > 0 ? { documentIds } : {}),
    ...(externalIds.length > 0 ? { externalIds } : {}),
  }
}
