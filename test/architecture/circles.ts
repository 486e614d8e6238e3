/** Folders that depend on each other: neither can be read, moved or tested without the other. */
import { listImports } from './imports.ts'
import type { ProjectFile } from './project-files.ts'

/**
 * Each import circle among the folders and files of one folder, as a sentence with all members.
 * Type imports do not count, and tests may import anything.
 */
export function importCircles(files: readonly ProjectFile[]): string[] {
  const needs = new Map<string, Set<string>>()
  for (const file of files) {
    if (!file.path.startsWith('src/') || file.path.endsWith('.test.ts')) continue
    for (const { target, isRelative, isTypeOnly } of listImports(file)) {
      if (isRelative && !isTypeOnly) note(needs, neighbours(file.path, target))
    }
  }
  const circles = [...needs.keys()].map((place) => circleOf(needs, place)).filter((circle) => circle.length > 1)
  return [...new Set(circles.map((circle) => `${circle.join(', ')} need each other`))]
}

/** The two sibling places of two files: their folders, or the files within a common folder. */
function neighbours(path: string, target: string): [string, string] {
  const [from, to] = [path.split('/'), target.split('/')]
  const apart = from.findIndex((part, depth) => part !== to[depth])
  return [from.slice(0, apart + 1).join('/'), to.slice(0, apart + 1).join('/')]
}

function note(needs: Map<string, Set<string>>, [place, needed]: [string, string]): void {
  needs.set(place, (needs.get(place) ?? new Set()).add(needed))
}

/** All places in a circle with this place, sorted; only the place where no circle exists. */
function circleOf(needs: ReadonlyMap<string, ReadonlySet<string>>, place: string): string[] {
  const reached = reach(needs, place)
  return [...reached].filter((other) => other === place || reach(needs, other).has(place)).sort()
}

function reach(needs: ReadonlyMap<string, ReadonlySet<string>>, place: string): Set<string> {
  const reached = new Set([place])
  for (const next of reached) for (const needed of needs.get(next) ?? []) reached.add(needed)
  return reached
}
