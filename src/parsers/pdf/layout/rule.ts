/**
 * A drawn level or upright line of a page in points, y upwards. `at` is the height of a level line,
 * which runs from left to right; an upright line runs from bottom to top.
 */
export type Rule = { isLevel: boolean; at: number; from: number; to: number }

/** Rotates rules as the glyphs of a line are; empty for angles other than right angles. */
export function rotateRules(rules: readonly Rule[], angle: number): readonly Rule[] {
  if (angle === 0) return rules
  if (angle % 90 !== 0) return []
  // x' = x cos + y sin, y' = y cos - x sin.
  const sin = angle === 90 ? 1 : -1
  if (angle === 180) return rules.map((rule) => ({ ...rule, at: -rule.at, from: -rule.to, to: -rule.from }))
  return rules.map(({ isLevel, at, from, to }) => {
    const along = isLevel ? -sin : sin
    const ends = [from * along, to * along]
    return { isLevel: !isLevel, at: at * -along, from: Math.min(...ends), to: Math.max(...ends) }
  })
}

/** Mirrors rules with their page, left to right. */
export function mirrorRules(rules: readonly Rule[]): Rule[] {
  return rules.map((rule) => (rule.isLevel ? { ...rule, from: -rule.to, to: -rule.from } : { ...rule, at: -rule.at }))
}
