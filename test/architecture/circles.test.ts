import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importCircles } from './circles.ts'
import { listProjectFiles } from './project-files.ts'

describe('imports', () => {
  it('go in no circle, from file to file or from folder to folder', () => {
    assert.deepEqual(importCircles(listProjectFiles(['.ts'])), [])
  })

  it('are reported with all members of the circle', () => {
    const files = [
      { path: 'src/services/a/one.ts', source: "import { b } from '../b/two.ts'" },
      { path: 'src/services/b/two.ts', source: "import { c } from '../c.ts'" },
      { path: 'src/services/c.ts', source: "import { a } from './a/other.ts'" },
      { path: 'src/services/d.ts', source: "import { a } from './a/one.ts'" },
      { path: 'src/engine/e.ts', source: "import type { F } from './f.ts'" },
      { path: 'src/engine/f.ts', source: "import { e } from './e.ts'" },
    ]
    assert.deepEqual(importCircles(files), ['src/services/a, src/services/b, src/services/c.ts need each other'])
  })
})
