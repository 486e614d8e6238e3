import type { Attributes, XmlHandler } from './xml-handler.ts'

/** How deep elements may lie in each other; honest files stay below 100. */
const MAX_DEPTH = 2_000

/** What of a part a handler gets to see. */
export type ElementFilter = {
  open(name: string, attributes: Attributes): void
  close(): void
  text(text: string): void
  /** True when elements lie in each other deeper than any honest file has it. */
  isTooDeep(): boolean
}

/**
 * Passes elements on by their local names, without what the handler skips, and only one alternative of each
 * `mc:AlternateContent`: the same text stands in both. (ECMA-376 part 3, section 7.5.)
 */
export function createElementFilter(handler: XmlHandler): ElementFilter {
  /** Open elements; an empty name is one the handler does not see. */
  const names: string[] = []
  /** For each open AlternateContent, its depth and whether an alternative was taken. */
  const alternates: { depth: number; isTaken: boolean }[] = []
  const locals = new Map<string, string>()
  let skippedDepth = 0

  function localOf(name: string): string {
    const known = locals.get(name)
    if (known !== undefined) return known
    const written = name.slice(name.indexOf(':') + 1)
    // Handlers look names up in plain objects, where `__proto__` and the like are found without being put there.
    const local = written in Object.prototype ? '' : written
    if (locals.size < 1000) locals.set(name, local)
    return local
  }

  /** True when the element is part of the choosing, not of the content. */
  function openAlternate(local: string): boolean {
    if (local === 'AlternateContent') {
      alternates.push({ depth: names.length, isTaken: false })
      return true
    }
    const alternate = alternates.at(-1)
    if (alternate?.depth !== names.length - 1 || (local !== 'Choice' && local !== 'Fallback')) return false
    if (alternate.isTaken) skippedDepth = 1
    alternate.isTaken = true
    return true
  }

  return {
    open(name, attributes) {
      if (skippedDepth > 0) {
        skippedDepth += 1
        return
      }
      const local = localOf(name)
      if (openAlternate(local)) {
        if (skippedDepth === 0) names.push('')
        return
      }
      if (local !== '' && handler.open(local, attributes)) skippedDepth = 1
      else names.push(local)
    },
    close() {
      if (skippedDepth > 0) {
        skippedDepth -= 1
        return
      }
      const local = names.pop()
      if (alternates.at(-1)?.depth === names.length) alternates.pop()
      if (local !== undefined && local !== '') handler.close(local)
    },
    text(text) {
      if (skippedDepth === 0) handler.text(text)
    },
    isTooDeep: () => names.length + skippedDepth > MAX_DEPTH,
  }
}
