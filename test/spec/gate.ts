import type { Requirement } from './requirements/requirement.ts'

/** A test file as read by the gate. */
export type SpecFile = { path: string; source: string }

const TEST = /^[ \t]*test\(/m
const CALL = /\bverifies\(([^)]*)\)/g
const QUOTED = /'([^']*)'|"([^"]*)"/g
const SKIPPED = /\b(?:test|it|describe)\.(?:skip|todo|only)\b|[{,]\s*(?:skip|todo|only)\s*:/

/**
 * The mismatches between the requirement list and the tests; an empty list passes. Reported are
 * requirements of built parts without a test, unknown ids, tests without a citation, skipped tests
 * and duplicate ids. Tests may cite requirements of later parts.
 */
export function gateProblems(
  requirements: readonly Requirement[],
  files: readonly SpecFile[],
  builtPart: number,
): string[] {
  const cited = files.flatMap((file) => citationsOf(file.source).map((id) => ({ id, path: file.path })))
  const tested = new Set(cited.map(({ id }) => id))
  const known = new Set(requirements.map(({ id }) => id))
  const open = requirements.filter(({ id, part }) => part <= builtPart && !tested.has(id))
  return [
    ...repeatedIds(requirements).map((id) => `The id ${id} is given twice`),
    ...open.map(({ id, sentence }) => `No test verifies ${id}: ${sentence}`),
    ...cited.filter(({ id }) => !known.has(id)).map(({ id, path }) => `${path} cites the unknown id ${id}`),
    ...files.flatMap(problemsOfFile),
  ]
}

function citationsOf(source: string): string[] {
  const calls = [...withoutComments(source).matchAll(CALL)]
  return calls.flatMap((call) => [...(call[1] ?? '').matchAll(QUOTED)].map((id) => id[1] ?? id[2] ?? ''))
}

function problemsOfFile({ path, source }: SpecFile): string[] {
  const code = withoutComments(source)
  const tests = code.split(TEST).slice(1)
  const silent = tests.filter((test) => citationsOf(test).length === 0)
  return [
    ...silent.map((test) => `${path}: the test ${test.split('\n', 1)[0]} cites no requirement`),
    ...(tests.length === 0 ? [`${path} has no test`] : []),
    ...(SKIPPED.test(code) ? [`${path} skips a test`] : []),
  ]
}

function repeatedIds(requirements: readonly Requirement[]): string[] {
  const ids = requirements.map(({ id }) => id)
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function withoutComments(source: string): string {
  return source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
}
