/** Style rules that the linter does not know, and the check for violations. */
import type { ProjectFile } from './project-files.ts'

const MAX_LINES = 400
const MAX_TEST_LINES = 620
/** Names that say nothing about the content. */
const EMPTY_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'base', 'core', 'misc', 'shared']
const KEBAB_CASE = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/

/** Each breach of a rule, as a sentence. */
export function styleViolations(files: readonly ProjectFile[]): string[] {
  return files
    .filter(({ path }) => /\.(ts|mjs)$/.test(path))
    .flatMap((file) => [
      ...lengthViolations(file),
      ...nameViolations(file),
      ...languageViolations(file),
      ...barrelViolations(file),
      ...patternViolations(file),
      ...(isTest(file) ? [] : docViolations(file)),
    ])
}

function isTest({ path }: ProjectFile): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts')
}

function lengthViolations(file: ProjectFile): string[] {
  const lines = file.source.trimEnd().split('\n').length
  const most = isTest(file) ? MAX_TEST_LINES : MAX_LINES
  return lines > most ? [`${file.path} has ${lines} lines, more than ${most}`] : []
}

function nameViolations({ path, source }: ProjectFile): string[] {
  const segments = path.split('/')
  const notKebab = segments.filter((segment) => !KEBAB_CASE.test(segment))
  const empty = segments.flatMap((segment) => segment.split(/[-.]/)).filter((word) => EMPTY_WORDS.includes(word))
  const exported = [...source.matchAll(/^export\s+(?:async\s+)?(?:function|const|class|type)\s+(\w+)/gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => EMPTY_WORDS.includes(lastWord(name)))
  return [
    ...notKebab.map((segment) => `${path}: ${segment} is not kebab-case`),
    ...empty.map((word) => `${path}: "${word}" says nothing of what is inside`),
    ...exported.map((name) => `${path}: the name ${name} says nothing of what it does`),
  ]
}

function lastWord(name: string): string {
  return (/[A-Z]?[a-z0-9]+$/.exec(name)?.[0] ?? name).toLowerCase()
}

const LANGUAGE: readonly (readonly [RegExp, string])[] = [
  [/^export default\b/m, 'has a default export'],
  [/^(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s/m, 'has an enum'],
  [/^(?:export\s+)?(?:declare\s+)?namespace\s/m, 'has a namespace'],
  [/(?::|\bas|<|\|)\s*any\b(?!\s*[a-z])/m, 'uses any'],
  [/@ts-ignore|@ts-nocheck|biome-ignore-all/, 'switches a check off'],
]

function languageViolations({ path, source }: ProjectFile): string[] {
  const code = source.replace(
    /'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/(?:\\.|[^/\\\n])+\/[gmiuys]*(?=[,;.)\]]|\s*$)/gm,
    "''",
  )
  const withoutProse = code.replace(/\/\*(?!.*@ts-)[\s\S]*?\*\//g, '')
  return LANGUAGE.filter(([pattern]) => pattern.test(withoutProse)).map(([, what]) => `${path} ${what}`)
}

/** V8 may compile modifiers of a pattern wrongly (`inAnyCase` in `evidence-patterns.ts`). */
function patternViolations({ path, source }: ProjectFile): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '')
  return /\(\?-?[ims]{1,3}(?:-[ims]{1,3})?:/.test(code) ? [`${path} has a pattern with modifiers`] : []
}

/** Barrel files, which only re-export, make imports harder to follow. */
function barrelViolations({ path, source }: ProjectFile): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim()
  const statements = code.split('\n').filter((line) => line.trim() !== '')
  const passesOn = /^(export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s+'[^']+';?\s*)+$/
  return statements.length > 0 && passesOn.test(code) ? [`${path} only passes on what others export`] : []
}

/**
 * Exported functions, classes and constants without a docstring. Consecutive exports without a
 * blank line share the first docstring. A type may instead rely on the comment at the top of the
 * file.
 */
function docViolations({ path, source }: ProjectFile): string[] {
  const lines = source.split('\n')
  const hasHead = /^(#!.*\n)?\/\*\*/.test(source)
  return lines.flatMap((line, index) => {
    const match = /^export\s+(?:declare\s+)?(?:async\s+)?(function\*?|const|class|type|interface)\s+(\w+)/.exec(line)
    if (match === null || isDocumented(lines, index)) return []
    if (hasHead && (match[1] === 'type' || match[1] === 'interface')) return []
    return [`${path}: ${match[2]} is exported and has no docstring`]
  })
}

function isDocumented(lines: readonly string[], index: number): boolean {
  for (let above = index - 1; above >= 0; above -= 1) {
    const line = lines[above]?.trim() ?? ''
    if (line.endsWith('*/')) return true
    if (line === '' || line.startsWith('import ')) return false
  }
  return false
}
