import type { Language } from './language.ts'

/** Italian. */
export const ITALIAN: Language = {
  code: 'it',
  stemmer: 'italian',
  stopWords: 'ita',
  askingWords: 'chi che cosa quando dove come perché quanto quanta quanti quante quale quali',
  questionWords: 'chi che cosa dove quando perche come quanto quanta quanti quante quale quali',
  auxiliaries: 'può possono posso poteva potere deve devono devo dovere bisogna',
  abbreviations: 'sig sigg dott dott.ssa ing avv ecc',
  months: [
    'gennaio gen',
    'febbraio feb',
    'marzo mar',
    'aprile apr',
    'maggio mag',
    'giugno giu',
    'luglio lug',
    'agosto ago',
    'settembre set',
    'ottobre ott',
    'novembre nov',
    'dicembre dic',
  ],
  irregularForms: `
    aprire aperto aperta aperti aperte, bere bevve bevuto bevuta bevuti bevute beve bevono, chiedere chiese chiesero
    chiesto chiesta chiesti chieste, chiudere chiuso chiusa chiusi chiuse chiusero, conoscere conobbe conosciuto
    conosciuta conosciuti conosciute, decidere deciso decisa decisi decise decisero, dire disse dissero detto detta
    detti dette dice dicono, dividere diviso divisa divisi divise, fare fece fecero fatto fatta fatti fatte faceva
    facevano fanno, leggere lesse lessero, mettere mise misero, morire morì morirono muore muoiono, muovere mosso
    mossa mossi mosse mossero, nascere nacque nacquero, offrire offerto offerta offerti offerte, perdere perso persa
    persi perse persero, piacere piacque, prendere preso presa presi prese presero, ridere rise risero, rimanere
    rimase rimasero rimasto rimasta rimasti rimaste rimane, rispondere rispose risposero, rompere ruppe ruppero
    rotto rotta rotti rotte, sapere seppe seppero, scegliere scelse scelsero scelto scelta scelti scelte, scendere
    sceso scesa scesi scese scesero, scrivere scrisse scrissero scritto scritta scritti scritte, spendere speso
    spesa spesi spese, spegnere spento spenta spenti spente, tenere tenne tennero tiene tengono, uccidere ucciso
    uccisa uccisi uccise uccisero, uscire esce escono, vedere vide videro visto vista visti viste, venire venne
    vennero venuto venuta venuti venute viene, vincere vinse vinsero vinto vinta vinti vinte, vivere visse vissero
    vissuto vissuta vissuti vissute vive vivono, produrre produsse producono, tradurre tradotto tradotta tradotti
    tradotte tradusse, uomo uomini, uovo uova
  `,
}
