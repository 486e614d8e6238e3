/** Longer ones are sentences, of which endings and marks would become other words. */
const ONE_KANA = /^(?:[ぁ-ゖー]{2,10}|[ァ-ヶー]{2,10})$/
const HIRAGANA = /[ぁ-ゖ]/g
const KATAKANA = /[ァ-ヶ]/g
/** Both stand in Unicode in one order. */
const DISTANCE = 0x60

/** A Japanese word that is all hiragana or all katakana in the other one, as many names of animals and plants are written: `りんご` is `リンゴ`; none for others. */
export function kanaForms(text: string): string[] {
  const word = text.normalize('NFKC')
  if (!ONE_KANA.test(word)) return []
  const shifted = (letter: string, by: number) => String.fromCharCode(letter.charCodeAt(0) + by)
  const other = word.replace(HIRAGANA, (letter) => shifted(letter, DISTANCE))
  return [other === word ? word.replace(KATAKANA, (letter) => shifted(letter, -DISTANCE)) : other]
}
