/**
 * Letters beyond ASCII of languages, by the encodings that people used for them. `lacks`: ASCII
 * letters that only foreign words have.
 */
type Alphabet = { letters: string; lacks: string }

const WESTERN: readonly Alphabet[] = [
  { letters: 'éèêëïöñçàâüô', lacks: '' },
  { letters: 'äöüßéà', lacks: '' },
  { letters: 'éèêëàâçùûîïôœæÿ', lacks: 'kw' },
  { letters: 'áéíóúüñªº¿¡', lacks: 'kw' },
  { letters: 'ãõáéíóúâêôçàü', lacks: 'kwy' },
  { letters: 'àèéìíîòóùú', lacks: 'jkwxy' },
  { letters: 'àçèéíïòóúü', lacks: 'kw' },
  { letters: 'æøåéèêóòâôü', lacks: '' },
  { letters: 'åäöéüáà', lacks: '' },
  { letters: 'áéíóúýæöþð', lacks: 'cqwz' },
  { letters: 'õäöüšž', lacks: 'cqwxy' },
  { letters: 'áéíóúà', lacks: 'jkqvwxyz' },
]
const CENTRAL: readonly Alphabet[] = [
  { letters: 'ąćęłńóśźż', lacks: 'qvx' },
  { letters: 'áčďéěíňóřšťúůýž', lacks: 'qwx' },
  { letters: 'áäčďéíĺľňóôŕšťúýž', lacks: 'qwx' },
  { letters: 'áéíóöőúüű', lacks: 'qwx' },
  { letters: 'čćđšž', lacks: 'qwxy' },
  { letters: 'ăâîşţ', lacks: 'kqwy' },
]
const TURKISH: readonly Alphabet[] = [{ letters: 'çğıöşüâîû', lacks: 'qwx' }]
/** Languages with a letter that ISO 8859-15 has and ISO 8859-1 lacks. */
const LATIN_9: readonly Alphabet[] = [
  { letters: 'õäöüšž', lacks: 'cqwxy' },
  { letters: 'äöåšžé', lacks: 'cqwxz' },
  { letters: 'éèêëàâçùûîïôœæÿ', lacks: 'kw' },
]
const BALTIC: readonly Alphabet[] = [
  { letters: 'āčēģīķļņšūž', lacks: 'qwxy' },
  { letters: 'ąčęėįšųūž', lacks: 'qwx' },
  { letters: 'õäöüšž', lacks: 'cqwxy' },
]

const ALPHABETS: Readonly<Record<string, readonly Alphabet[]>> = {
  'windows-1252': WESTERN,
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  'windows-1254': TURKISH,
  'iso-8859-9': TURKISH,
  'iso-8859-15': LATIN_9,
  'windows-1257': BALTIC,
}

/** Weight of ASCII letters that the language lacks: names bring some into any text. */
const FOREIGN_WEIGHT = 2

/**
 * Returns the share of characters beyond ASCII in words that a language of the encoding has, for
 * the language that fits best; at most 1.
 */
export function scoreAlphabet(text: string, encoding: string): number {
  const words = text.toLowerCase().match(/[^\s\p{P}\p{Nd}$+<=>^`|~]{2,}/gu) ?? []
  const all = words.filter((word) => /[a-z]/.test(word)).join('')
  const high = all.replaceAll(/[\p{ASCII}\p{S}\p{N}\p{P}]/gu, '')
  const scores = (ALPHABETS[encoding] ?? []).map(({ letters, lacks }) => {
    const known = [...high].filter((letter) => letters.includes(letter)).length
    const foreign = [...all].filter((letter) => lacks.includes(letter)).length
    return (high === '' ? 1 : known / high.length) - (FOREIGN_WEIGHT * foreign) / Math.max(1, all.length)
  })
  return Math.max(...scores)
}
