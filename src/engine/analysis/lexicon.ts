import snowball from 'snowball-stemmers'
import stopword from 'stopword'
import { fold, plain } from './fold.ts'
import { createBaseForms, otherBeginnings } from './inflections.ts'
import { LANGUAGES } from './languages.ts'
import { createEndingStripper, stemArabic, stemHebrew, stemMalay } from './stemmers.ts'

/**
 * Words that do nothing but ask, which the lists of frequent words lack, by ISO 639-1. They are rare in what is searched and so would weigh much: without
 * them nDCG@10 of questions in Spanish rose by .2 points, in Russian and on English conversations by .1 to .3; the German list had nearly all (docs/relevance.md).
 */
const ASKING: Readonly<Record<string, string>> = {
  ar: 'ما ماذا من متى أين كيف كم لماذا هل أي أية',
  cs: 'kdo co kdy kde kam odkud jak jaký jaká jaké proč kolik který která které',
  da: 'hvem hvad hvornår hvor hvordan hvorfor hvilken hvilket hvilke',
  de: 'wieviel womit wofür woran wodurch worin wovon',
  el: 'ποιος ποια ποιο ποιοι ποιες ποιον τι πότε πού πώς πόσο πόση πόσος πόσοι πόσες πόσα γιατί',
  en: 'whom whose when why does doing done having',
  es: 'quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas cuanto cuantos cuantas dónde adónde cómo',
  fa: 'چه چرا چگونه چند کجا کدام کی آیا',
  fi: 'kuka mikä mitä missä mistä mihin milloin miten miksi kuinka kenen montako',
  fr: 'qui quoi quand où comment pourquoi combien quel quelle quels quelles lequel laquelle lesquels',
  hi: 'क्या कब कहाँ कहां कौन किस किसने किसे किसका किसकी किसके कितना कितनी कितने कैसे कैसा कैसी क्यों',
  hu: 'ki mi kik mikor hol hová honnan hogyan miért mennyi hány melyik milyen',
  id: 'apa siapa kapan mana dimana bagaimana mengapa berapa kenapa',
  it: 'chi che cosa quando dove come perché quanto quanta quanti quante quale quali',
  nl: 'wie wat wanneer waar hoe waarom welk welke hoeveel waarmee waarvan',
  no: 'hvem hva når hvor hvordan hvorfor hvilken hvilket hvilke',
  pl: 'kto co kiedy gdzie dokąd skąd jak jaki jaka jakie jakim jakiej dlaczego ile który która które którym której kogo komu',
  pt: 'quem que quê quando onde como porquê quanto quanta quantos quantas qual quais',
  ro: 'cine ce când unde cum cât câtă câți câte care',
  ru: 'почему зачем какое какие каком какого какую каких каким какими кого кому кем чему сколько который которая которые откуда чья чей чьё чьи',
  sv: 'vem vad när var hur varför vilken vilket vilka',
  tr: 'kim ne nerede nereye nereden nasıl neden niçin niye kaç hangi hangisi kimin kime',
  uk: 'хто що де коли чому навіщо як який яка яке які скільки котрий куди звідки чий',
}

/** The words of a language that only ask; empty where its list of frequent words has them. */
function listAskingWords(language: string): string[] {
  return ASKING[language]?.split(' ') ?? []
}

/** What one language does to words. */
export type Lexicon = {
  /** ISO 639-1. */
  language: string
  /** Equal for languages that make the same terms; empty where words are left as they are. */
  stemmer: string
  /** True where stemming never changes how a word begins. */
  keepsFirstLetter: boolean
  /** The first letters of words that may give a term, other than its own. */
  otherBeginnings(term: string): string[]
  /** True for a word of the language's list of words that carry no meaning; takes the plain form. */
  isStopWord(plainWord: string): boolean
  /** The term of a word as it stands in a text; only letters are ever stemmed. */
  termOf(word: string, stemmed: boolean): string
}

/** A few megabytes for a language in full use; a text repeats its words, so a stem is rarely worked out twice. */
const MAX_KEPT_STEMS = 30_000
/** These take prefixes off. */
const CHANGING_PREFIXES: ReadonlySet<string> = new Set(['arabic', 'hebrew', 'irish', 'malay', 'tamil'])
/**
 * Languages of which every word is folded first: Greek accents show the stress alone, and lists of its words have none; Russian texts mostly write `е`
 * for `ё`, which its stemmer takes for no vowel.
 */
const FOLDED: ReadonlySet<string> = new Set(['el', 'ru'])
/** Stemmers of our own; they take folded words. */
const OWN_STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  arabic: stemArabic,
  hebrew: stemHebrew,
  malay: stemMalay,
}
const LETTERS = /^[\p{L}\p{M}]{3,40}$/v

/** The lexicon of a language (ISO 639-1); one without a stemmer or stop words has none. */
export function createLexicon(language: string): Lexicon {
  const { stopWords: list } = LANGUAGES[language] ?? {}
  const { name, stem: stemOf } = createStemmer(language)
  const formOf = FOLDED.has(language) ? fold : (word: string) => word
  const listed = list === undefined ? [] : (stopword[list] ?? [])
  const stopWords = new Set([...listed, ...listAskingWords(language)].map((word) => formOf(plain(word))))
  const beginnings = [...otherBeginnings(language)].map(
    ([base, letters]) => [stem(base), [...letters].map(fold)] as const,
  )
  const beginningsOf = new Map(beginnings)
  let kept = new Map<string, string>()
  // Words of these that come again move over, so that the frequent ones are never forgotten.
  let former: ReadonlyMap<string, string> = new Map()

  function stem(word: string): string {
    const form = formOf(plain(word))
    return (LETTERS.test(form) && stemOf(form)) || fold(form)
  }

  return {
    language,
    stemmer: name,
    keepsFirstLetter: !CHANGING_PREFIXES.has(name),
    otherBeginnings: (term) => beginningsOf.get(term) ?? [],
    isStopWord: (word) => stopWords.has(formOf(word)),
    termOf(word, stemmed) {
      if (!stemmed) return fold(plain(word))
      const known = kept.get(word)
      if (known !== undefined) return known
      if (kept.size >= MAX_KEPT_STEMS) {
        former = kept
        kept = new Map()
      }
      const term = former.get(word) ?? stem(word)
      kept.set(word, term)
      return term
    },
  }
}

/** What makes folded stems of plain words, and what it is called. */
function createStemmer(language: string): { name: string; stem: (form: string) => string } {
  const { stemmer: algorithm, endings } = LANGUAGES[language] ?? {}
  const own = algorithm === undefined ? undefined : OWN_STEMMERS[algorithm]
  if (algorithm !== undefined && own !== undefined) return { name: algorithm, stem: (form) => own(fold(form)) }
  if (algorithm !== undefined) {
    const stemmer = snowball.newStemmer(algorithm)
    const baseOf = createBaseForms(language)
    return { name: algorithm, stem: (form) => fold(stemmer.stem(baseOf(form))) }
  }
  if (endings === undefined) return { name: '', stem: fold }
  const strip = createEndingStripper(endings)
  return { name: `without ${endings.letters}`, stem: (form) => strip(fold(form)) }
}
