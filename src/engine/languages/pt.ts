import type { Language } from './language.ts'

/** Portuguese. */
export const PORTUGUESE: Language = {
  code: 'pt',
  stemmer: 'portuguese',
  stopWords: 'por',
  askingWords: 'quem que quê quando onde como porquê quanto quanta quantos quantas qual quais',
  questionWords: 'quem onde qual quais quantos quantas',
  auxiliaries: 'é são está estão há posso podemos devo devemos',
  abbreviations: 'dra exmo exma',
  months: [
    'janeiro jan',
    'fevereiro fev',
    'março mar',
    'abril abr',
    'maio',
    'junho jun',
    'julho jul',
    'agosto ago',
    'setembro set',
    'outubro out',
    'novembro nov',
    'dezembro dez',
  ],
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
}
