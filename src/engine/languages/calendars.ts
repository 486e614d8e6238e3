import type { Calendar } from './language.ts'
import { OTHER_CALENDARS } from './other-calendars.ts'

/** Calendar words by language (ISO 639-1). */
export const CALENDARS: Readonly<Record<string, Calendar>> = {
  en: {
    monthNames: `
      january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sep sept, october
      oct, november nov, december dec
    `,
    quarters: 'quarter',
    halves: 'half half-year',
    weeks: 'week',
    ordinals: 'first, second, third, fourth',
  },
  de: {
    monthNames: `
      januar jänner jan, februar feber feb, märz maerz mrz, april apr, mai, juni jun, juli jul, august aug, september
      sept sep, oktober okt, november nov, dezember dez
    `,
    quarters: 'quartal vierteljahr',
    halves: 'halbjahr',
    weeks: 'woche kalenderwoche kw',
    ordinals: 'erste, zweite, dritte, vierte',
  },
  fr: {
    monthNames: `
      janvier janv, février févr, mars, avril avr, mai, juin, juillet juil, août aout, septembre sept, octobre oct,
      novembre nov, décembre déc
    `,
    quarters: 'trimestre',
    halves: 'semestre',
    weeks: 'semaine',
    ordinals: 'premier première, deuxième second seconde, troisième, quatrième',
    quarterLetters: 't',
  },
  es: {
    monthNames: `
      enero ene, febrero feb, marzo mar, abril abr, mayo, junio jun, julio jul, agosto ago, septiembre setiembre sept,
      octubre oct, noviembre nov, diciembre dic
    `,
    quarters: 'trimestre',
    halves: 'semestre',
    weeks: 'semana',
    ordinals: 'primer primero, segundo, tercer tercero, cuarto',
    quarterLetters: 't',
  },
  it: {
    monthNames: `
      gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre set,
      ottobre ott, novembre nov, dicembre dic
    `,
    quarters: 'trimestre',
    halves: 'semestre',
    weeks: 'settimana',
    ordinals: 'primo, secondo, terzo, quarto',
    quarterLetters: 't',
  },
  pt: {
    monthNames: `
      janeiro jan, fevereiro fev, março mar, abril abr, maio, junho jun, julho jul, agosto ago, setembro set, outubro
      out, novembro nov, dezembro dez
    `,
    quarters: 'trimestre',
    halves: 'semestre',
    weeks: 'semana',
    ordinals: 'primeiro, segundo, terceiro, quarto',
    quarterLetters: 't',
  },
  nl: {
    monthNames: `
      januari jan, februari feb, maart mrt, april apr, mei, juni jun, juli jul, augustus aug, september sep, oktober
      okt, november nov, december dec
    `,
    quarters: 'kwartaal',
    halves: 'halfjaar helft',
    weeks: 'week',
    ordinals: 'eerste, tweede, derde, vierde',
    quarterLetters: 'k',
  },
  pl: {
    monthNames: `
      stycznia styczeń styczniu, lutego luty lutym, marca marzec marcu, kwietnia kwiecień kwietniu, maja maj maju,
      czerwca czerwiec czerwcu, lipca lipiec lipcu, sierpnia sierpień sierpniu, września wrzesień wrześniu, października
      październik październiku, listopada listopad listopadzie, grudnia grudzień grudniu
    `,
    quarters: 'kwartał kwartal',
    halves: 'półrocz',
    weeks: 'tydzień tygodni',
    ordinals:
      'pierwszy pierwszym pierwszego, drugi drugim drugiego, trzeci trzecim trzeciego, czwarty czwartym czwartego',
  },
  ru: {
    monthNames: `
      января январь январе янв, февраля февраль феврале фев, марта март марте, апреля апрель апреле апр, мая май мае,
      июня июнь июне, июля июль июле, августа август августе авг, сентября сентябрь сентябре сен, октября октябрь
      октябре окт, ноября ноябрь ноябре ноя, декабря декабрь декабре дек
    `,
    quarters: 'квартал',
    halves: 'полугоди',
    weeks: 'недел',
    ordinals: `
      первый первом первого первое, второй втором второго второе, третий третьем третьего, четвёртый четвёртом
      четвёртого
    `,
  },
  zh: { quarters: '季度 季', weeks: '周 週' },
  ja: { quarters: '四半期', weeks: '週' },
  ko: { quarters: '분기', halves: '반기', weeks: '주차 주' },
  ...OTHER_CALENDARS,
}
