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
export function listAskingWords(language: string): string[] {
  return ASKING[language]?.split(' ') ?? []
}
