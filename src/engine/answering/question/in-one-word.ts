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
export function inOneWord(question: string): string {
  return PHRASES.reduce((said, [phrase, word]) => said.replace(phrase, word), question)
}
