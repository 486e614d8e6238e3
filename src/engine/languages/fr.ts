import type { Language } from './language.ts'

/** French. */
export const FRENCH: Language = {
  code: 'fr',
  stemmer: 'french',
  stopWords: 'fra',
  askingWords: 'qui quoi quand où comment pourquoi combien quel quelle quels quelles lequel laquelle lesquels',
  questionWords: 'qui que quoi quel quelle quels quelles ou quand pourquoi comment combien est ce',
  auxiliaries: 'peut peuvent peux puis pouvait pouvoir doit doivent dois devoir faut fait font faire',
  pronouns: 'Il Ils Elle Elles Cet Cette Ce Ces Sa Son Ses Leur Leurs',
  abbreviations: 'mme mlle av env p.ex c.-à-d n° éd réf',
  months: [
    'janvier janv',
    'février févr',
    'mars',
    'avril avr',
    'mai',
    'juin',
    'juillet juil',
    'août',
    'septembre sept',
    'octobre oct',
    'novembre nov',
    'décembre dec',
  ],
  irregularForms: `
    apprendre appris apprise apprises apprit apprirent apprend apprennent, comprendre comprit comprirent, prendre
    pris prise prises prit prirent, mettre mis mise mises mit mirent, permettre permit permirent, promettre promit,
    boire burent boivent, connaître connu connue connues connus connut, courir couru courue courues courus courut
    coururent, découvrir découvert découverte découvertes découverts, devenir devenu devenue devenues devenus devint
    devinrent, dire dit dite dites dits disent, écrire écrit écrite écrites écrits écrivit écrivent, faire fait
    faite faites faits firent font, lire lut lisent, mourir mort morte mortes morts mourut moururent meurt, naître
    naquit naquirent, offrir offert offerte offertes offerts, ouvrir ouvert ouverte ouvertes ouverts, obtenir obtenu
    obtenue obtenues obtenus obtint obtinrent obtient, perdre perdu perdue perdues perdus, recevoir reçut reçurent
    reçoit reçoivent, rendre rendu rendue rendues rendus, savoir sut surent sait savent, souffrir souffert soufferte
    souffertes soufferts, tenir tenu tenue tenues tenus tint tinrent tient, venir venu venue venues venus vint
    vinrent vient viennent, vivre vécu vécue vécues vécus vécut vécurent vivent, voir virent voit voient, vouloir
    voulu voulue voulues voulus voulut veut veulent, construire construit construite construites construits,
    détruire détruit détruite détruites détruits, œil yeux
  `,
}
