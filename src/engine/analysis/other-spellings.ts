/**
 * How British and American spelling differ inside of words, medicine before all else. Either way round: a form that no text has costs a look into the
 * index, and hardly any of these makes another word of one (`haem`, `hem`).
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
  ['fibre', 'fiber'],
  ['centre', 'center'],
  ['litre', 'liter'],
  ['metre', 'meter'],
  ['theatre', 'theater'],
  ['catalogue', 'catalog'],
  ['analogue', 'analog'],
  ['dialogue', 'dialog'],
  ['programme', 'program'],
  ['defence', 'defense'],
  ['ageing', 'aging'],
  ['aluminium', 'aluminum'],
  ['aerofoil', 'airfoil'],
  ['aeroplane', 'airplane'],
  ['yse', 'yze'],
  ['ysing', 'yzing'],
]
/** `organise` and `organize`, with what may follow; shorter words are others (`rise`, `noise`). */
const VERB = /^(\p{L}{3,})i([sz])(e[drs]?|ers|ing|ations?)$/u

/** The other spellings of an English word, in lower case; none for most. */
export function otherSpellings(word: string): string[] {
  const lower = word.toLowerCase()
  const forms = SPELLINGS.flatMap(([british, american]) => {
    if (lower.includes(british)) return [lower.replace(british, american)]
    return lower.includes(american) ? [lower.replace(american, british)] : []
  })
  const [, stem, letter, ending] = VERB.exec(lower) ?? []
  return stem === undefined ? forms : [...forms, `${stem}i${letter === 's' ? 'z' : 's'}${ending}`]
}
