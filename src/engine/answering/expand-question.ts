import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../analysis/fold.ts'
import { SYNONYMS } from '../meanings.ts'
import { type AnswerKind, STRONG } from './answer-kinds.ts'
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
begin begins start starts commence commences beginnt beginn début commence compter comienza empieza inicio
end ends expire expires expiry endet ablauf termine échéance termina vence vencimiento
leave holiday holidays vacation urlaub urlaubstage ferien congé congés vacances vacaciones permiso отпуск
open opens opening öffnet geöffnet öffnungszeiten ouvre ouvert horaires abre abierto horario открыт открывается
watt watts power leistung puissance potencia мощность
expensive cost costs price fee charge teuer kosten kostet preis gesamtpreis kaufpreis stückpreis endpreis gebühr coût coûte prix tarif cuesta coste precio стоит стоимость цена
`

/** What somebody did, by the words that ask for him and those that lists and title pages have: "Who attended?" is answered by "Present: Ann Lee". */
const PEOPLE_WORDS = `
attended attend present attendees participants anwesend anwesende teilgenommen teilnehmer présents participé participants asistieron asistió asistentes presentes присутствовал присутствовали участники
absent apologies excused abwesend entschuldigt fehlte fehlten absents excusés ausentes отсутствовал отсутствовали
teaches teach taught teacher instructor lecturer professor tutor unterrichtet lehrt dozent dozentin lehrer lehrerin enseigne enseignant enseignante professeur enseña profesor profesora преподаёт преподаватель
chaired chair chairman chairwoman chairperson moderator vorsitz vorsitzender vorsitzende sitzungsleitung présidé président présidente presidió presidente presidenta председатель
wrote written author authors geschrieben verfasst autor autorin verfasser verfasserin écrit auteur autrice escribió autora написал автор
founded founder founders gegründet gründer gründerin gründete fondé fondateur fondatrice fundó fundador fundadora основал основатель
owns owned owner owners gehört eigentümer eigentümerin besitzer appartient propriétaire propietario propietaria владелец
`

/** What a phone number is for, beside its labels: "Call 555-0102 for help." */
const CALLING_WORDS = `
phone telephone call dial ring hotline telefon telefonnummer anrufen rufen téléphone téléphoner appeler appelez composez teléfono llamar llame telefono chiamare chiami телефон звонить звоните позвоните
`

/** German words of two, of which the second says what is asked for: "Rechnungsnummer". */
const COMPOUND =
  /^(\p{L}{4,}?)(?:s|n|en|es)?(nummer|datum|betrag|adresse|frist|dauer|kosten|miete|preis|beginn|zahlung|gebühr)$/u

/** Among the words for a number and a year in other languages, and in English or German words that say nothing. */
const SAYING_NOTHING: ReadonlySet<string> = new Set(['no', 'n', 'an'])

/** What a meeting left behind says of it without its name: `Minutes of the board`, "Held on 3 May". Whoever asks for minutes wants no meeting. */
const MINUTES: ReadonlySet<string> = new Set(
  'meeting sitzung besprechung versammlung réunion assemblée reunión заседание собрание'
    .split(' ')
    .map(normalizeWordForMatch),
)
const MINUTES_KINDS: ReadonlySet<AnswerKind> = new Set(['date', 'hour', 'place', 'person'])
const MINUTES_WORDS = 'minutes protokoll niederschrift procès-verbal acta протокол'.split(' ')

/** The parties of a contract are those between whom it is made. */
const BETWEEN = 'between zwischen entre tra fra tussen между'.split(' ')

/** The words of each line that a word stands in: of the measures and of the labels of forms, and of people. */
const ALIKE_OF_MEASURES = readAlike(readLines(MEASURE_WORDS))
const ALIKE = readAlike([...readLines(MEASURE_WORDS), ...listLabels()])
const ALIKE_OF_PEOPLE = readAlike(readLines(PEOPLE_WORDS))
const ALIKE_OF_NUMBERS = readAlike(readLines(CALLING_WORDS))

function readLines(lines: string): string[][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
}

function listLabels(): string[][] {
  const labels = new Map<string, string[]>()
  for (const [phrase, meaning] of SYNONYMS)
    if (!phrase.includes(' ')) labels.set(meaning, [...(labels.get(meaning) ?? []), phrase])
  return [...labels.values()]
}

function readAlike(lines: readonly string[][]): ReadonlyMap<string, readonly string[]> {
  const alike = new Map<string, string[]>()
  for (const line of lines)
    for (const form of line.map(normalizeWordForMatch)) alike.set(form, [...(alike.get(form) ?? []), ...line])
  return alike
}

/**
 * The words of a question that asks for an amount, a time or a measure, or for somebody, with other words for the same, which a text may have in their place:
 * `Packed weight` for "heavy", `Present` for "attended". Names have none; in other questions "the head" and "the mark" are not what they are in a form. A German word of two is
 * also looked for by its parts: "Rechnungsnummer" in `Rechnung Nr. 12`.
 */
export function addSynonyms(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { languages, kind }: { languages: readonly string[]; kind: AnswerKind },
): QuestionUnit[] {
  const parts = units.flatMap((unit) => (languages.includes('de') ? partsOf(analyzer, unit) : [{ unit, whole: null }]))
  return parts.map(({ unit, whole }) => {
    const words = unit.isName
      ? []
      : [unit.word, whole ?? unit.word].flatMap((word) => othersOf(normalizeWordForMatch(word), kind, whole !== null))
    const terms = new Set(languages.flatMap((language) => words.flatMap((word) => analyzer.terms(word, language))))
    const others = [...terms].filter((term) => !unit.terms.includes(term) && !SAYING_NOTHING.has(term))
    return { ...unit, terms: [...unit.terms, ...others], others }
  })
}

/** What measures by the words of a question, as the terms of a language: of "Wie lang ist das Kabel?" those of "Länge" and its likes. */
function measuresAsked(analyzer: Analyzer, question: string, language: string): string[] {
  const forms = new Set(question.split(/[^\p{L}]+/u).map(normalizeWordForMatch))
  const words = new Set([...forms].flatMap((form) => ALIKE_OF_MEASURES.get(form) ?? []))
  return [...new Set([...words].flatMap((word) => analyzer.terms(word, language)))]
}

function othersOf(word: string, kind: AnswerKind, isPart: boolean): readonly string[] {
  if (kind === 'parties') return BETWEEN
  const alike = (STRONG.has(kind) || isPart ? ALIKE.get(word) : undefined) ?? []
  if (kind === 'identifier') return [...alike, ...(ALIKE_OF_NUMBERS.get(word) ?? [])]
  if (!MINUTES_KINDS.has(kind)) return alike
  const people = (kind === 'person' ? ALIKE_OF_PEOPLE.get(word) : undefined) ?? []
  return [...alike, ...people, ...(MINUTES.has(word) ? MINUTES_WORDS : [])]
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

/** Fewer letters end and begin too many words by chance: "Rat" ends "Apparat". */
const LEAST_HEAD_LETTERS = 5
const LEAST_MODIFIER_LETTERS = 4
/** Of a longer compound: "Jahr" in "Jahresbeitrag", "See" in "Seehafen". */
const LEAST_MORE_LETTERS = 3
const LINK = /(?:en|es|s|n|e)$/u
const NOUN = /^\p{Lu}/u
/** As terms: who is a "Vermieter" (`vermiet`) may be a `Vermieterin`. */
const WOMAN = /(?:er)?inn?$/u

/** What parts from a verb: "abgeben", "abzugeben". */
const PREFIX = /^(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|zurück|zuruck|zusammen|zu)(?=\p{L}{4})/u

/**
 * The words of a question with the compounds of them in the texts: a German "Jahresbeitrag" is a "Beitrag", and "Kabellänge" says how long
 * the "Kabel" is, and its verbs with "zu" in them; and where no text has a "Vermieter" a `Vermieterin` is one. A compound that no text has is looked for by its parts, where they stand there: "Filtergröße" in "ein Filter der Größe 4". A text and a word of
 * the question a step: two hundred words compared with those of a hundred texts take a second.
 */
export function* addCompounds(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { question, languages, texts }: { question: string; languages: readonly string[]; texts: readonly string[] },
): CooperativeTask<readonly QuestionUnit[]> {
  if (!languages.includes('de') || !units.some(({ word }) => NOUN.test(word) || PREFIX.test(word))) return units
  const known = new Set<string>()
  for (const text of texts) {
    for (const term of analyzer.terms(text, 'de')) known.add(term)
    yield
  }
  const stem = (word: string) => analyzer.terms(word, 'de')[0] ?? word
  const measures = measuresAsked(analyzer, question, 'de')
  const found: QuestionUnit[] = []
  for (const unit of units) {
    found.push(...(NOUN.test(unit.word) ? joinOrSplit(unit, { known, measures, stem }) : [withInfinitive(unit, known)]))
    yield
  }
  return found
}

type Known = {
  /** Terms of the texts. */
  known: ReadonlySet<string>
  /** Terms of what measures, by the words of the question. */
  measures: readonly string[]
  stem: (word: string) => string
}

function joinOrSplit(unit: QuestionUnit, { known, measures, stem }: Known): QuestionUnit[] {
  const isKnown = unit.terms.some((term) => known.has(term))
  const parts = isKnown ? null : splitCompound(unit.terms[0] ?? '', { known, stem })
  if (parts !== null) return parts.map((term) => ({ ...unit, terms: [...unit.terms, term] }))
  const heads = unit.terms.filter((term) => term.length >= LEAST_HEAD_LETTERS)
  const compounds = [...known].filter(
    (term) =>
      (!isKnown && unit.terms.some((own) => isSamePerson(own, term))) ||
      heads.some((head) => term.length >= head.length + LEAST_MORE_LETTERS && term.endsWith(head)) ||
      measures.some((measure) => term.endsWith(measure) && begins(term.slice(0, -measure.length), unit.terms, stem)),
  )
  return [{ ...unit, terms: [...unit.terms, ...compounds] }]
}

/** "Was muss ich mitbringen?" is answered by "Mitzubringen ist …". */
function withInfinitive(unit: QuestionUnit, known: ReadonlySet<string>): QuestionUnit {
  const forms = unit.terms.map((term) => term.replace(PREFIX, (prefix) => `${prefix}zu`))
  return { ...unit, terms: [...new Set([...unit.terms, ...forms.filter((form) => known.has(form))])] }
}

function isSamePerson(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const isOne = short.length >= LEAST_MODIFIER_LETTERS && long.startsWith(short) && WOMAN.test(long)
  return isOne && (long.slice(short.length) === 'in' || long.replace(WOMAN, '') === short)
}

/** True for what a compound begins with where it is one of some terms: "kabel", "vertrags". */
function begins(modifier: string, terms: readonly string[], stem: (word: string) => string): boolean {
  return modifier.length >= LEAST_MORE_LETTERS && formsOf(modifier, stem).some((form) => terms.includes(form))
}

function formsOf(modifier: string, stem: (word: string) => string): string[] {
  const unlinked = modifier.replace(LINK, '')
  return [modifier, unlinked, stem(modifier), stem(unlinked)]
}

/** The stems of the two parts; `null` where a text has no such two. */
function splitCompound(compound: string, { known, stem }: Pick<Known, 'known' | 'stem'>): [string, string] | null {
  for (let at = LEAST_MODIFIER_LETTERS; at <= compound.length - LEAST_HEAD_LETTERS; at++) {
    const head = compound.slice(at)
    if (!known.has(head)) continue
    const found = formsOf(compound.slice(0, at), stem).find((form) => known.has(form))
    if (found !== undefined && found.length >= LEAST_MODIFIER_LETTERS) return [found, head]
  }
  return null
}
