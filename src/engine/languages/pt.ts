import type { Language } from './language.ts'

/** Portuguese. */
export const PORTUGUESE: Language = {
  code: 'pt',
  stemmer: 'portuguese',
  genericWords: `
    chegar chega chegam receber recebe recebo hora horas data datas dia dias semana semanas mês meses ano anos
    minuto minutos período momento tempo idade número quantidade valor montante soma preço preços tarifa custo nome
    tamanho palavra tipo espécie modo maneira forma coisa coisas gente pessoa pessoas longe longo alto grande
    pequeno fundo largo pesado rápido cedo velho muito tarde adicional máximo mínimo total passa acontece significa
    usar preciso precisa ter tem dar tomar fazer faz pôr ir vir dizer saber ver encontrar guardar começar começa
    acabar durar dura custar custa pagar paga pode podem posso deve devem devo exatamente atualmente
  `,
  beforeNouns: `
    o a os as um uma uns umas do da dos das de no na nos nas em ao à aos às com sem por pelo pela para sobre entre
    desde até meu minha seu sua nosso nossa este esta esse essa quanto quanta quantos quantas cada
    todo toda nenhum nenhuma durante
  `,
  stopWords: 'por',
  askingWords: 'quem que quê quando onde como porquê quanto quanta quantos quantas qual quais',
  questionWords: 'quem onde qual quais quantos quantas',
  auxiliaries: 'é são era eram foi foram será serão está estão há posso podemos devo devemos',
  abbreviations: 'dra exmo exma',
  irregularForms: `
    abrir aberto aberta abertos abertas, cobrir coberto coberta cobertos cobertas, descobrir descoberto descoberta
    descobertos descobertas, dizer disse disseram disser dito dita ditos ditas diz dizem, escrever escrito escrita
    escritos escritas, fazer fez fizeram fiz fizesse feito feita feitos feitas faz fazem faço, pagar pago paguei,
    perder perco, pôr pôs puseram põe põem, querer quis quiseram quer querem, saber soube souberam sabe sabem,
    trazer trouxe trouxeram traz trazem, ver viu viram, vir veio vieram vindo, obter obteve obtiveram obtido, manter
    manteve mantiveram mantém, conter contém, produzir produz produzem, dormir durmo, chegar cheguei, ficar fiquei,
    começar comecei comece, animal animais, hospital hospitais, jornal jornais, social sociais, nacional nacionais,
    local locais, papel papéis, hotel hotéis, nível níveis
  `,
  questions: {
    which: '(que|qual|quais)',
    nouns: {
      percentage: 'porcentagem*',
      money: 'preço[s]',
      date: 'ano[s] data dia mês século',
      person: 'rei autor presidente',
      place: 'cidade país',
      organization: 'organização empresa grupo',
      reason: 'motivo',
    },
    values: {
      percentage: 'percentagem porcentagem desconto',
      money: 'preço custo valor montante tarifa renda aluguel caução salário quota multa taxa mensalidade franquia',
      date: 'data prazo',
      measure: 'peso altura largura profundidade temperatura velocidade diâmetro',
      identifier: 'número_de_(telefone|encomenda|conta|cliente|fatura) telefone fax iban código_postal',
      email: 'email e_mail endereço_de_(email|e_mail)',
      number: 'número área comprimento capacidade idade',
      duration: 'duração',
    },
    first: { date: 'quando', person: 'quem' },
    interrogatives: 'que quem qual quais onde quant(o|a) como',
    phrases: {
      money: `
        quanto (aluguel|salário)
        quanto custa*
      `,
      duration: 'quant(o|a) (tempo|minutos|horas|dias|anos)',
      hour: 'que hora[s]',
      identifier: '(número[s]|código) (de|da|do) (telefone|encomenda|fatura|cliente)',
      version: '(que|qual) [!(é) <1-1> ]versão',
      number: 'quant(o|a|e)[s]',
      parties: `
        quem são as partes
        entre quem
      `,
      permission: '^ (posso|podemos)',
      place: `
        onde
        aonde
      `,
      reason: 'por que',
    },
    whether: `
      tem
      há
      existe
    `,
    whatIs: '(o que|quem) (é|são|era)',
    requests: `
      (diga-me|diga-nos|me diga|nos diga|poderia me dizer)
      (gostaria|gostaríamos|queria|queríamos) de saber
      quero saber
    `,
    unmarked: `
      (quem|o que|quando|onde|como|quanto|qual|por que) (é|são|está|estão|era|foi|há|tem|têm|pode|posso|deve|custa|fica)
      alguém sabe
    `,
    labels: 'Pergunta',
    unknown: `
      (não|nao) [o] (sei|sabemos|lembro|me lembro)
      não faço ideia
      (sem|nem) ideia
      não tenho [a menor] (ideia|certeza)
      boa pergunta
    `,
    conditions: 'se quando enquanto',
    situations: 'enquanto durante',
    how: `
      quais [são os] passos
      como (posso|podemos|devo|faço|fazer|*(ar|er|ir))
    `,
    howMany: 'quant(o|a)s',
    howOften: '(quantas vezes|cada quanto)',
    temperatures: `
      (que|qual) [e ][a ]temperatura[s]
      quantos graus
    `,
    addresses: 'endereço de (email|e mail)',
    fillers: `
      {(até|a) que hora[s]}
      {(significa|significam)}
      que {quer[em] dizer}
      quanto {tempo}
    `,
  },
  answers: {
    open: 'fecha[m] abert(o|a|os|as) abre[m] abertura horário[s]',
    closed: 'fechad(o|a|os|as) encerrad(o|a|os|as)',
    versions: 'versão edição revisão revist(o|a) atualizad(o|a)',
    beforeYears: 'em desde ano primavera verão outono inverno',
    monthPatterns: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    weekdays: '(segunda|terça|quarta|quinta|sexta)[s]-feira[s] sábado[s] domingo[s]',
    centuries: 'século[s]',
    numbers: `
      dois duas três quatro cinco seis sete oito nove dez onze doze treze (c|qu)atorze quinze dez(e|a)sseis
      dez(e|a)ssete
      dezoito dez(e|a)nove vinte trinta quarenta cinquenta (sess|set|oit|nov)enta cem mil milhões metade
    `,
    timeUnits: 'segundo[s] minuto[s] hora[s] dia[s] semana[s] ano[s]',
    hours: 'uma duas três quatro cinco seis sete oito nove dez onze doze',
    clock: 'à[s] (<hour>|<figures>)',
    afterHour: 'em até de',
    until: 'até',
    lasting: '(por|durante)_(um|uma)',
    percent: 'por_cento',
    between: 'entre',
    and: 'e',
    permission: '(S|s)im (N|n)ão pode podem proibid(o|a)[s]',
    reasons: 'porque devido pois',
    causes: 'por para pois devido como após ainda falta visto',
    times: `
      meio-dia meia-noite manhã noite hoje ontem amanhã diári* mensal* depois após até quando verão outono inverno Natal
      Páscoa dia[s] mês meses ano[s] fim início
    `,
    degrees: 'grau[s]',
    frequencies: 'vezes vez cada por',
    amounts: 'nenhum* vári(o|a)s muit(o|a)s tod(o|a)s',
    prices: 'incluso grátis',
    people: 'ele ela ninguém',
    peopleEndings: 'dor dora ista ante ente',
    nameParticles: 'do da dos de',
    procedures: 'Preparo Modo_de_preparo',
    steps: 'Passo',
    clauses: 'Artigo Cláusula',
  },
  negation: { words: 'não sem proibid* salvo nunca', harmless: 'no' },
  definitions: {
    articles: 'o[s] a[s] um[a]',
    copulas: 'é são era',
    verbs: 'significa',
  },
  statements: {
    negations: 'não nunca',
    negatedArticles: 'nenhum[a]',
    without: 'sem',
    conditions: 'salvo sem só somente apenas caso exceto mediante',
  },
  measureWords: 'long: comprimento duração dura duram, depart: partida partidas saída, arrive: chegada chegadas chega',
  synonyms: {
    number: 'número n_º',
    reference: 'referência',
    email: 'correio_eletrónico',
    phone: 'telefone telemóvel celular',
    address: 'endereço morada',
    deputy: 'adjunto adjunta suplente',
    customer: 'comprador',
    supplier: 'fornecedor vendedor',
    recipient: 'destinatário',
    sender: 'remetente',
    invoice: 'fatura',
    issue: 'emissão data_de_emissão',
    due: 'vencimento data_de_vencimento',
    total: 'total_a_pagar valor_total',
    amount: 'montante',
    rate: 'taxa',
    discount: 'desconto',
    shipping: 'envio',
    deposit: 'caução',
    prepayment: 'adiantamento sinal',
    price: 'preço',
    cost: 'custo custos',
    salary: 'salário',
    rent: 'aluguel renda_mensal arrendamento',
    start: 'início',
    end: 'fim término',
    duration: 'duração prazo',
    paid: 'pago',
    payment: 'pagamento',
    notice: 'aviso_prévio',
    birth: 'nascimento data_de_nascimento',
    sign: 'assinado assinatura',
    employee: 'empregado funcionário trabalhador',
    employer: 'empregador',
    tenant: 'inquilino locatário',
    landlord: 'senhorio locador',
    quantity: 'quantidade',
    maximum: 'máximo máxima',
    minimum: 'mínimo mínima',
    order: 'encomenda',
    quote: 'orçamento cotação',
    insurance: 'apólice_de_seguro',
    policy: 'apólice',
    warranty: 'garantia',
    month: 'mês meses mensal',
    year: 'ano anos anual',
    day_count: 'dia dias',
    week: 'semana semanas',
    hour: 'hora horas',
    permit: 'permitido permitida permitidos',
    prohibit: 'proibido proibida proibidos',
  },
  ownSynonyms: {
    date: 'data',
    name: 'nome',
    tax: 'iva imposto',
    amount: 'valor',
    number: 'nº',
  },
}
