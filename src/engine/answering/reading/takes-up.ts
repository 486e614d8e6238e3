/** Personal, possessive and demonstrative pronouns that begin a sentence: English, German, French, Spanish, Russian, Chinese. */
const PRONOUN = new RegExp(
  '^["“„«(]?(?:(?:' +
    [
      'It|They|He|She|This|These|His|Her|Its|Their',
      'Er|Sie|Es|Dies(?:e[rnms]?)?|Seine?|Ihre?',
      'Ils?|Elles?|Cet(?:te)?|Ces?|Sa|Son|Ses|Leurs?',
      'Él|Ell[ao]s?|Sus?|Est(?:[aeo]|[ao]s)',
      'Он[аои]?|Эт[аои]|Этот|Его|Её|Их',
    ].join('|') +
    ')(?!\\p{L})|[他她它其这该])',
  'u',
)

/** True for a sentence that begins with a pronoun: "It will be returned within 30 days." is about what the sentence before says. */
export function takesUp(sentence: string): boolean {
  return PRONOUN.test(sentence)
}
