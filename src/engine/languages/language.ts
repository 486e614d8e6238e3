/** Expected kind of answer to a question; `other` if the question does not show the kind. */
export type AnswerKind =
  | 'percentage'
  | 'money'
  | 'duration'
  | 'date'
  | 'number'
  | 'hour'
  | 'measure'
  | 'amount'
  | 'identifier'
  | 'email'
  | 'version'
  | 'parties'
  | 'person'
  | 'permission'
  | 'place'
  | 'organization'
  | 'reason'
  | 'other'

/**
 * One language as data: lists of words and phrases, no code. To add or correct a language, edit the
 * file of that language in this folder. The comment of each field names the format:
 *
 * - words: separated by white space. `_` joins the words of a phrase: `as_soon`.
 * - phrases: one a line.
 *
 * Both formats know these signs:
 *
 * - `day[s]`: the part in brackets is optional.
 * - `(who|whom)`: one of the alternatives.
 * - `gratuit*`: any ending, or none. `*miete`: any beginning. `?` is any one letter, `#` any digit.
 * - `<1-3>`: one to three words of any kind. `…`: any text up to the next question mark.
 * - `!(the|a)`: none of the alternatives follows. `!(the|a) <1-1>` is any word but those.
 * - `^` and `$`: the start and the end of the text.
 * - `who {handles}`: the braces mark the relevant part; the rest is context.
 */
export type Language = {
  /** ISO 639-1. */
  code: string
  /** Name of the Snowball algorithm, or of a stemmer of this project (`stemmers.ts`). */
  stemmer?: string
  /** For a language without a stemmer: letters of its inflectional endings, folded. */
  endings?: Endings
  /** Name of the stop word list in the npm package `stopword`. */
  stopWords?: string
  /**
   * True if words are folded before stemming: accents mark stress only, or most texts omit accents.
   */
  isFoldedFirst?: boolean
  /** True for a language without spaces between words, whose phrases match anywhere in a text. */
  isUnspaced?: boolean
  /** True if every noun is capitalized, so that a capital does not indicate a name. */
  hasCapitalNouns?: boolean
  /**
   * Words: interrogatives that `stopWords` lacks. Interrogatives are rare in documents and would
   * get a high weight. Without interrogatives nDCG@10 of Spanish questions rose by .2 points, of
   * Russian questions by .1 to .3 (docs/relevance.md). In a language without spaces they are
   * removed anywhere in a query, so that none may be a part of another word.
   */
  askingWords?: string
  /** Words: particles at the end of a question, in a language without spaces. */
  askingEnds?: string
  /** Words: beginnings of words that ask, in a language without spaces: 何時, 几点. */
  askingBeginnings?: string
  /** Words of a question that are no search terms, in lower case without accents. */
  questionWords?: string
  /**
   * Words: question forms of "to be" and "to be able" that `stopWords` lacks. Spanish past forms
   * and "puede" are excluded, because both carry meaning. Search keeps all auxiliaries (.03 to .1
   * points of nDCG@10).
   */
  auxiliaries?: string
  /** Words that ask, and need not be in an answer: measures, times, amounts, and "get". */
  genericWords?: string
  /** Words: verbs before the subject of a question. */
  inversions?: string
  /** Words before a noun: articles, possessives, prepositions, "which", "how many". */
  beforeNouns?: string
  /**
   * Words: capitalized pronouns (personal, possessive, demonstrative) at the start of a sentence.
   */
  pronouns?: string
  /** Words: abbreviations that end in a full stop, in lower case without the last full stop. */
  abbreviations?: string
  /** Words: `abbreviations` that often end a sentence. */
  finalAbbreviations?: string
  /** Words: capitalized function words at the start of a sentence, with which no name begins. */
  openings?: string
  /** Words: abbreviations of months and days with a capital. */
  shortDates?: string
  /** Words before an ordinal with a full stop: "das 14. Lebensjahr". */
  beforeOrdinal?: string
  /** Words after such an ordinal, each with any ending: "19. Jahrhundert". */
  afterOrdinal?: string
  /**
   * Irregular forms: groups separated by commas, each with the base form first. Exclude forms that
   * are as often another word (English `wound`, German `Stahl`), and function words (`was`, `had`).
   * German forms take prefixes and endings (`inflections.ts`). A word that only looks like such a
   * form needs a separate group: `befunden` belongs to `Befund`.
   */
  irregularForms?: string
  questions?: QuestionWords
  answers?: AnswerWords
  /** Words of negation. */
  negation?: NegationWords
  /** Words of definitions. */
  definitions?: DefinitionWords
  /** Words of positive and negative statements. */
  statements?: StatementWords
  /**
   * Synonyms on forms, invoices, contracts, letters and CVs, by meaning. English lists all meanings
   * in order; a word with two meanings gets the last one.
   */
  synonyms?: Readonly<Record<string, string>>
  /** Synonyms that mean something else in other languages, by meaning. */
  ownSynonyms?: Readonly<Record<string, string>>
  /**
   * Words that ask for a measure or state the measure, grouped (`heavy: weight, long: length`):
   * "Weight: 4.2 kg" answers "How heavy …?".
   */
  measureWords?: string
  /**
   * Verbs of people, with the nouns of lists and title pages, in the same format: "Present: Ann
   * Lee" answers "Who attended?".
   */
  peopleWords?: string
  /** Words: verbs and nouns of calls: "Call 555-0102 for help." */
  callingWords?: string
  /** Words for a meeting, and for minutes, which often do not name the meeting. */
  meetings?: string
  meetingRecords?: string
}

/** Inflectional endings of a language. */
export type Endings = {
  letters: string
  /** Letters of an ending only if another ending letter precedes; letters of the stem otherwise. */
  inside?: string
  /** Number of characters that remain of a word in any case. */
  least?: number
}

/** Words of dates and periods in one language, in lower case. */
export type Calendar = {
  /**
   * January to December, separated by commas: name, inflections and usual abbreviations of each.
   * An abbreviation of three letters or fewer is a beginning of another form.
   */
  monthNames?: string
  /** Words: a quarter, a half and a week of a year, each without its endings. */
  quarters?: string
  halves?: string
  weeks?: string
  /** First to fourth, separated by commas: each without its endings. */
  ordinals?: string
  /** Words: letters for a quarter next to its number: T4, 4T. Q is known in all languages. */
  quarterLetters?: string
}

type ByKind = Readonly<Partial<Record<AnswerKind, string>>>

/** Words of questions. Questions are compared in lower case without accents. */
export type QuestionWords = {
  /** Phrases: interrogatives that precede a noun: "which year". */
  which?: string
  /** Words: the same, where interrogatives are anywhere in a question. */
  whichAnywhere?: string
  /** Words: nouns after `which` that ask for a kind of answer: "which year" asks for a date. */
  nouns?: ByKind
  /**
   * Words: nouns whose value has a form, also in a request without a verb: "Deposit for the boat?"
   */
  values?: ByKind
  /** Words after such a noun, besides `beforeNouns`: "Preis für". */
  valueLinks?: string
  /** Words: interrogatives that ask for a kind of answer without a noun, first in the question. */
  first?: ByKind
  /** True if the form of a word shows a name or a trade, so that "who" asks for such a word. */
  hasPlainWho?: boolean
  /**
   * Words: interrogatives other than the `first` one of dates: "what happens when …" asks for no
   * date.
   */
  interrogatives?: string
  /** Phrases that ask for a kind of answer. In a language without spaces they match anywhere. */
  phrases?: ByKind
  /** Words: nouns of time. "How much time" asks for no amount. */
  timeNouns?: string
  /** Phrases: the start of a question that asks whether a thing exists: "Is there". */
  whether?: string
  /** Phrases: "What is" at the start of a question that asks for a definition. */
  whatIs?: string
  /** Words: the end of a question that needs no question mark, as written: "ですか". */
  ends?: string
  /** Phrases: the start of a request for information, as written: "Show me where". */
  requests?: string
  /** Phrases: the start of a question of a chat, which often has no question mark, as written. */
  unmarked?: string
  /** Words: labels of a question, as written: `Q:`. */
  labels?: string
  /** Phrases: a reply of someone who does not know, as written. */
  unknown?: string
  /** Words: the start of the condition in a question: "What do I do if …?" */
  conditions?: string
  /** Words: the start of a situation that lasts: "Who waters the plants while …?" */
  situations?: string
  /** Words: the end of such a situation, before what is asked: `期间`. */
  situationEnds?: string
  /** Phrases: the start of a question that asks for a procedure. */
  how?: string
  /** Phrases: "how many", before the noun that is counted. */
  howMany?: string
  /** Phrases that ask for a temperature: "how warm", "what is the temperature". */
  temperatures?: string
  /** Phrases that ask for a size or a weight: "how deep". */
  sizes?: string
  /** Phrases: a value that is an email address, and no mail. */
  addresses?: string
  /** Phrases: "how often". */
  howOften?: string
  /** Phrases: questions about one thing, in braces: "Does the policy cover {…}" */
  about?: string
  /**
   * Phrases: words that ask for a meaning, an amount or a consequence, in braces. No answer repeats
   * them.
   */
  fillers?: string
  /**
   * Phrases: words that relate a person or a place to a matter, in braces. Many texts do not repeat
   * them.
   */
  relations?: string
  /** Phrases: words of permission, in braces. */
  permission?: string
  /**
   * Phrases with the words in braces that the key replaces: "Who {was at} the meeting" asks who
   * attended.
   */
  rewrites?: Readonly<Record<string, string>>
}

/** Words of answers. Sentences are compared as written, with capitals and accents, unless noted. */
export type AnswerWords = {
  /** Patterns of month names as sentences have them, with capitals and abbreviations. */
  monthPatterns?: string
  /** Words before a year, but before no count: "since 2019". */
  beforeYears?: string
  weekdays?: string
  /** Words: century and decade. */
  centuries?: string
  /** Words: numbers. */
  numbers?: string
  /** Words: units of time. */
  timeUnits?: string
  /** Words: hours of the day, as words. */
  hours?: string
  /**
   * Phrases: an hour after a preposition. `<hour>` is one of `hours`, `<figures>` is an hour in
   * figures.
   */
  clock?: string
  /** Phrases: an hour with its unit: "9 a.m.". Braces mark the hour. */
  clockWithUnit?: string
  /** Phrases: an hour at the end of a clause. */
  clockAtClauseEnd?: string
  /**
   * Words that may follow an hour without a unit: "at nine on Sundays", but not "at nine points".
   */
  afterHour?: string
  /** Words: units after the figures of an hour or a date, in a language without spaces. */
  hourUnits?: string
  dateUnits?: string
  /** Words before the end of a period: "until 3 May". */
  until?: string
  /** Words before a single unit of time: "for a week". */
  lasting?: string
  /** Words between two years: "1990 to 1995". */
  rangeTo?: string
  /** Words: percent. */
  percent?: string
  /** Words: fractions. */
  fractions?: string
  /** Words: currencies. */
  currencies?: string
  /** Words: abbreviations of currencies, before or after an amount: "12 zł", "kr 12". */
  currencySigns?: string
  /** Words: large numbers before a currency. */
  millions?: string
  /** Words: units of measurement. */
  measures?: string
  /** Words: units of temperature. */
  degrees?: string
  /** Words before the parties of a contract, and between them. */
  between?: string
  and?: string
  /** Words that allow or forbid, or mean yes or no. */
  permission?: string
  /** Words that introduce a reason. */
  reasons?: string
  /** Words that often introduce a reason, in any case. */
  causes?: string
  /** Words of time without a date, in any case. */
  times?: string
  /** Words of repetition next to a number or a unit: "3 times", "every 200 hours". */
  frequencies?: string
  /** Words of quantity without a number, in any case. */
  amounts?: string
  /** Words: opening hours, and the verbs of opening and closing, in any case. */
  open?: string
  /** Words: closed, days of rest, in any case. */
  closed?: string
  /** Words of price without a number, in any case. */
  prices?: string
  /** Words for people, in any case, and endings of such words. */
  people?: string
  peopleEndings?: string
  /** Words: inflections of `peopleEndings`. */
  peopleInflections?: string
  /** Words: endings of names of places and organizations, in a language without spaces. */
  placeEndings?: string
  organizationEndings?: string
  /** Words: capitalized at the start of a sentence, but no names. */
  noNames?: string
  /** Words: lower-case parts within a name: "of". */
  nameParticles?: string
  /** Words: nouns that take a number or code as a name. */
  numbered?: string
  /** Words: headings of a procedure. */
  procedures?: string
  /** Words: a numbered step. */
  steps?: string
  /** Words: a numbered clause of a contract or a law. */
  clauses?: string
  /** Words before or after the number of a version or edition, and words for a revised one. */
  versions?: string
}

/** Words of negation. */
type NegationWords = {
  /** Words in lower case without accents. */
  words: string
  /** A negation of other languages that means something else in this one. */
  harmless?: string
}

/** Words of definitions. */
export type DefinitionWords = {
  articles?: string
  /** Words: forms of "to be". */
  copulas: string
  /** Words: "means". */
  verbs?: string
  /** Words that may replace the article. */
  determiners?: string
}

/** Words of positive and negative statements. All fields are words. */
export type StatementWords = {
  /** Verbs that permit. */
  modals?: string
  /** Forms of "to be". */
  copulas?: string
  /** Adverbs of negation. */
  negations?: string
  /** Negated articles. */
  negatedArticles?: string
  /** "without" */
  without?: string
  /** Verbs of possibility: "may require a survey". */
  uncertain?: string
  /** Words that make a statement conditional: "only with consent", "unless agreed". */
  conditions?: string
}

/** The words of a list; none where a language has no such list. */
export function listWords(list: string | undefined): string[] {
  return (list ?? '').split(/\s+/).filter((word) => word !== '')
}
