/** Finds the tests affected by a change. */
import { execFileSync } from 'node:child_process'
import { mapImporters } from '../test/architecture/imports.ts'
import { listProjectFiles } from '../test/architecture/project-files.ts'

/**
 * A change of one of these files affects everything, so its importers say nothing about the
 * affected tests.
 */
const EVERYTHING = /^src\/(?:main|compose)\b|^test\/support\/start-service/

/**
 * The test files that differ from the main branch or import a changed file, directly or through
 * other files. Tests that start the service as a process import no service code; CI runs them.
 */
export function changedTests(): Set<string> {
  const base = git('merge-base', 'HEAD', 'main').trim()
  const changed = git('diff', '--name-only', base).split('\n')
  const fresh = git('ls-files', '--others', '--exclude-standard').split('\n')
  const importers = mapImporters(listProjectFiles(['.ts', '.tsx']))
  const reached = new Set([...changed, ...fresh].filter((path) => path !== ''))
  for (const path of reached) {
    if (!EVERYTHING.test(path)) for (const importer of importers.get(path) ?? []) reached.add(importer)
  }
  return new Set([...reached].filter((path) => path.endsWith('.test.ts')))
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' })
}
