/** The kind of answer that a question expects; `other` where its words do not say. */
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
  | 'version'
  | 'parties'
  | 'person'
  | 'permission'
  | 'place'
  | 'organization'
  | 'reason'
  | 'other'

/**
 * One language, as data: lists of words and phrases, no code. To add or correct a language, edit
 * its file in this folder. The comment of each field names its format:
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
 * - `^` and `$`: the begin and the end of the text.
 * - `who {handles}`: the braces mark the part that the field is about; the rest is the context.
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
   * True where words are folded before stemming: accents mark the stress only, or most texts omit
   * them.
   */
  isFoldedFirst?: boolean
  /** True for a language without spaces between words: its phrases match anywhere in a text. */
  isUnspaced?: boolean
  /** True where every noun is capitalized, so that a capital does not indicate a name. */
  hasCapitalNouns?: boolean
  /**
   * Words: interrogatives that `stopWords` lacks. Interrogatives are rare in documents and would
   * weigh much. Without them nDCG@10 of questions in Spanish rose by .2 points, in Russian by .1 to
   * .3 (docs/relevance.md).
   */
  askingWords?: string
  /** Words: parts of a question that are not search terms, in lower case without accents. */
  questionWords?: string
  /**
   * Words: forms of "to be" and "to be able" that occur in questions and that `stopWords` lacks.
   * Spanish past forms and "puede" are left out, because they carry meaning. Search keeps all of
   * them (.03 to .1 points of nDCG@10).
   */
  auxiliaries?: string
  /**
   * Words: capitalized pronouns (personal, possessive, demonstrative) at the begin of a sentence.
   */
  pronouns?: string
  /** Words: abbreviations that end in a full stop, in lower case without the last full stop. */
  abbreviations?: string
  /** Words: the `abbreviations` that often end a sentence. */
  finalAbbreviations?: string
  /** Words: capitalized words that begin a sentence and no name, and so end the sentence before. */
  openings?: string
  /** Words: months and days that are abbreviated with a capital. */
  shortDates?: string
  /** Words before a number with a full stop, which is then an ordinal: "das 14. Lebensjahr". */
  beforeOrdinal?: string
  /** Words after such a number, each with any ending: "19. Jahrhundert". */
  afterOrdinal?: string
  /** January to December, separated by commas: name and usual abbreviations of each. */
  months?: string
  /**
   * Irregular forms, one group for each base form, groups separated by commas; the base form comes
   * first. Left out are forms that are as often another word (English `wound`, German `Stahl`), and
   * words without a meaning of their own (`was`, `had`). German forms take prefixes and endings
   * (`inflections.ts`); a word that only looks like such a form is a group of its own: `befunden`
   * belongs to `Befund`.
   */
  irregularForms?: string
  questions?: QuestionWords
  answers?: AnswerWords
  /** What denies a statement. */
  negation?: NegationWords
  /** How a sentence says what a thing is. */
  definitions?: DefinitionWords
  /** How prose states that something is so, or is not. */
  statements?: StatementWords
  /**
   * Words on forms, invoices, contracts, letters and CVs that mean the same, by meaning. The
   * meanings and their order are those of English; a word with two of them has the last one.
   */
  synonyms?: Readonly<Record<string, string>>
  /** Words that have another meaning in this language than elsewhere, by word. */
  ownSynonyms?: Readonly<Record<string, string>>
  /**
   * Words that ask for a measure and words that give it, by measure (`heavy: weight, long:
   * length`): "How heavy …?" is answered by "Weight: 4.2 kg".
   */
  measureWords?: string
  /**
   * Words for what a person did, and words of lists and title pages for such a person, in the same
   * format: "Who attended?" is answered by "Present: Ann Lee".
   */
  peopleWords?: string
  /** Words for what a phone number is for: "Call 555-0102 for help." */
  callingWords?: string
  /** Words for a meeting, and for its minutes, which often do not name the meeting. */
  meetings?: string
  meetingRecords?: string
}

/** What the endings of a language are made of. */
export type Endings = {
  letters: string
  /**
   * Letters that belong to an ending only after another letter of endings; elsewhere they belong to
   * the stem.
   */
  inside?: string
  /** Number of characters that remain of a word in any case. */
  least?: number
}

type ByKind = Readonly<Partial<Record<AnswerKind, string>>>

/** How the language asks. Questions are compared in lower case without accents. */
export type QuestionWords = {
  /** Phrases: interrogatives that precede a noun: "which year". */
  which?: string
  /** Words: nouns behind `which` that ask for a kind of answer: "which year" asks for a date. */
  nouns?: ByKind
  /**
   * Words: the interrogative that asks for a kind of answer on its own, as the first one of the
   * question.
   */
  first?: ByKind
  /** True where names and trades are recognizable by their form, so that "who" asks for them. */
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
  /** Phrases: the begin of a question that asks whether a thing exists: "Is there". */
  whether?: string
  /** Phrases: "What is" at the begin of a question that asks for a definition. */
  whatIs?: string
  /** Phrases: the begin of a question that asks for a procedure. */
  how?: string
  /** Phrases: "how many", before the noun that is counted. */
  howMany?: string
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

/**
 * How answers look. Sentences are compared as they are written, with capitals and accents, unless
 * noted.
 */
export type AnswerWords = {
  /** Words: months as sentences have them. */
  months?: string
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
  /** Phrases: an hour where no other word of the clause follows. */
  clockAtClauseEnd?: string
  /**
   * Words that may follow an hour without a unit: "at nine on Sundays", but not "at nine points".
   */
  afterHour?: string
  /** Words: units behind the figures of an hour, and of a date, in a language without spaces. */
  hourUnits?: string
  dateUnits?: string
  /** Words before the end of a period: "until 3 May". */
  until?: string
  /** Words between two years: "1990 to 1995". */
  rangeTo?: string
  /** Words: percent. */
  percent?: string
  /** Words: fractions. */
  fractions?: string
  /** Words: currencies. */
  currencies?: string
  /** Words: large numbers before a currency. */
  millions?: string
  /** Words: units of measurement. */
  measures?: string
  /** Words before the parties of a contract, and between them. */
  between?: string
  and?: string
  /** Words that allow or forbid, or that answer yes or no. */
  permission?: string
  /** Words that introduce a reason. */
  reasons?: string
  /** Words of time without a date, in any case. */
  times?: string
  /** Words of quantity without a number, in any case. */
  amounts?: string
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
  /** Words that begin a sentence, are capitalized and name nobody. */
  noNames?: string
  /** Words: lower-case parts within a name: "of". */
  nameParticles?: string
  /** Words: what has a number or code as its name, which counts nothing. */
  numbered?: string
  /** Words: headings of a procedure. */
  procedures?: string
  /** Words: a numbered step. */
  steps?: string
}

/** What denies a statement. */
type NegationWords = {
  /** Words in lower case without accents. */
  words: string
  /** A word that denies in other languages and not in this one. */
  harmless?: string
}

/** How a sentence says what a thing is. */
export type DefinitionWords = {
  articles?: string
  /** Words: forms of "to be". */
  copulas: string
  /** Words: "means". */
  verbs?: string
  /** Words that may replace the article. */
  determiners?: string
}

/** How prose states that something is so, or is not. All fields are words. */
export type StatementWords = {
  /** Verbs that permit. */
  modals?: string
  /** Forms of "to be". */
  copulas?: string
  /** Adverbs of negation. */
  negations?: string
  /** Negated articles, before what does not exist. */
  negatedArticles?: string
  /** "without" */
  without?: string
  /** Verbs of what is only possible: "may require a survey". */
  uncertain?: string
}

/** The words of a list; none where a language has no such list. */
export function listWords(list: string | undefined): string[] {
  return (list ?? '').split(/\s+/).filter((word) => word !== '')
}
