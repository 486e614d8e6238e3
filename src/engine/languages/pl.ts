import type { Language } from './language.ts'

/** Polish. */
export const POLISH: Language = {
  code: 'pl',
  genericWords: `
    czas godzina godziny godzin godzinach godzinę data daty dzień dni tydzień tygodnie miesiąc miesiące rok lata lat
    minuta minut okres moment wiek numer liczba ilość wartość kwota suma cena ceny opłata koszt nazwa imię rozmiar
    słowo rodzaj typ sposób rzecz rzeczy ludzie osoba daleko długo długi wysoko wysoki duży mały głęboki szeroki
    ciężki szybko często stary dużo wcześnie późno dodatkowy maksymalnie minimalnie razem dzieje stanie oznacza
    używać potrzebny potrzeba mieć ma dać brać robić iść przyjść wejść mówić wiedzieć widzieć znaleźć trzymać zacząć
    zaczyna kończyć trwa kosztuje kosztować płacić zapłacić można może mogą musi trzeba działa czasie jaki jaka
    jakie jakim jakich jakiej jakiego którego której których ile ilu dokładnie obecnie
  `,
  beforeNouns: `
    w we na do z ze od dla przez po pod nad przed przy o bez u za między podczas mój moja nasz nasza jego jej ich
    ten ta to każdy każda żaden
  `,
  endings: { letters: 'aeiouymchwgj' },
  stopWords: 'pol',
  askingWords: `
    kto co kiedy gdzie dokąd skąd jak jaki jaka jakie jakim jakiej dlaczego ile który która które którym której kogo
    komu
  `,
  questionWords: 'kto co gdzie kiedy dlaczego jak ile ktory ktora ktore jaki jaka jakie',
  abbreviations: 'np itd itp tj tzw m.in godz wg prof.dr',
  finalAbbreviations: 'itd',
  questions: {
    which: '(jak(i|a|ie|im|iej)|któr(y|a|e|ym|ej))',
    nouns: {
      percentage: 'procent*',
      money: 'cena',
      date: 'roku dniu wieku',
      number: 'liczba',
      person: 'prezydent król',
      place: 'mieście miasto kraju kraj',
      organization: 'organizacja drużyna firma',
      reason: 'powód przyczyna',
    },
    values: {
      percentage: 'procent* rabat zniżka',
      money: 'cena koszt opłata czynsz kaucja kara stawka wynagrodzenie kwota składka zaliczka',
      date: 'data termin',
      measure: 'waga wysokość szerokość temperatura prędkość',
      identifier: 'numer_(telefonu|konta|zamówienia|klienta) telefon nip iban',
      email: 'e_mail email adres_(e_mail|email|mailowy)',
      number: 'liczba powierzchnia długość pojemność wiek',
    },
    first: { date: 'kiedy', person: 'kto kogo komu czyj*' },
    interrogatives: 'kto co jak* gdzie ile',
    phrases: {
      money: 'ile kosztuje',
      duration: `
        jak długo
        ile (czasu|minut|godzin|dni|lat)
      `,
      hour: 'której godzinie',
      version: '(jaka|jakiej|której) <0-1> wersj(a|i)',
      number: `
        ile
        ilu
        jak (wysok*|duż*|daleko)
      `,
      permission: '^ czy (mogę|można)',
      place: `
        gdzie
        skąd
        dokąd
      `,
      reason: `
        dlaczego
        czemu
      `,
    },
    whether: 'czy (jest|są)',
    whatIs: '(co|kto) to (jest|są)',
    requests: `
      (proszę|prosimy) (powiedzieć|podać|o informację)
      (chciałbym|chciałabym|chcielibyśmy) wiedzieć
      powiedz mi
    `,
    unmarked: `
      (kto|co|kiedy|gdzie|jak|dlaczego|ile) (jest|są|był|była|było|ma|mają|może|trzeba|kosztuje)
      czy (ktoś|jest|są|można|mogę|trzeba)
    `,
    labels: 'Pytanie',
    unknown: `
      nie (wiem|wiemy|pamiętam)
      nie mam pojęcia
      nie jestem pew(ien|na)
      dobre pytanie
    `,
    conditions: 'jeśli gdy kiedy jeżeli podczas_gdy dopóki',
    situations: 'podczas_gdy podczas',
    how: 'jak',
    howMany: 'ile',
    howOften: '(jak często|ile razy)',
    temperatures: `
      jak (gorąc*|ciepł*|zimn*)
      jaka [jest ]temperatur*
    `,
    sizes: 'jak (głębok*|szerok*|ciężk*)',
    addresses: 'adres (e mail|email|mailowy)',
    fillers: `
      {(oznacza|oznaczają|znaczy|znaczą)}
      {(o|do|od) której[ godzin*]}
    `,
  },
  answers: {
    open: 'zamyka* otwart(y|a|e) otwiera* otwarcia',
    closed: 'zamknięt(y|a|e) nieczynn(y|a|e)',
    versions: 'wersj(a|i) wydanie edycj(a|i)',
    beforeYears: 'w od roku',
    monthPatterns: `
      stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    `,
    weekdays: `
      (poniedział|wtor)(ek|kiem|ku|ki|k) śr(o|ó)d(a|ę|y) czwart(ek|ku|ki) piąt(ek|ku|ki) sobot(a|ę|y)
      niedziel(a|ę|e|i)
    `,
    centuries: 'wiek[u]',
    numbers: `
      dw(a|ie|óch|oje) tr(zy|zech|oje) czter(y|ech) czworo pię(ć|ciu) sześ(ć|ciu) sied(em|miu) ośmiu osiem
      dziewię(ć|ciu) dziesię(ć|ciu) jedenaście dwanaście trzynaście czternaście piętnaście szesnaście
      (siedem|osiem|dziewięt)naście dwadzieścia trzydzieści czterdzieści *dziesiąt sto tysiąc milion*
    `,
    timeUnits: 'godzin[a|y|ę] dni tygodni[e|u|a] miesięcy lat',
    until: 'do',
    percent: 'procent',
    currencies: 'złot* grosz*',
    currencySigns: 'zł',
    reasons: 'ponieważ dlatego',
    causes: 'gdyż bo z_powodu z_braku brak* aby żeby więc po przez wskutek',
    times: `
      południe północ rano wieczor* noc* dziś dzisiaj wczoraj jutro codziennie natychmiast zawsze nigdy często przed po
      podczas od gdy kiedy każd* wiosn* lat* jesie* zim* dzień dni* tydzień tygodni* miesi* rok* godzin* końc* początk*
    `,
    degrees: 'stopni*',
    frequencies: 'raz razy co każd*',
    amounts: 'żad* kilk* wiele wszystk*',
    prices: 'bezpłatn*',
    people: 'on ona oni nikt wszyscy',
    procedures: 'Przygotowanie',
    steps: 'Krok',
    clauses: 'Artykuł Punkt',
  },
  negation: { words: 'nie bez oprócz wyłączeni*' },
  definitions: {
    articles: '',
    copulas: 'to jest',
    verbs: 'oznacza',
  },
  measureWords:
    'long: długość trwa trwają trwał, depart: odjazd odjazdy odjeżdża, arrive: przyjazd przyjazdy przyjeżdża',
  synonyms: {
    number: 'numer nr',
    email: 'e-mail',
    phone: 'telefon telefonu',
    address: 'adres',
    deputy: 'zastępca wicedyrektor',
    customer: 'nabywca klient kupujący zamawiający',
    supplier: 'sprzedawca dostawca',
    recipient: 'odbiorca',
    sender: 'nadawca',
    invoice: 'faktura faktury',
    issue: 'wystawienia data_wystawienia wystawiono',
    due: 'termin_płatności termin_zapłaty',
    total: 'razem do_zapłaty łącznie',
    net: 'netto',
    gross: 'brutto',
    amount: 'kwota kwoty',
    rate: 'stawka stopa',
    discount: 'rabat',
    deposit: 'kaucja',
    prepayment: 'zaliczka',
    price: 'cena',
    cost: 'koszt koszty',
    salary: 'wynagrodzenie pensja',
    rent: 'czynsz',
    start: 'początek rozpoczęcia',
    end: 'koniec zakończenia',
    payment: 'płatność płatności zapłata',
    notice: 'okres_wypowiedzenia',
    birth: 'urodzenia data_urodzenia',
    agreement: 'umowa umowy',
    employee: 'pracownik',
    employer: 'pracodawca',
    tenant: 'najemca',
    landlord: 'wynajmujący',
    quantity: 'ilość liczba',
    maximum: 'maksymalnie maksymalna maksymalny',
    minimum: 'minimalnie minimalna minimalny',
    order: 'zamówienie zamówienia',
    insurance: 'ubezpieczenie ubezpieczenia',
    policy: 'polisa polisy',
    warranty: 'gwarancja',
    month: 'miesiąc miesiące miesięcy',
    year: 'rok roku lat lata',
    day_count: 'dzień dni',
    week: 'tydzień tygodnie tygodni',
    hour: 'godzina godzin',
    name: 'imię_i_nazwisko',
  },
  ownSynonyms: {
    date: 'data',
    tax: 'podatek podatku',
  },
  statements: { conditions: 'bez tylko chyba jeśli jeżeli pod_warunkiem' },
}
