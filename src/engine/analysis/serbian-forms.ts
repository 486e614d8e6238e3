const CYRILLIC = [...'абвгдђежзијклљмнњопрстћуфхцчџш']
const LATIN = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')
const LATIN_OF: ReadonlyMap<string, string> = new Map(CYRILLIC.map((letter, place) => [letter, LATIN[place] ?? letter]))
const CYRILLIC_OF: ReadonlyMap<string, string> = new Map(
  LATIN.map((letters, place) => [letters, CYRILLIC[place] ?? letters]),
)
const LETTERS = /lj|nj|dž|\p{L}/gu

/** A word of Serbian, which is written in both alphabets, in the other one, lower case; none where a letter belongs to neither. */
export function serbianForms(word: string): string[] {
  const letters = word.toLowerCase().normalize('NFC').match(LETTERS) ?? []
  return [LATIN_OF, CYRILLIC_OF].flatMap((other) => {
    const form = letters.map((letter) => other.get(letter))
    return form.length > 0 && form.every((letter) => letter !== undefined) ? [form.join('')] : []
  })
}
