import { normalizeForMatch } from '../analysis/fold.ts'

/** What would answer a question. `other` where its words do not say. */
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

/** Kinds whose looks tell. */
export const STRONG: ReadonlySet<AnswerKind> = new Set([
  'date',
  'hour',
  'number',
  'measure',
  'amount',
  'percentage',
  'money',
  'duration',
  'parties',
  'identifier',
  'version',
])
/** Kinds whose answers have a sign or a unit: the 5 of `Manual of the Aroma 5` is none. */
export const SIGNED: ReadonlySet<AnswerKind> = new Set(['money', 'percentage', 'measure'])
/** Kinds of which a capital or a word is a sign. */
export const SOFT: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'organization', 'permission'])

/**
 * A form of question: an expression over the question in lower case without accents, one space around each word. `isPlain` where the question
 * word alone says what is wanted: "when", not "which period", which may be asked for its name.
 */
type QuestionForm = { kind: AnswerKind; form: RegExp; isPlain: boolean }

/** "what year", "in welchem Jahr", "en quelle année": the interrogatives that take a noun, before the noun. */
const WHICH =
  ' (?:what|which|welche[rsmn]?|was fur (?:ein|eine|einen)|quel(?:le|s|les)?|que|cual(?:es)?|quale?|quali|qual|quais|welke?|jak(?:i|a|ie|im|iej)|ktor(?:y|a|e|ym|ej)|как(?:ой|ая|ое|ие|ом|им|ую|их|ого)|котор(?:ый|ая|ое|ом)) (?:\\S+ ){0,2}?'

/** No other question word stands before: "what happens when …" asks for no date. */
const FIRST =
  '^ (?:(?!(?:what|which|who|whom|whose|how|where|why|que|qu|qui|quell?e?s?|comment|combien|ou|pourquoi|como|quien(?:es)?|cual(?:es)?|cuant[oa]s?|donde|che|chi|cosa|come|quale|quali|quant[oaie]|dove|perche|quem|qual|quais|onde|wat|wie|welke?|hoe|waar|waarom|кто|что|как\\p{L}*|где|сколько|почему|kto|co|jak\\p{L}*|gdzie|ile) )\\S+ )*?'

/** Who asks "how much" and speaks of time wants that. */
const TIME_WORDS =
  'time|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|longer|notice|leave|zeit|uhr|minuten|stunden|tage|wochen|monate|jahre|temps|heures?|jours?|nuits?|semaines?|mois|ans|annees'

/** What has a number or code that names it and counts nothing. */
export const NUMBERED =
  'phone|telephone|fax|mobile|cell|hotline|helpline|emergency|support|contact|order|invoice|customer|client|account|contract|policy|ticket|case|reference|serial|model|part|item|article|tracking|booking|reservation|confirmation|registration|licen[cs]e|tax|vat|passport|membership|employee|personnel|project|patient|postal|zip|area|sort|swift|product|purchase order|po'

function forms(kind: AnswerKind, ...sources: readonly string[]): QuestionForm[] {
  return sources.map((source) => ({ kind, form: new RegExp(source, 'u'), isPlain: !source.startsWith(WHICH) }))
}

/** Tried in order: the narrower kinds stand before those whose words they share. */
const QUESTION_FORMS: readonly QuestionForm[] = [
  ...forms(
    'percentage',
    `${WHICH}(?:percent|percentage|share|proportion|prozent|prozentsatz|anteil|pourcentage|porcentaje|percentuale|porcentagem|procent|процент|доля)`,
    ' (?:how many percent|wie viel prozent|wieviel prozent|combien de pour cent|сколько процентов) ',
    '百分之几|百分比|百分之多少|比例是',
  ),
  ...forms(
    'money',
    ' what (?:do|does|did|will|would) (?:\\S+ ){1,9}cost ',
    ' what (?:do|does|did|must|should) (?:\\S+ ){1,6}pay ',
    ' (?:how much (?:rent|salary|wages?|tax|deposit|pension|money)|wie ?viel (?:\\S*miete|\\S*gehalt|\\S*lohn|\\S*steuern?|kaution|rente)|combien de (?:loyer|salaire|impots?|caution)|cuant[oa] (?:alquiler|renta|salario|sueldo|fianza)|quanto (?:affitto|stipendio|aluguel|salario)|hoeveel (?:huur|salaris|loon)) ',
    ' was (?:kostet|kosten|kostete|kosteten|zahlt|zahlen|zahlte|bezahlt|bezahlen) ',
    ' (?:how much (?:money|(?:do|does|did|will|would) (?:\\S+ ){1,6}(?:cost|pay|spend|earn) |is the (?:price|cost|fee|salary|budget)))',
    `${WHICH}(?:price|cost|fee|salary|amount|budget|revenue|preis|kosten|gebuhr|gehalt|betrag|miete|prix|cout|montant|tarif|loyer|precio|coste|costo|importe|monto|salario|prezzo|preco|prijs|cena|цена|стоимость)(?:s|es|n)? `,
    ' wie hoch (?:ist|sind|war|waren|wird) (?:\\S+ ){1,3}?\\S*(?:preis|kosten|gebuhr|gehalt|lohn|miete|betrag|steuer|kaution)(?:s|es|e|en|n)? ',
    ' (?:wie viel (?:geld|kostet|kosten)|wie teuer|combien cout\\p{L}+|cuanto (?:cuestan?|cost\\p{L}+|valen?|dinero)|quanto (?:cost\\p{L}+|custa\\p{L}*)|hoeveel (?:kost|geld)|ile kosztuje|сколько стоит|сколько денег) ',
    '多少钱|什么价格|价格是|费用是',
  ),
  ...forms(
    'duration',
    ' how long (?!is the (?:river|road|wall|bridge)) ?',
    ' how (?:many|much) (?:\\S+ )?(?:seconds|minutes|hours|days|weeks|months|years|decades|time) ',
    ' (?:wie lange|wie viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)|combien de (?:temps|minutes|heures|jours|semaines|mois|ans|annees)|cuant[oa]s? (?:tiempo|minutos|horas|dias|semanas|meses|anos)|quant[oai] (?:tempo|minuti|ore|giorni|settimane|mesi|anni|minutos|horas|dias|anos)|hoe ?lang|hoeveel (?:tijd|minuten|uur|dagen|weken|maanden|jaar)|jak dlugo|ile (?:czasu|minut|godzin|dni|lat)|как долго|сколько (?:времени|минут|часов|дней|недель|месяцев|лет)) ',
    '多久|多长时间|多少(?:年|天|小时|分钟|个月)|几(?:年|天|小时|个月)',
  ),
  ...forms(
    'hour',
    ' (?:what time(?! (?:zones?|periods?|frames?|spans?|limits?) )|wie ?viel uhr|quelle heure|que horas?|che ora|hoe laat|ktorej godzinie|во сколько|до скольки|со скольки|котором часу|которого часа) ',
    '几点|何時',
  ),
  ...forms(
    'date',
    `${FIRST}(?:when|wann|quand|cuando|quando|wanneer|kiedy|когда) `,
    `${WHICH}(?:year|years|date|day|month|century|decade|decades|era|period|jahr|jahren|jahre|datum|tag|monat|jahrhundert|jahrzehnt|jahrzehnten|annee|jour|mois|siecle|ano|anos|fecha|dia|mes|siglo|decada|decadas|anno|anni|data|giorno|secolo|seculo|jaar|dag|maand|eeuw|roku|dniu|wieku|год|году|годах|годы|дата|день|месяце|веке|век|десятилет\\S+) `,
    '什么时候|何时|哪(?:一)?年|几月|几号|哪(?:一)?天|哪个世纪|什么日期|什么时间|年份',
  ),
  ...forms(
    'measure',
    ' (?:how (?:tall|high|deep|wide|thick|heavy|fast|hot|cold|loud|far)|wie (?:schwer|breit|tief|dick|schnell|heiss|laut)) ',
    `${WHICH}(?:weight|height|width|depth|temperature|speed|gewicht|hohe|breite|tiefe|temperatur|geschwindigkeit|poids|hauteur|largeur|profondeur|vitesse|peso|altura|anchura|temperatura|velocidad|вес|высота|ширина|температура|скорость) `,
    '多[高重深快宽]|重量|高度|温度',
  ),
  ...forms(
    'amount',
    `^(?!.* (?:${TIME_WORDS}) ).* how much (?:is|are|was|were|do|does|did|will|would|can|may|must|should|has|have) `,
    `^(?!.* (?:${TIME_WORDS}) ).* wie ?viel (?:ist|sind|war|waren|wird|werden|wurde|muss|kann|darf|betragt|bekomm\\p{L}+|erhalt\\p{L}*|zahl\\p{L}+) `,
    `^(?!.* (?:${TIME_WORDS}) ).* combien (?!d[eu]? |dure)`,
  ),
  ...forms(
    'identifier',
    `^ (?:what|which) (?:is|was|s) (?:\\S+ ){1,3}?(?:${NUMBERED}) (?:number|no|id|code)s? `,
    ' (?:wie (?:lautet|ist|war)|was ist|welche) (?:\\S+ ){1,2}?\\S{3,}(?:nummer|kennzeichen|kennung) ',
    ' (?:numeros?|codes?|codigo|codice|numero) (?:de (?:la |l )?|d |del? |di |da |do )(?:telephone|telefono|telefone|portable|fax|commande|facture|client|dossier|compte|contrat|serie|reference|pedido|factura|cliente|cuenta|contrato|expediente|ordine|fattura|conto|contratto|encomenda|fatura) ',
    '(?:电话|手机|订单|发票|账户|合同|客户|编)号码?',
  ),
  ...forms(
    'version',
    ' (?:what|which|welche[rsmn]?|quel(?:le)?|que|cual|quale|qual|welke|как(?:ой|ая|ую)|jak(?:a|iej)|ktorej) (?:(?!(?:is|are|was|does|do|did|has|will|can|ist|hat|est|es|e) )\\S+ )?(?:version|release|versione|versao|versie|верси[яию]|wersj[ai]) ',
    ' (?:what|which) (?:is|was) the (?:\\S+ )?version ',
    '(?:哪个|什么|哪一个|哪|几号)版本|版本是',
  ),
  ...forms(
    'number',
    ' how (?:many|much|often|big|large|old|long) ',
    `${WHICH}(?:number|population|size|length|area|distance|age|rank|ratio|rate|zahl|anzahl|grosse|lange|flache|alter|nombre|numero|poblacion|taille|cantidad|popolazione|aantal|liczba|число|количество|численность|размер|возраст) `,
    ' (?:wie ?viele?|wie oft|wie (?:gross|hoch|weit|lang|alt)|combien|cuant[oa]s?|quant[oaie]s?|hoeveel|hoe (?:vaak|ver|groot|hoog|oud)|ile|ilu|jak (?:wysok\\S+|duz\\S+|daleko)|сколько|скольк\\S+|насколько) ',
    '多少|几[个位次名种条座所场]|多[高大远重深快宽长]|数量|人口是',
  ),
  ...forms(
    'parties',
    ' (?:who (?:is|are|were) (?:the |both )?(?:contracting )?part(?:y|ies)|between whom|wer sind die (?:beiden )?(?:vertrags)?(?:parteien|partner)|zwischen wem|qui sont les (?:deux )?parties|entre qui|quienes son las (?:dos )?partes|entre quienes|chi sono le (?:due )?parti|tra chi|quem sao as partes|entre quem|wie zijn de partijen|tussen wie|кто стороны|между кем) ',
    '双方是谁|双方当事人|甲方和乙方',
  ),
  ...forms(
    'permission',
    '^ (?:may (?!\\d)|can (?:i|we|you|one|\\S+ (?:\\S+ )?be) |(?:am i|are we|is it|(?:are|is) (?:\\S+ ){0,2}\\S+) allowed )',
    '^ (?:(?:darf|durfen) |(?:kann|konnen) (?:ich|man|wir) |(?:ist|sind) (?:\\S+ ){1,4}(?:erlaubt|verboten|gestattet) $)',
    '^ (?:(?:est ce qu(?:e|on)? ?(?:je |on |nous )?)?(?:puis je|peut on|peux|peut|a t on le droit) |(?:puedo|podemos|se puede|se permite|posso|si puo|mag ik|mogen we|czy moge|czy mozna|можно ли|могу ли) )',
  ),
  ...forms(
    'person',
    `${FIRST}(?:who|whom|whose|wer|wem|wen|wessen|qui|quien|quienes|a quien|chi|di chi|quem|de quem|wie is|wie was|wie heeft|kto|kogo|komu|czyj\\S*|кто|кого|кому|кем|чей|чья|чье) `,
    `${WHICH}(?:person|president|king|queen|author|writer|scientist|player|director|actor|general|leader|prasident|konig|konigin|autor|spieler|wissenschaftler|auteur|roi|reine|joueur|rey|reina|jugador|autore|presidente|re|rei|speler|koning|prezydent|krol|президент|король|автор|игрок|ученый|человек) `,
    ` (?:what|which) (?:\\S+ ){0,3}s name `,
    '谁|哪位|何人|什么人|名字是|叫什么名',
  ),
  ...forms(
    'place',
    ' (?:where|wo|woher|wohin|ou|d ou|donde|adonde|dove|onde|aonde|waar|waarheen|gdzie|skad|dokad|где|куда|откуда) ',
    `${WHICH}(?:city|cities|country|countries|state|states|town|place|region|river|continent|island|location|area|street|county|stadt|stadten|land|landern|ort|fluss|kontinent|insel|bundesland|ville|pays|lieu|fleuve|ile|ciudad|pais|paises|lugar|rio|isla|citta|paese|luogo|fiume|isola|cidade|stad|gebied|plaats|miescie|miasto|kraju|kraj|город|городе|страна|стране|странах|регион|регионе|река|остров|место|месте|штате) `,
    '哪里|哪儿|何处|在哪|什么地方|哪个(?:城市|国家|地方|省|州|地区)|哪些(?:城市|国家|地区)|哪国',
  ),
  ...forms(
    'organization',
    `${WHICH}(?:company|companies|organi[sz]ation|university|team|agency|party|group|school|college|band|institution|firma|unternehmen|organisation|universitat|mannschaft|partei|gruppe|schule|behorde|entreprise|societe|universite|equipe|parti|ecole|empresa|compania|organizacion|universidad|equipo|partido|grupo|azienda|societa|organizzazione|squadra|organizacao|bedrijf|organisatie|universiteit|organizacja|druzyna|компания|компании|организация|университет|команда|партия|группа|школа) `,
    '哪个(?:公司|组织|机构|大学|球队|团体|学校|政党)|哪家|什么(?:公司|组织|机构|大学)',
  ),
  ...forms(
    'reason',
    ' (?:why|how come|warum|weshalb|wieso|weswegen|pourquoi|por que|perche|waarom|dlaczego|czemu|почему|зачем|отчего) ',
    `${WHICH}(?:reason|cause|purpose|grund|ursache|zweck|raison|but|razon|motivo|causa|reden|oorzaak|powod|przyczyna|причина|цель) `,
    '为什么|为何|原因|怎么会|目的是',
  ),
]

/** The kind, and whether the question word alone says so. */
type AskedKind = { kind: AnswerKind; isPlain: boolean }

/** In these languages names and trades are told by their looks; in others people have words of too many endings. */
const WHO = / (?:who|whom|whose|wer|wem|wen|wessen) /

/**
 * What kind of answer a question expects, by its question words in English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Polish, Russian and Chinese; `other` where nothing says so.
 */
export function readAnswerKind(question: string): AskedKind {
  const words = normalizeForMatch(question)
  const { kind, isPlain } = QUESTION_FORMS.find(({ form }) => form.test(words)) ?? { kind: 'other', isPlain: false }
  return { kind, isPlain: isPlain && (kind !== 'person' || WHO.test(words)) }
}

/** "Is there …?", "Hat sie einen …?": whether something is there or not, over words in lower case without accents, one space around each. */
const ASKS_WHETHER =
  /^ (?:(?:is|are|was|were) there|(?:do|does|did) \S+(?: \S+){0,4} (?:have|include|contain|offer|support|come with)|(?:has|have) .* got|gibt es|hat|haben|besitzt|enthalt|bietet|(?:est ce qu )?(?:il )?y a t il|il y a|a t (?:il|elle)|hay|tiene|incluye|tem|ha|existe|c e|ci sono|heeft|is er|zijn er|есть ли|имеет ли|czy jest|czy sa) /u

/** True for a question after whether something is there, which nothing answers that does not speak of it. */
export function asksWhether(question: string): boolean {
  return ASKS_WHETHER.test(normalizeForMatch(question))
}
