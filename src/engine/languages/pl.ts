import type { Language } from './language.ts'

/** Polish. */
export const POLISH: Language = {
  code: 'pl',
  endings: { letters: 'aeiouymchwgj' },
  stopWords: 'pol',
  askingWords: `
    kto co kiedy gdzie dokąd skąd jak jaki jaka jakie jakim jakiej dlaczego ile który która które którym której kogo
    komu
  `,
  questionWords: 'kto co gdzie kiedy dlaczego jak ile ktory ktora ktore jaki jaka jakie',
  abbreviations: 'np itd itp tj tzw m.in godz wg prof.dr',
  months: [
    'stycznia styczeń',
    'lutego luty',
    'marca marzec',
    'kwietnia kwiecień',
    'maja maj',
    'czerwca czerwiec',
    'lipca lipiec',
    'sierpnia sierpień',
    'września wrzesień',
    'października październik',
    'listopada listopad',
    'grudnia grudzień',
  ],
}
