import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listProjectFiles } from './project-files.ts'
import { styleViolations } from './style.ts'

const DOC = '/** What it promises. */\n'

describe('the style rules', () => {
  it('is kept in every file', () => {
    assert.deepEqual(styleViolations(listProjectFiles(['.ts', '.mjs'])), [])
  })

  const forbidden: readonly (readonly [string, string, string])[] = [
    ['a file of more than 400 lines', 'src/a.ts', 'x\n'.repeat(401)],
    ['a test of more than 620 lines', 'src/a.test.ts', 'x\n'.repeat(621)],
    ['a file that is named after nothing', 'src/http/route-helpers.ts', 'x'],
    ['a folder that is named after nothing', 'src/common/a.ts', 'x'],
    ['a file that is not kebab-case', 'src/http/jobRoutes.ts', 'x'],
    ['an export that is named after nothing', 'src/a.ts', `${DOC}export const jobManager = 1`],
    ['a default export', 'src/a.ts', 'export default function a() {}'],
    ['an enum', 'src/a.ts', 'const enum A { B }'],
    ['a namespace', 'src/a.ts', 'namespace A {}'],
    ['any', 'src/a.ts', 'let a: any'],
    ['a cast to any', 'src/a.ts', 'const a = b as any'],
    ['a list of any', 'src/a.ts', 'const a = new Map<string, any>()'.replace('string, ', '')],
    ['a check that is switched off', 'src/a.ts', '// @ts-ignore'],
    ['a pattern with modifiers', 'src/a.ts', 'const a = /(?'.concat('i:b)/')],
    ['a file that only passes on', 'src/a.ts', "export { a } from './b.ts'\nexport * from './c.ts'"],
    ['a function without a docstring', 'src/a.ts', 'export function a() {}'],
    ['a constant without a docstring', 'src/a.ts', '/** The head. */\nimport x from "x"\n\nexport const a = 1'],
    ['a type without a docstring in a file without a head', 'src/a.ts', 'export type A = 1'],
  ]
  for (const [what, path, source] of forbidden) {
    it(`forbids ${what}`, () => assert.equal(styleViolations([{ path, source }]).length, 1))
  }

  const allowed: readonly (readonly [string, string, string])[] = [
    ['400 lines', 'src/a.ts', 'x\n'.repeat(400)],
    ['words that only contain an empty one', 'src/base62-key.ts', `${DOC}export function scoreOf() {}`],
    ['the word any in prose and texts', 'src/a.ts', "/** as any reader: any */\nconst a = 'x: any'"],
    ['a docstring that several constants share', 'src/a.ts', `${DOC}export const a = 1\nexport const b = 2`],
    ['a docstring of several lines', 'src/a.ts', '/**\n * What it promises.\n */\nexport async function a() {}'],
    ['a type under the head of its file', 'src/a.ts', '/** The seam. */\n\nexport type A = 1'],
    ['a test without docstrings', 'src/a.test.ts', 'export function a() {}'],
  ]
  for (const [what, path, source] of allowed) {
    it(`allows ${what}`, () => assert.deepEqual(styleViolations([{ path, source }]), []))
  }
})
