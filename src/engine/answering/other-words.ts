import type { Analyzer } from '../analysis/analyzer.ts'
import { matchable } from '../analysis/fold.ts'
import { MEANINGS } from '../extraction/labels/synonyms.ts'
import type { QuestionUnit } from './question-units.ts'

/** What is measured, by the words that ask for it and those that give it, a line each: "How heavy …?" is answered by "Weight: 4.2 kg". */
const MEASURE_WORDS = `
heavy weight weigh weighs schwer gewicht wiegen wiegt lourd poids pèse pesado peso pesa весит вес
long length duration lang länge dauer dauert longueur durée dure largo longitud duración dura длина срок
high tall height hoch höhe haut hauteur alto altura высота
wide width breit breite largeur ancho ширина
deep depth tief tiefe profond profondeur profundo profundidad глубина
loud noise laut lautstärke geräusch bruyant bruit ruido шум
fast speed schnell geschwindigkeit vitesse rápido velocidad скорость
big large size area groß größe fläche taille surface superficie tamaño размер площадь
old age alt alter âge edad возраст
hot warm temperature heiß temperatur température temperatura температура
expensive cost costs price fee charge teuer kosten kostet preis gesamtpreis kaufpreis stückpreis endpreis gebühr coût coûte prix tarif cuesta coste precio стоит стоимость цена
`

/** German words of two, of which the second says what is asked for: "Rechnungsnummer". */
const COMPOUND =
  /^(\p{L}{4,}?)(?:s|n|en|es)?(nummer|datum|betrag|adresse|frist|dauer|kosten|miete|preis|beginn|zahlung|gebühr)$/u

/** Among the words for a number and a year in other languages, and in English or German words that say nothing. */
const SAYING_NOTHING: ReadonlySet<string> = new Set(['no', 'n', 'an'])

/** The words of each line that a word stands in, of the measures and of the labels of forms. */
const ALIKE: ReadonlyMap<string, readonly string[]> = readAlike()

function readAlike(): Map<string, string[]> {
  const labels = new Map<string, string[]>()
  for (const [phrase, meaning] of MEANINGS)
    if (!phrase.includes(' ')) labels.set(meaning, [...(labels.get(meaning) ?? []), phrase])
  const lines = [
    ...MEASURE_WORDS.trim()
      .split('\n')
      .map((line) => line.split(' ')),
    ...labels.values(),
  ]
  const alike = new Map<string, string[]>()
  for (const line of lines)
    for (const word of line) alike.set(formOf(word), [...(alike.get(formOf(word)) ?? []), ...line])
  return alike
}

/**
 * The words of a question that asks for an amount, a time or a measure (`isStrong`), with other words for the same, which a text may have in their place:
 * `Packed weight` for "heavy". Names have none; in other questions "the head" and "the mark" are not what they are in a form. A German word of two is
 * also looked for by its parts: "Rechnungsnummer" in `Rechnung Nr. 12`.
 */
export function withOtherWords(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { languages, isStrong }: { languages: readonly string[]; isStrong: boolean },
): QuestionUnit[] {
  const parts = units.flatMap((unit) => (languages.includes('de') ? partsOf(analyzer, unit) : [{ unit, whole: null }]))
  return parts.map(({ unit, whole }) => {
    const hasOthers = !unit.isName && (isStrong || whole !== null)
    const words = hasOthers ? [unit.word, whole ?? unit.word].flatMap((word) => ALIKE.get(formOf(word)) ?? []) : []
    const terms = new Set(languages.flatMap((language) => words.flatMap((word) => analyzer.terms(word, language))))
    const others = [...terms].filter((term) => !unit.terms.includes(term) && !SAYING_NOTHING.has(term))
    return { ...unit, terms: [...unit.terms, ...others], others }
  })
}

/** The parts of a word of two, of which each is also found by the whole; the word itself where it is none. */
function partsOf(analyzer: Analyzer, unit: QuestionUnit): { unit: QuestionUnit; whole: string | null }[] {
  const [, head, tail] = COMPOUND.exec(unit.word.toLowerCase()) ?? []
  if (head === undefined || tail === undefined) return [{ unit, whole: null }]
  return [head, tail].map((word) => ({
    unit: { ...unit, word, terms: [...unit.terms, ...analyzer.terms(word, 'de')] },
    whole: unit.word,
  }))
}

function formOf(word: string): string {
  return matchable(word).trim()
}
