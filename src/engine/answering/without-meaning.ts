import type { Analyzer } from '../analysis/analyzer.ts'

/**
 * What asks for a meaning, for any amount or for what follows, and stands in no text that gives it: "What does RTO stand for?" is answered by "RTO: recovery
 * time objective", "Wie hoch ist die Miete?" by "Miete: 870 €", "What does a gadget cost?" by "Gadget: 30" and not by what delivery costs, "What happens if it rains?"
 * by "If it rains we stay inside.". English words and phrases count only there: "the mean" and "the stand" say something of their own.
 */
const MEANING = new RegExp(
  [
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
    'faut(?=[- ]il )',
    '(?<=how )long(?! (?:is|are|was|were) )',
    '(?<=what is the )(?:amount|price|cost)(?= of)',
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
  ]
    .map((form) => `(?<!\\p{L})(?:${form})(?!\\p{L})`)
    .join('|'),
  'giu',
)

/** The question without those words, everything else in its place; as it is where nothing else is meant: "What does it mean?" */
export function withoutMeaning(analyzer: Analyzer, question: string, languages: readonly string[]): string {
  const rest = question.replace(MEANING, (words) => ' '.repeat(words.length))
  if (rest === question) return question
  const asked = new Set(analyzer.queryTerms(question, languages).terms)
  return analyzer.queryTerms(rest, languages).terms.every((term) => asked.has(term)) ? rest : question
}
