import type { Analyzer } from '../analysis/analyzer.ts'
import { NUMBERED } from './answer-kinds.ts'

/**
 * What asks for a meaning, for any amount or for what follows, and stands in no text that gives it: "What does RTO stand for?" is answered by "RTO: recovery
 * time objective", "Wie hoch ist die Miete?" by "Miete: 870 €", "What does a gadget cost?" by "Gadget: 30" and not by what delivery costs, "What happens if it rains?"
 * by "If it rains we stay inside.". English words and phrases count only there: "the mean" and "the stand" say something of their own.
 */
const DEFINITION_PHRASES = wholeWords([
  '(?<=what (?:do|does|did) [^?]{1,200})(?:(?<!(?:the|an?) )mean|stand(?= for))',
  '(?<=qu[eé] )(?:veut|veulent) dire',
  '(?<=qu[eé] )quieren? decir',
  '(?<=cosa )(?:vuol|vogliono) dire',
  '(?<=que )quer(?:em)? dizer',
  '(?<=what )happens?(?= (?:if|when) )',
  '(?<=was )passiert(?=,? wenn )',
  '(?<=qu[eé] )(?:pasa|ocurre|sucede)(?= (?:si|cuando) )',
  '(?<=que )se passe(?=-t-il (?:si|quand|en cas) )',
  '(?<=^\\W*)hay(?! que )',
  '(?<=combien de )temps',
  '(?<=cu[aá]nto )tiempo',
  '(?<=quanto )tempo',
  '(?<=wie ?viel )zeit',
  '(?<=how much )time',
  'faut(?=[- ]il )',
  '(?<=(?:a|ont|aura|auront|avoir|eu) )lieu',
  '(?<=(?:tiene|tuvo|tendrá|tener) )lugar',
  '(?<=(?:take|takes|took|taking|taken) )place',
  '(?<=que faire )en cas(?= d)',
  '(?<=(?:which|what|welche[rs]?|quelle|qu[eé]|quale|welke) )(?:version|release|versión|versione|versie)',
  '(?<=^\\W*)(?:until|till|since|by)(?= when )',
  '(?<=how )long(?! (?:is|are|was|were) )',
  '(?<=what is the )(?:amount|price|cost)(?= of)',
  `(?<=what (?:is|was) (?:\\S+ ){1,3}(?:${NUMBERED}) )(?:number|no|id|code)`,
  '(?<=(?:what|how much) (?:do|does|did|will|would) [^?]{1,200})cost',
  '(?<=(?:was|viel) )koste(?:n|te?n?)',
  '(?<=combien )co[uû]te(?:nt|ra)?',
  '(?<=cu[aá]nto )(?:cuestan?|costar[aá]n?)',
  '(?<=quel est le )montant(?= d)',
  "(?<=combien )s[’']él[eè]ve(?:nt)?",
  '(?<=cu[aá]l es el )(?:importe|monto)(?= d)',
  '(?<=wie )(?:hoch|lange?|viele?)',
  'bedeutet|bedeuten|signifie|signifient|significan?|significano|significam|betekent|betekenen',
  'oznacza|oznaczają|znaczy|znaczą|означает|означают|значит',
])

/**
 * What ties somebody to a matter, or who asks to what he looks for. Texts have the two side by side and say nothing of it: `| Payroll | Maria Sousa |`,
 * "There are coins at the kiosk.".
 */
const RELATION_WORDS = wholeWords([
  '(?<=who (?:is|are|was|were) )(?:responsible|in charge)(?= (?:for|of) )',
  '(?<=who )(?:handles?|manages?|looks after|takes care of|deals with)',
  '(?<=who(?:m)? (?:do|can|should|must|may) (?:i|we|you) )(?:contact|ask|call|email|e-mail|phone|write|talk|speak|turn|go)(?= (?:to|about|for|with) )',
  '(?<=where (?:do|can|could|may) (?:i|we|you|one) )(?:get|find|obtain|see)',
  '(?<=wo(?:her)? )(?:bekomme|kriege|finde|erhalte|bekommt|findet|erhält)',
  '(?<=où (?:est-ce que |puis-je |peut-on |je )?)(?:trouver|obtenir|trouve|obtiens)',
  '(?<=d[oó]nde (?:puedo |se puede |se )?)(?:encontrar|encuentro|encuentra|consigo|conseguir|obtengo|obtener)',
  '(?<=wer (?:ist|sind|war) (?:[^?]{1,100} )?)(?:zuständig|verantwortlich|ansprechpartner(?:in)?)',
  '(?<=wer )(?:kümmert sich|betreut)',
  '(?<=(?:wen|wem) )(?:frage|fragen|kontaktiere|schreibe|rufe|wende)',
  '(?<=qui (?:est|sont) (?:le |la |les )?)(?:responsables?|chargée?s?)',
  "(?<=qui )s[’']occupe",
  '(?<=qui[eé]n(?:es)? (?:es|son) (?:el |la |los |las )?)(?:responsables?|encargad[oa]s?)',
  '(?<=qui[eé]n )(?:se encarga|lleva|gestiona)',
])

/** Whether something is allowed is told by what speaks of it, also below `Forbidden`; where nothing does, by what else is allowed. */
const ALLOWED = {
  en: wholeWords(['(?<=^(?:are|is) [^?]{1,100} )(?:allowed|permitted)']),
  de: wholeWords(['(?<=^(?:ist|sind) [^?]{1,100} )(?:erlaubt|gestattet)']),
}

function wholeWords(forms: readonly string[]): RegExp {
  return new RegExp(forms.map((form) => `(?<!\\p{L})(?:${form})(?!\\p{L})`).join('|'), 'giu')
}

/** The question without the words that tie one thing to another, where no text has them, nor those for what is allowed, where one has the rest. */
export function stripRelationWords(
  analyzer: Analyzer,
  question: string,
  { languages, texts }: { languages: readonly string[]; texts: readonly string[] },
): string {
  // "of" says nothing in English, and is a word among those of a German memory.
  const spoken = analyzer.queryTerms(question, languages).languages.slice(0, 1)
  const isTold = (rest: string, language: string) => {
    const { terms } = analyzer.queryTerms(rest, [language])
    return texts.some((text) => analyzer.findTerms(text, terms, languages).length > 0)
  }
  const rests = Object.entries(ALLOWED).map(([language, words]) => ({ language, rest: blank(question, words) }))
  const told = rests.find(({ language, rest }) => rest !== question && isTold(rest, language))
  const isSaid = (words: string) => {
    const { terms } = analyzer.queryTerms(words, spoken)
    return texts.some((text) => {
      const found = new Set(analyzer.findTerms(text, terms, languages).map(({ term }) => term))
      return terms.every((term) => found.has(term))
    })
  }
  // Once for each: a question may be nothing but "who handles".
  const said = new Map<string, boolean>()
  return (told?.rest ?? question).replace(RELATION_WORDS, (words) => {
    const tie = words.toLowerCase()
    const isThere = said.get(tie) ?? isSaid(tie)
    said.set(tie, isThere)
    return isThere ? words : ' '.repeat(words.length)
  })
}

/** The question without those words, everything else in its place; as it is where nothing else is meant: "What does it mean?" */
export function stripDefinitionPhrases(analyzer: Analyzer, question: string, languages: readonly string[]): string {
  const rest = blank(question, DEFINITION_PHRASES)
  if (rest === question) return question
  const asked = new Set(analyzer.queryTerms(question, languages).terms)
  return analyzer.queryTerms(rest, languages).terms.every((term) => asked.has(term)) ? rest : question
}

function blank(question: string, form: RegExp): string {
  return question.replace(form, (words) => ' '.repeat(words.length))
}

/** What several words without a meaning of their own say together, by the word that says the same. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=\bwho (?:all )?(?:was|were) )(?:also )?(?:at|there|in(?! charge))\b|(?<=\bwho )(?:took part|came(?! up))\b/giu,
    'attended',
  ],
  [
    /(?<=\bwho )(?:(?:could|did|would) ?n(?:o|['’])t (?:be there|come|attend)|(?:was|were) ?n(?:o|['’])t (?:there|at))\b/giu,
    'absent',
  ],
  [
    /(?<=\bwer )(?:war|waren) (?:alles )?(?=(?:bei|auf|in|da|dabei)(?!\p{L}))|(?<=\bwer )(?:nahm|nahmen)(?= .{0,80} teil)/giu,
    'anwesend ',
  ],
  [/(?<=\bwer )(?:(?:konnte|konnten|kam|kamen|war|waren) nicht)(?!\p{L})/giu, 'entschuldigt'],
  [/(?<=\bqui )(?:était|étaient)(?= (?:à|au|aux|là)(?!\p{L}))/giu, 'présent'],
  [/(?<=\bqui[eé]n(?:es)? )(?:estuvo|estuvieron|estaba|estaban)(?= (?:en|allí|ahí)(?!\p{L}))/giu, 'asistió'],
  [/\b(days|weeks|time) off\b/giu, '$1 leave'],
]

/** A question in the words that texts have: "Who was at the meeting?" asks who attended it, which `Present: Ann Lee` says. */
export function replacePhrases(question: string): string {
  return PHRASES.reduce((said, [phrase, word]) => said.replace(phrase, word), question)
}
