/** Prefixes before which a participle keeps its `ge-`; longer ones first where one begins another. Two may stand together: `herauf`, `voraus`. */
export const LOOSE_PREFIXES =
  'ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|hoch|los|mit|nach|nieder|statt|teil|über|um|vor|weg|weiter|wieder|zurück|zusammen|zu'
/** Prefixes that take the place of that `ge-`. */
export const FAST_PREFIXES = 'be|ent|er|hinter|miss|über|unter|ver|wider|zer'
const WITH_LOOSE = new RegExp(`^(${LOOSE_PREFIXES})(.+)$`)
const WITH_FAST = new RegExp(`^(${FAST_PREFIXES})(.+)$`)
const PARTICIPLE = /^(?:be|emp|ent|er|ge|über|ver)/
/** What participles end in when they stand before a noun. */
const ADJECTIVE_ENDING = /(?<=[nt])e[mnrs]?$/

/**
 * The base form of an irregular German form with the prefixes and the ending it may have, by the bases of forms without: of `ging` also `anging` and `verging`, of
 * `gegangen` also `vergangen`, `ausgegangen` and `ausgegangenen`, of `gekannt` also `anerkannt`. `undefined` for other words.
 */
export function germanBaseForm(word: string, bases: ReadonlyMap<string, string>): string | undefined {
  const bare = bases.get(word) ?? ofParticiple(word, bases)
  if (bare !== undefined) return bare
  const [, loose = '', behindLoose = ''] = WITH_LOOSE.exec(word) ?? []
  const withLoose = loose === '' ? undefined : germanBaseForm(behindLoose, bases)
  if (withLoose !== undefined) return loose + withLoose
  const [, fast = '', behindFast = ''] = WITH_FAST.exec(word) ?? []
  const withFast = bases.get(behindFast) ?? ofParticiple(behindFast, bases) ?? ofParticiple(`ge${behindFast}`, bases)
  return withFast === undefined ? undefined : fast + withFast
}

function ofParticiple(form: string, bases: ReadonlyMap<string, string>): string | undefined {
  if (!PARTICIPLE.test(form)) return undefined
  return bases.get(form) ?? bases.get(form.replace(ADJECTIVE_ENDING, ''))
}
