/** Prefixes before which a participle keeps its `ge-`; longer ones first where one begins another. */
const LOOSE =
  'ab|an|auf|aus|bei|durch|ein|fest|fort|herunter|heraus|hervor|hinzu|hin|los|mit|nach|statt|teil|um|vor|weg|weiter|wieder|zurück|zusammen|zu'
/** Prefixes that take the place of that `ge-`. */
const FAST = 'be|ent|er|unter|ver|zer'
const WITH_LOOSE = new RegExp(`^(${LOOSE})(.+)$`)
const WITH_FAST = new RegExp(`^(${FAST})(.+)$`)
/** What participles end in when they stand before a noun. */
const ADJECTIVE_ENDING = /(?<=[nt])e[mnrs]?$/

/**
 * The base form of an irregular German form with the prefix and the ending it may have, by the bases of forms without: of `ging` also `anging` and `verging`, of
 * `gegangen` also `vergangen`, `ausgegangen` and `ausgegangenen`. `undefined` for other words.
 */
export function germanBaseForm(word: string, bases: ReadonlyMap<string, string>): string | undefined {
  const bare = bases.get(word) ?? ofParticiple(word, bases)
  if (bare !== undefined) return bare
  const [, loose = '', behindLoose = ''] = WITH_LOOSE.exec(word) ?? []
  const [, fast = '', behindFast = ''] = WITH_FAST.exec(word) ?? []
  const withLoose = bases.get(behindLoose) ?? ofParticiple(behindLoose, bases)
  if (withLoose !== undefined) return loose + withLoose
  const withFast = bases.get(behindFast) ?? ofParticiple(`ge${behindFast}`, bases)
  return withFast === undefined ? undefined : fast + withFast
}

function ofParticiple(form: string, bases: ReadonlyMap<string, string>): string | undefined {
  if (!form.startsWith('ge')) return undefined
  return bases.get(form) ?? bases.get(form.replace(ADJECTIVE_ENDING, ''))
}
