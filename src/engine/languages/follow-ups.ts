/**
 * Words that show whether a question names its subject, in one language. Words are separated
 * by white space, in lower case with accents. Phrases are one a line.
 */
export type FollowUpWords = {
  /** Words that continue a conversation: "and". */
  conjunctions: string
  /** Phrases before a new subject of the former question: "what about". */
  continuations?: string
  interrogatives: string
  /** Interrogatives before an adjective: "how". */
  degrees?: string
  prepositions: string
  /** Articles and other words before a noun. */
  determiners: string
  /** Auxiliaries and verbs of any subject: "is", "cost". */
  verbs: string
  /** Pronouns of a thing or person that is named elsewhere. */
  pronouns: string
  /** Pronouns that may also refer to what is asked for: "which school has its own pool". */
  possessives?: string
  /** Pronouns if no noun follows: "that" in "what does that cost". */
  demonstratives: string
  /** Words after which the subject of an impersonal pronoun follows: "how long does it take to". */
  clauses?: string
  /** Phrases with an impersonal pronoun: "gibt es". */
  impersonal?: string
  /** True if every yes/no question begins with one of `verbs`. */
  hasVerbFirst?: true
  /** Auxiliaries that put the verb at the end: "does the pool open". */
  auxiliaries?: string
  /** For a language that omits the subject: adverbial interrogatives, as phrases. */
  adverbs?: string
  /** Words: endings of verbs whose subject may be omitted. */
  verbEndings?: string
}

/** By language (ISO 639-1). */
export const FOLLOW_UPS: Readonly<Record<string, FollowUpWords>> = {
  en: {
    conjunctions: 'and but or so also then ok okay',
    continuations: `
      what about
      how about
    `,
    interrogatives: 'what who whom whose which where when why how',
    degrees: 'how',
    prepositions: 'for in on at with without to from by of about after before during under over until till per as than',
    determiners: 'the a an my our your this that these those each every any all some no both another',
    verbs: `
      is are was were be been am do does did done have has had can could may might must shall should will would cost
      costs need needs happen happens
    `,
    pronouns: 'it they them he him she theirs hers',
    possessives: 'its their his her',
    demonstratives: 'this that these those',
    clauses: 'to that whether',
    hasVerbFirst: true,
    auxiliaries: 'do does did can could may might must shall should will would',
  },
  de: {
    conjunctions: 'und aber oder also dann auch',
    continuations: `
      was ist mit
      wie ist es mit
      wie sieht es mit
      wie steht es mit
      wie wäre es mit
    `,
    interrogatives: `
      wer wem wen wessen was wo wohin woher wann warum weshalb wieso wie wieviel wieviele welche welcher welches welchem
      welchen womit wofür woran wodurch worin wovon
    `,
    degrees: 'wie',
    prepositions: `
      für in im ins an am auf aus bei beim mit ohne nach nachts vor von vom zu zum zur über unter während bis ab seit
      pro je durch gegen um als
    `,
    determiners: `
      der die das den dem des ein eine einen einem einer eines kein keine mein meine dein deine unser unsere jede jeder
      jedes jeden alle dieser diese dieses diesen diesem
    `,
    verbs: `
      ist sind war waren sein wird werden wurde wurden hat haben hatte kann können darf dürfen muss müssen soll sollen
      kostet kosten gilt gelten dauert dauern gibt
    `,
    pronouns: 'er es sie ihn ihm ihnen dafür davon damit dazu darin',
    possessives: 'ihre ihren ihrem ihrer seine seinen seinem seiner',
    demonstratives: 'das dies diese dieser dieses',
    clauses: 'zu dass daß ob um wenn weil',
    impersonal: `
      gibt es
      gab es
      es gibt
      geht es
      ging es
      handelt es
    `,
  },
  fr: {
    conjunctions: 'et mais ou alors donc aussi',
    continuations: `
      qu en est il de
      qu en est il du
      qu en est il des
      qu en est il pour
    `,
    interrogatives: 'qui que quoi qu quel quelle quels quelles où quand comment pourquoi combien lequel laquelle',
    prepositions:
      'pour dans en à au aux avec sans de du des sur sous par chez avant après pendant jusqu dès depuis vers',
    determiners: 'le la les l un une des mon ma mes notre nos votre vos ce cet cette ces chaque tous toutes tout',
    verbs: `
      est sont était étaient sera seront a ont avait peut peuvent doit doivent faut fait coûte coûtent coute coutent
      dure durent t
    `,
    pronouns: 'il elle ils elles lui ça cela celui celle ceux celles',
    possessives: 'leur leurs',
    demonstratives: '',
    clauses: 'de d que qu si',
    impersonal: `
      il y a
      y a t il
      faut il
      il faut
      agit il
    `,
  },
  es: {
    conjunctions: 'y e pero o entonces también',
    continuations: `
      qué hay de
      qué tal
    `,
    interrogatives: 'qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde adónde cómo',
    prepositions: 'para en a al con sin de del por sobre desde hasta antes después durante entre según',
    determiners: 'el la los las un una unos unas mi mis su sus nuestro nuestra este esta estos estas cada todos todas',
    verbs: `
      es son era eran está están será serán hay tiene tienen puede pueden debe deben cuesta cuestan vale valen dura
      duran
    `,
    pronouns: 'él ella ellos ellas ello',
    demonstratives: 'eso esto aquello',
    clauses: 'que',
    adverbs: `
      cuánto
      cuánto tiempo
      cuándo
      dónde
      cómo
      a qué hora
      desde cuándo
      hasta cuándo
      cada cuánto
    `,
    verbEndings: 'a e an en á án',
  },
  it: {
    conjunctions: 'e ed ma o oppure allora anche',
    continuations: `
      che ne è di
      che dire di
    `,
    interrogatives: 'chi che cosa quando dove come perché quanto quanta quanti quante quale quali cos dov',
    prepositions: `
      per in nel nella nei nelle nello a al alla ai alle allo con senza di del della dei delle da dal dalla dai dalle su
      sul sulla sui tra fra prima dopo durante fino
    `,
    determiners: 'il lo la i gli le l un uno una mio mia nostro nostra ogni questo questa questi queste tutti tutte',
    verbs: `
      è sono era erano sarà ha hanno può possono deve devono costa costano dura durano c
    `,
    pronouns: 'esso essa essi esse lui loro ciò',
    demonstratives: 'questo quello questa quella',
    clauses: 'che di',
    adverbs: `
      quanto
      quando
      dove
      come
      quanto tempo
      a che ora
      da quando
      fino a quando
      ogni quanto
    `,
    verbEndings: 'a e ano ono',
  },
  pt: {
    conjunctions: 'e mas ou então também',
    continuations: `
      e quanto a
      e quanto ao
      e quanto à
      que tal
    `,
    interrogatives: 'quem que quê quando onde aonde como porquê quanto quanta quantos quantas qual quais',
    prepositions: `
      para em no na nos nas a ao à aos às com sem de do da dos das por pelo pela sobre desde até antes depois durante
      entre
    `,
    determiners: 'o a os as um uma uns umas meu minha nosso nossa este esta esse essa cada todos todas',
    verbs: `
      é são era eram está estão será serão há tem têm pode podem deve devem custa custam dura duram
    `,
    pronouns: 'ele ela eles elas dele dela deles delas nele nela',
    demonstratives: 'isso isto aquilo',
    clauses: 'que',
    adverbs: `
      quanto
      quanto tempo
      quando
      onde
      como
      a que horas
      desde quando
      até quando
    `,
    verbEndings: 'a e am em',
  },
  nl: {
    conjunctions: 'en maar of dus dan ook',
    continuations: `
      hoe zit het met
      wat met
    `,
    interrogatives: 'wie wat wanneer waar hoe waarom welk welke hoeveel waarmee waarvan',
    degrees: 'hoe',
    prepositions: 'voor in op aan met zonder naar van uit bij na door over onder tot om per sinds vanaf tijdens als',
    determiners: 'de een het mijn ons onze uw jouw elk elke alle geen deze die dit dat',
    verbs: `
      is zijn was waren wordt worden werd heeft hebben had kan kunnen mag mogen moet moeten zal kost kosten duurt duren
      geldt
    `,
    pronouns: 'hij ze hem ervan ervoor daarvoor',
    possessives: 'haar hun',
    demonstratives: 'het dat dit deze die',
    clauses: 'te om dat of als',
  },
  pl: {
    conjunctions: 'a i ale lub albo czy więc też',
    continuations: `
      a co z
      co z
    `,
    interrogatives: 'kto co kiedy gdzie dokąd skąd jak jaki jaka jakie dlaczego ile który która które kogo komu',
    prepositions: 'dla w we na z ze do od po przez przy bez nad pod przed za o u między podczas',
    determiners: 'ten ta te mój moja nasz nasza każdy każda wszystkie',
    verbs: `
      jest są był była było były będzie ma mają może mogą musi muszą można trzeba kosztuje kosztują trwa trwają
    `,
    pronouns: 'on ona ono oni one go nim nią nimi',
    possessives: 'jego jej ich',
    demonstratives: 'to',
    clauses: 'żeby że by',
    adverbs: `
      ile
      kiedy
      gdzie
      jak
      jak długo
      o której
      od kiedy
      do kiedy
    `,
    verbEndings: 'je ją a ają e i y ą',
  },
  ru: {
    conjunctions: 'а и но или тогда также',
    continuations: `
      как насчет
      как насчёт
      что насчет
      что насчёт
    `,
    interrogatives: `
      кто что кого кому кем чем где куда откуда когда почему зачем как сколько какой какая какое какие каком какую
      который которая которое чей чья
    `,
    prepositions: 'для в во на с со до от из по при без над под перед за о об у между через после ко к',
    determiners: 'этот эта эти тот та те мой моя наш наша каждый каждая все весь вся',
    verbs: `
      есть был была было были будет будут может могут можно нужно надо должен должна должно должны стоит стоят нельзя
    `,
    pronouns: 'он она оно они ему ей им нём нем ней них ним ними',
    possessives: 'его её ее их',
    demonstratives: 'это этого этому этим',
    clauses: 'чтобы что ли',
    adverbs: `
      сколько
      когда
      где
      как
      как долго
      во сколько
      с какого числа
      до какого числа
    `,
    verbEndings: 'ит ет ёт ят ют ут ат ится ется ются утся',
  },
}

/** Words of a language without spaces between words, or with endings in their place. */
export type UnspacedFollowUps = {
  /** At the start of the question, before the rest. */
  conjunctions: string
  /** At the start: pronouns for a thing that is named elsewhere. */
  pronouns: string
  /** At the start, before `fillers`: 这个 in 这个多少钱. */
  demonstratives?: string
  /** At the end of a new subject of the former question: 呢. */
  topics: string
  /** Interrogatives and words of grammar. A question of nothing else has no subject. */
  fillers: string
  interrogatives: string
}

/** By language (ISO 639-1). */
export const UNSPACED_FOLLOW_UPS: Readonly<Record<string, UnspacedFollowUps>> = {
  zh: {
    conjunctions: '那么 那 还有 而 可是 但是',
    pronouns: '它们 它 他们 他 她们 她',
    demonstratives: '这个 那个 这些 那些 这 那',
    topics: '呢',
    interrogatives: '什么 多少 多久 几 哪 谁 怎么 为什么 吗 多长 多大 多高 何',
    fillers: `
      什么时候 为什么 什么 多少钱 多少 多久 多长时间 多长 多大 多高 哪里 哪儿 哪个 哪 谁 怎么样 怎么 几点 几天 几 要 是 的 吗 呢 了
      有 在 需要 可以 能
    `,
  },
  ja: {
    conjunctions: 'では じゃあ それでは そして でも しかし',
    pronouns: 'それら それ これら これ あれ 彼女 彼ら 彼',
    topics: 'についてはどうですか の場合はどうですか はどうですか はどうなりますか の場合は については は',
    interrogatives: '何 いつ いくら いくつ どこ だれ 誰 なぜ どの どう どれ どちら',
    fillers: `
      どのくらい どれくらい いつまで いつから いつ いくら いくつ どこ だれ 誰 なぜ どうして どう 何時 何日 何人 何 です でしょう ます か
      まで から に で は が を の
    `,
  },
  ko: {
    conjunctions: '그럼 그러면 그리고 하지만 그런데',
    pronouns: '그것은 그것 그건 그거 이것은 이것 이건 이거 그들은',
    topics: '은요 는요 은 는',
    interrogatives: '무엇 뭐 언제 얼마 몇 어디 누구 누가 왜 어떻게 어느 어떤',
    fillers:
      '얼마예요 얼마입니까 얼마나 얼마 언제까지 언제부터 언제 어디서 어디 누가 누구 왜 무엇 뭐 몇 시 인가요 입니까 예요 까지 부터 요',
  },
}
