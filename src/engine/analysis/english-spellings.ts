/**
 * Differences between British and American spelling inside words, most of them medical. Rules apply
 * in both directions. A form without a match costs one index lookup, and hardly any rule produces
 * another word (`haem`, `hem`).
 */
const SPELLINGS: readonly (readonly [british: string, american: string])[] = [
  ['haem', 'hem'],
  ['aemi', 'emi'],
  ['paed', 'ped'],
  ['gynaec', 'gynec'],
  ['anaesth', 'anesth'],
  ['aetio', 'etio'],
  ['faec', 'fec'],
  ['caec', 'cec'],
  ['archaeo', 'archeo'],
  ['palaeo', 'paleo'],
  ['oedem', 'edem'],
  ['oesoph', 'esoph'],
  ['oestr', 'estr'],
  ['foet', 'fet'],
  ['rrhoe', 'rrhe'],
  ['pnoe', 'pne'],
  ['coeli', 'celi'],
  ['homoeo', 'homeo'],
  ['amoeb', 'ameb'],
  ['manoeuvr', 'maneuver'],
  ['leuc', 'leuk'],
  ['sulph', 'sulf'],
  ['tumour', 'tumor'],
  ['colour', 'color'],
  ['behaviour', 'behavior'],
  ['labour', 'labor'],
  ['neighbour', 'neighbor'],
  ['favour', 'favor'],
  ['flavour', 'flavor'],
  ['honour', 'honor'],
  ['humour', 'humor'],
  ['vapour', 'vapor'],
  ['odour', 'odor'],
  ['harbour', 'harbor'],
  ['rigour', 'rigor'],
  ['mould', 'mold'],
  ['fibregl', 'fibergl'],
  ['defence', 'defense'],
  ['offence', 'offense'],
  ['licence', 'license'],
  ['artefact', 'artifact'],
  ['judgement', 'judgment'],
  ['sceptic', 'skeptic'],
  ['ageing', 'aging'],
  ['aluminium', 'aluminum'],
  ['aerofoil', 'airfoil'],
  ['aeroplane', 'airplane'],
  ['yse', 'yze'],
  ['ysing', 'yzing'],
]
/** `organise` and `organize`, with possible endings; shorter words differ (`rise`, `noise`). */
const VERB_ENDING = '(?=(?:e[drs]?|ers|ing|able|ations?|ational(?:ly)?)$)'
/** Words with different endings map to their base form, whose term covers all endings. */
const CENTRE = '(?<=cent|fib|lit|met|theat|calib|spect)'
const CATALOGUE = '(?<=cata|ana|dia|mono|epi|pro)'
const PROGRAMME = '(?<=program)'

type Rule = { in: RegExp; out: string }

const AMERICAN_ENDINGS: readonly Rule[] = [
  { in: new RegExp(`(?<=^\\p{L}{3,})is${VERB_ENDING}`, 'u'), out: 'iz' },
  { in: new RegExp(`${CENTRE}r(?:e[ds]?|ing)$`, 'u'), out: 'er' },
  { in: new RegExp(`${CATALOGUE}logu(?:e[drs]?|ers|ing)$`, 'u'), out: 'log' },
  { in: new RegExp(`${PROGRAMME}me?s?$`, 'u'), out: '' },
]
const BRITISH_ENDINGS: readonly Rule[] = [
  { in: new RegExp(`(?<=^\\p{L}{3,})iz${VERB_ENDING}`, 'u'), out: 'is' },
  { in: new RegExp(`${CENTRE}er(?:s|ed|ing)?$`, 'u'), out: 're' },
  { in: new RegExp(`${CATALOGUE}log(?:e[drs]|ers|ing|s)?$`, 'u'), out: 'logue' },
  { in: new RegExp(`${PROGRAMME}(?:s|med|mers?|ming)?$`, 'u'), out: 'me' },
]
const TO_AMERICAN: readonly Rule[] = [
  ...SPELLINGS.map(([british, american]) => ({ in: new RegExp(british, 'u'), out: american })),
  ...AMERICAN_ENDINGS,
]
const TO_BRITISH: readonly Rule[] = [
  ...SPELLINGS.map(([british, american]) => ({
    in: new RegExp(`^(?!.*${british})(.*?)${american}`, 'u'),
    out: `$1${british}`,
  })),
  ...BRITISH_ENDINGS,
]
/**
 * Prefilter for all rules, one test instead of two hundred. Without the prefilter a query of 1,000
 * words took 0.1 s.
 */
const CHANGEABLE = new RegExp(
  [...SPELLINGS.flat(), ...[...AMERICAN_ENDINGS, ...BRITISH_ENDINGS].map((rule) => rule.in.source)].join('|'),
  'u',
)

/**
 * Returns other spellings of a lower-case English word or of the base form; usually none.
 * Differences are applied alone and together, because many writers mix both spellings.
 */
export function listEnglishSpellings(word: string): string[] {
  const lower = word.toLowerCase()
  if (!CHANGEABLE.test(lower)) return []
  const forms = new Set(
    [TO_AMERICAN, TO_BRITISH].flatMap((rules) => [
      ...rules.map((rule) => respell(lower, [rule])),
      respell(lower, rules),
    ]),
  )
  forms.delete(lower)
  return [...forms]
}

function respell(word: string, rules: readonly Rule[]): string {
  return rules.reduce((form, rule) => form.replace(rule.in, rule.out), word)
}
