/** "How do I …?", "how to …", "Wie kann ich …?", "¿Cómo se …?": over words in lower case without accents, one space around each. */
const ASKS_HOW = new RegExp(
  `^ (?:${[
    'how (?:to|(?:do|does|can|could|should|must|would|may) (?:i|we|you|one))',
    'what (?:are the )?steps|what (?:do|must|should) (?:i|we|you|one) do(?: \\S+){0,3} to',
    'wie (?:\\S+ ){0,1}(?:ich|man|wir|du)|(?:welche|was sind die) schritte',
    '(?:comment|por que pasos|que pasos|quelles (?:sont les )?etapes|quali (?:sono i )?passaggi|quais (?:sao os )?passos|welke stappen)',
    'como (?:se|puedo|podemos|puede|debo|hago|hay|posso|podemos|devo|faco|fazer|\\S+(?:ar|er|ir))',
    'come (?:si|posso|possiamo|devo|faccio|fare|\\S+(?:are|ere|ire))',
    'hoe (?:\\S+ ){0,1}(?:ik|je|u|we|wij|men)',
    'как|jak',
  ].join('|')}) `,
  'u',
)
/** Headings of how the thing of the title is made. */
const PROCEDURE =
  /^(?:#{1,6}\s+|\*\*|__)?(?:\d{1,2}[.)] )?(?:Method|Preparation|Directions|Instructions|Steps|Procedure|How to\b.{0,60}|Zubereitung|Anleitung|Vorgehen|Ablauf|Schritte|Durchführung|Préparation|Étapes|Instructions|Preparación|Pasos|Elaboración|Procedimiento|Preparazione|Procedimento|Preparo|Modo de preparo|Bereiding|Werkwijze|Приготовление|Шаги|Przygotowanie)[^\p{L}\p{N}]*$/imu
/** `Step 2: …` */
export const NAMED_STEP = String.raw`(?:Step|Schritt|Étape|Paso|Passo|Passaggio|Stap|Шаг|Krok) (?<named>\d{1,3})(?=[\s.:)–—-])`
const STEP = new RegExp(String.raw`^[\s*_>]{0,12}(?:(?<number>\d{1,3})[.)]\s|${NAMED_STEP})`, 'u')

/** True for a question after how something is done. `asked` as `matchable` makes it. */
export function asksHow(asked: string): boolean {
  return ASKS_HOW.test(asked)
}

/** True for a heading below which stands how the thing of the title is done: `Method`, `Zubereitung`. */
export function namesProcedure(heading: string): boolean {
  return PROCEDURE.test(heading)
}

/** The number of its own that a sentence has, as the steps of what is done have; `null` where it has none. */
export function numberOfStep(sentence: string): number | null {
  const groups = STEP.exec(sentence)?.groups
  return groups === undefined ? null : Number(groups['number'] ?? groups['named'])
}
