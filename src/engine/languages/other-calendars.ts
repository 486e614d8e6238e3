import type { Calendar } from './language.ts'

/** Calendar words of the languages in `other-languages.ts`, by language (ISO 639-1). */
export const OTHER_CALENDARS: Readonly<Record<string, Calendar>> = {
  af: {
    monthNames: `
      januarie jan, februarie feb, maart mrt, april apr, mei, junie jun, julie jul, augustus aug, september sep,
      oktober
      okt, november nov, desember des
    `,
    quarters: 'kwartaal',
    ordinals: 'eerste, tweede, derde, vierde',
  },
  ar: {
    monthNames: `
      يناير, فبراير, مارس, أبريل ابريل إبريل, مايو, يونيو, يوليو, أغسطس, سبتمبر, أكتوبر, نوفمبر, ديسمبر
    `,
    quarters: 'الربع ربع',
    halves: 'النصف',
    weeks: 'الأسبوع',
    ordinals: 'الأول, الثاني, الثالث, الرابع',
  },
  be: {
    monthNames: `
      студзеня студзень, лютага люты, сакавіка сакавік, красавіка красавік, мая май, чэрвеня чэрвень, ліпеня ліпень,
      жніўня жнівень, верасня верасень, кастрычніка кастрычнік, лістапада лістапад, снежня снежань
    `,
    quarters: 'квартал',
    ordinals: 'першы першым, другі другім, трэці трэцім, чацвёрты чацвёртым',
  },
  bg: {
    monthNames: `
      януари, февруари, март, април, май, юни, юли, август, септември, октомври, ноември, декември
    `,
    quarters: 'тримесечи',
    halves: 'полугоди',
    ordinals: 'първо първото, второ второто, трето третото, четвърто четвъртото',
  },
  bn: {
    monthNames: `
      জানুয়ারি জানুয়ারী, ফেব্রুয়ারি ফেব্রুয়ারী, মার্চ, এপ্রিল, মে, জুন, জুলাই, আগস্ট, সেপ্টেম্বর, অক্টোবর,
      নভেম্বর,
      ডিসেম্বর
    `,
    quarters: 'ত্রৈমাসিক',
    ordinals: 'প্রথম, দ্বিতীয়, তৃতীয়, চতুর্থ',
  },
  ca: {
    monthNames: `
      gener gen, febrer febr, març, abril abr, maig, juny, juliol jul, agost ag, setembre set, octubre oct, novembre
      nov, desembre des
    `,
    quarters: 'trimestre',
    halves: 'semestre',
    weeks: 'setmana',
    ordinals: 'primer, segon, tercer, quart',
    quarterLetters: 't',
  },
  cs: {
    monthNames: `
      ledna leden lednu, února únor únoru, března březen březnu, dubna duben dubnu, května květen květnu, června
      červen
      červnu, července červenec červenci, srpna srpen srpnu, září, října říjen říjnu, listopadu listopad, prosince
      prosinec prosinci
    `,
    quarters: 'čtvrtletí kvartál',
    halves: 'pololetí',
    weeks: 'týden týdn',
    ordinals: 'první prvním, druhé druhém, třetí třetím, čtvrté čtvrtém',
  },
  da: {
    monthNames: `
      januar jan, februar feb, marts mar, april apr, maj, juni jun, juli jul, august aug, september sep, oktober okt,
      november nov, december dec
    `,
    quarters: 'kvartal',
    halves: 'halvår',
    weeks: 'uge',
    ordinals: 'første, andet anden, tredje, fjerde',
  },
  el: {
    monthNames: `
      ιανουαρίου ιανουάριος ιανουάριο, φεβρουαρίου φεβρουάριος φεβρουάριο, μαρτίου μάρτιος μάρτιο, απριλίου απρίλιος
      απρίλιο, μαΐου μάιος μάιο, ιουνίου ιούνιος ιούνιο, ιουλίου ιούλιος ιούλιο, αυγούστου αύγουστος αύγουστο,
      σεπτεμβρίου σεπτέμβριος σεπτέμβριο, οκτωβρίου οκτώβριος οκτώβριο, νοεμβρίου νοέμβριος νοέμβριο, δεκεμβρίου
      δεκέμβριος δεκέμβριο
    `,
    quarters: 'τρίμηνο τριμήνου',
    halves: 'εξάμηνο εξαμήνου',
    weeks: 'εβδομάδα',
    ordinals: 'πρώτο πρώτου, δεύτερο δευτέρου, τρίτο τρίτου, τέταρτο τετάρτου',
  },
  et: {
    monthNames: `
      jaanuar, veebruar, märts, aprill, mai, juuni, juuli, august, september, oktoober, november, detsember
    `,
    quarters: 'kvartal',
    halves: 'poolaasta',
    ordinals: 'esimene esimese esimeses, teine teise teises, kolmas kolmanda, neljas neljanda',
  },
  eu: {
    monthNames: `
      urtarrila urtarrilaren, otsaila otsailaren, martxoa martxoaren, apirila apirilaren, maiatza maiatzaren, ekaina
      ekainaren, uztaila uztailaren, abuztua abuztuaren, iraila irailaren, urria urriaren, azaroa azaroaren, abendua
      abenduaren
    `,
    quarters: 'hiruhileko',
    ordinals: 'lehen, bigarren, hirugarren, laugarren',
  },
  fa: {
    monthNames: `
      ژانویه, فوریه, مارس, آوریل, مه, ژوئن, ژوئیه جولای, اوت آگوست, سپتامبر, اکتبر, نوامبر, دسامبر
    `,
    quarters: 'سه‌ماهه سه‌ماههٔ فصل',
    ordinals: 'اول, دوم, سوم, چهارم',
  },
  fi: {
    monthNames: `
      tammikuuta tammikuu tammikuussa, helmikuuta helmikuu helmikuussa, maaliskuuta maaliskuu maaliskuussa, huhtikuuta
      huhtikuu huhtikuussa, toukokuuta toukokuu toukokuussa, kesäkuuta kesäkuu kesäkuussa, heinäkuuta heinäkuu
      heinäkuussa, elokuuta elokuu elokuussa, syyskuuta syyskuu syyskuussa, lokakuuta lokakuu lokakuussa, marraskuuta
      marraskuu marraskuussa, joulukuuta joulukuu joulukuussa
    `,
    quarters: 'neljännes neljänneksel vuosineljännes vuosineljänneksel kvartaali',
    halves: 'vuosipuolisko',
    weeks: 'viikko',
    ordinals: 'ensimmäinen ensimmäisellä, toinen toisella, kolmas kolmannella, neljäs neljännellä',
  },
  ga: {
    monthNames: `
      eanáir, feabhra, márta, aibreán aibreáin, bealtaine, meitheamh, iúil, lúnasa, , , samhain, nollaig
    `,
    quarters: 'ráithe',
  },
  gl: {
    monthNames: `
      xaneiro xan, febreiro feb, marzo mar, abril abr, maio, xuño, xullo, agosto, setembro set, outubro out, novembro
      nov, decembro dec
    `,
    quarters: 'trimestre',
    ordinals: 'primeiro, segundo, terceiro, cuarto',
    quarterLetters: 't',
  },
  gu: {
    monthNames: `
      જાન્યુઆરી, ફેબ્રુઆરી, માર્ચ, એપ્રિલ, મે, જૂન, જુલાઈ, ઑગસ્ટ ઓગસ્ટ, સપ્ટેમ્બર, ઑક્ટોબર ઓક્ટોબર, નવેમ્બર, ડિસેમ્બર
    `,
  },
  he: {
    monthNames: `
      ינואר בינואר, פברואר בפברואר, מרץ במרץ מרס במרס, אפריל באפריל, מאי במאי, יוני ביוני, יולי ביולי, אוגוסט באוגוסט,
      ספטמבר בספטמבר, אוקטובר באוקטובר, נובמבר בנובמבר, דצמבר בדצמבר
    `,
    quarters: 'רבעון הרבעון ברבעון',
    ordinals: 'ראשון הראשון, שני השני, שלישי השלישי, רביעי הרביעי',
  },
  hi: {
    monthNames: `
      जनवरी, फरवरी, मार्च, अप्रैल, मई, जून, जुलाई, अगस्त, सितंबर, अक्टूबर अक्तूबर, नवंबर, दिसंबर
    `,
    quarters: 'तिमाही',
    halves: 'छमाही',
    ordinals: 'पहली प्रथम, दूसरी द्वितीय, तीसरी तृतीय, चौथी चतुर्थ',
  },
  hr: {
    monthNames: `
      siječnja siječanj siječnju, veljače veljača veljači, ožujka ožujak ožujku, travnja travanj travnju, svibnja
      svibanj
      svibnju, lipnja lipanj lipnju, srpnja srpanj srpnju, kolovoza kolovoz kolovozu, rujna rujan rujnu, listopada
      listopad listopadu, studenoga studenog studeni, prosinca prosinac prosincu
    `,
    quarters: 'tromjesečj kvartal',
    halves: 'polugodišt',
    ordinals: 'prvo prvom prvi, drugo drugom drugi, treće trećem treći, četvrto četvrtom četvrti',
  },
  hu: {
    monthNames: `
      január januárban jan, február februárban febr, március márciusban márc, április áprilisban ápr, május
      májusban máj,
      június júniusban jún, július júliusban júl, augusztus augusztusban aug, szeptember szeptemberben szept, október
      októberben okt, november novemberben nov, december decemberben dec
    `,
    quarters: 'negyedév',
    halves: 'félév',
    ordinals: 'első, második, harmadik, negyedik',
  },
  hy: {
    monthNames: `
      հունվարի հունվար, փետրվարի փետրվար, մարտի մարտ, ապրիլի ապրիլ, մայիսի մայիս, հունիսի հունիս, հուլիսի հուլիս,
      օգոստոսի օգոստոս, սեպտեմբերի սեպտեմբեր, հոկտեմբերի հոկտեմբեր, նոյեմբերի նոյեմբեր, դեկտեմբերի դեկտեմբեր
    `,
    quarters: 'եռամսյակ',
    ordinals: 'առաջին, երկրորդ, երրորդ, չորրորդ',
  },
  id: {
    monthNames: `
      januari jan, februari feb, maret mar, april apr, mei, juni jun, juli jul, agustus agu, september sep,
      oktober okt,
      november nov, desember des
    `,
    quarters: 'kuartal triwulan',
    halves: 'semester',
    weeks: 'minggu pekan',
    ordinals: 'pertama, kedua, ketiga, keempat',
  },
  is: {
    monthNames: `
      janúar jan, febrúar feb, mars mar, apríl apr, maí, júní jún, júlí júl, ágúst ágú, september sep, október okt,
      nóvember nóv, desember des
    `,
    quarters: 'ársfjórðung fjórðung',
    ordinals: 'fyrsti fyrsta, annar öðrum, þriðji þriðja, fjórði fjórða',
  },
  ka: {
    monthNames: `
      იანვარი იანვარს, თებერვალი თებერვალს, მარტი მარტს, აპრილი აპრილს, მაისი მაისს, ივნისი ივნისს, ივლისი ივლისს,
      აგვისტო აგვისტოს, სექტემბერი სექტემბერს, ოქტომბერი ოქტომბერს, ნოემბერი ნოემბერს, დეკემბერი დეკემბერს
    `,
    quarters: 'კვარტალ',
  },
  lt: {
    monthNames: `
      sausio sausis, vasario vasaris, kovo kovas, balandžio balandis, gegužės gegužė, birželio birželis, liepos liepa,
      rugpjūčio rugpjūtis, rugsėjo rugsėjis, spalio spalis, lapkričio lapkritis, gruodžio gruodis
    `,
    quarters: 'ketvirtis ketvirčio ketvirtį ketvirt',
    halves: 'pusmet',
    ordinals: 'pirmas pirmąjį, antras antrąjį, trečias trečiąjį, ketvirtas ketvirtąjį',
  },
  lv: {
    monthNames: `
      janvāris janvārī janvāra, februāris februārī februāra, marts martā marta, aprīlis aprīlī aprīļa, maijs
      maijā maija,
      jūnijs jūnijā jūnija, jūlijs jūlijā jūlija, augusts augustā augusta, septembris septembrī septembra, oktobris
      oktobrī oktobra, novembris novembrī novembra, decembris decembrī decembra
    `,
    quarters: 'ceturksn',
    halves: 'pusgad',
    ordinals: 'pirmais pirmajā, otrais otrajā, trešais trešajā, ceturtais ceturtajā',
  },
  mr: {
    monthNames: `
      जानेवारी, फेब्रुवारी, मार्च, एप्रिल, मे, जून, जुलै, ऑगस्ट, सप्टेंबर, ऑक्टोबर, नोव्हेंबर, डिसेंबर
    `,
    quarters: 'तिमाही',
    ordinals: 'पहिली, दुसरी, तिसरी, चौथी',
  },
  ms: {
    monthNames: `
      januari jan, februari feb, mac, april apr, mei, jun, julai jul, ogos, september sep, oktober okt, november nov,
      disember dis
    `,
    quarters: 'suku',
    halves: 'separuh',
    ordinals: 'pertama, kedua, ketiga, keempat',
  },
  no: {
    monthNames: `
      januar jan, februar feb, mars mar, april apr, mai, juni jun, juli jul, august aug, september sep, oktober okt,
      november nov, desember des
    `,
    quarters: 'kvartal',
    halves: 'halvår',
    weeks: 'uke',
    ordinals: 'første, andre, tredje, fjerde',
  },
  ro: {
    monthNames: `
      ianuarie ian, februarie feb, martie mar, aprilie apr, mai, iunie iun, iulie iul, august aug, septembrie sept,
      octombrie oct, noiembrie nov, decembrie dec
    `,
    quarters: 'trimestru',
    halves: 'semestru',
    ordinals: 'primul întâi, doilea, treilea, patrulea',
    quarterLetters: 't',
  },
  sk: {
    monthNames: `
      januára január januári, februára február februári, marca marec marci, apríla apríl apríli, mája máj máji,
      júna jún
      júni, júla júl júli, augusta august auguste, septembra september septembri, októbra október októbri, novembra
      november novembri, decembra december decembri
    `,
    quarters: 'štvrťrok kvartál',
    halves: 'polrok',
    ordinals: 'prvý prvom, druhý druhom, tretí treťom, štvrtý štvrtom',
  },
  sl: {
    monthNames: `
      januarja januar, februarja februar, marca marec, aprila april, maja maj, junija junij, julija julij,
      avgusta avgust,
      septembra september, oktobra oktober, novembra november, decembra december
    `,
    quarters: 'četrtletj kvartal',
    ordinals: 'prvo prvem, drugo drugem, tretje tretjem, četrto četrtem',
  },
  sr: {
    monthNames: `
      јануара јануар januara januar, фебруара фебруар februara februar, марта март marta mart, априла април
      aprila april,
      маја мај maja maj, јуна јун juna jun, јула јул jula jul, августа август avgusta avgust, септембра септембар
      septembra septembar, октобра октобар oktobra oktobar, новембра новембар novembra novembar, децембра децембар
      decembra decembar
    `,
    quarters: 'квартал тромесечј kvartal tromesečj',
    ordinals: 'први првом prvi prvom, други другом drugi drugom, трећи трећем treći trećem, четврти četvrti četvrtom',
  },
  sv: {
    monthNames: `
      januari jan, februari feb, mars mar, april apr, maj, juni jun, juli jul, augusti aug, september sep,
      oktober okt,
      november nov, december dec
    `,
    quarters: 'kvartal',
    halves: 'halvår',
    weeks: 'vecka',
    ordinals: 'första, andra, tredje, fjärde',
  },
  ta: {
    monthNames: `
      ஜனவரி, பிப்ரவரி, மார்ச், ஏப்ரல், மே, ஜூன், ஜூலை, ஆகஸ்ட், செப்டம்பர், அக்டோபர், நவம்பர், டிசம்பர்
    `,
    quarters: 'காலாண்டு',
    ordinals: 'முதல், இரண்டாம், மூன்றாம், நான்காம்',
  },
  te: {
    monthNames: `
      జనవరి, ఫిబ్రవరి, మార్చి, ఏప్రిల్, మే, జూన్, జులై జూలై, ఆగస్టు, సెప్టెంబర్, అక్టోబర్, నవంబర్, డిసెంబర్
    `,
    quarters: 'త్రైమాసిక',
    ordinals: 'మొదటి, రెండవ, మూడవ, నాల్గవ',
  },
  th: {
    monthNames: `
      มกราคม, กุมภาพันธ์, มีนาคม, เมษายน, พฤษภาคม, มิถุนายน, กรกฎาคม, สิงหาคม, กันยายน, ตุลาคม, พฤศจิกายน, ธันวาคม
    `,
    quarters: 'ไตรมาส',
  },
  tl: {
    monthNames: `
      enero, pebrero, marso, abril, mayo, hunyo, hulyo, agosto, setyembre, oktubre, nobyembre, disyembre
    `,
    quarters: 'kwarter',
    ordinals: 'unang, ikalawang, ikatlong, ikaapat',
  },
  tr: {
    monthNames: `
      ocak, şubat, mart, nisan, mayıs, haziran, temmuz, ağustos, eylül, ekim, kasım, aralık
    `,
    quarters: 'çeyrek çeyreği çeyreğ',
    halves: 'yarıyıl yarısı',
    weeks: 'hafta',
    ordinals: 'birinci, ikinci, üçüncü, dördüncü',
  },
  uk: {
    monthNames: `
      січня січень січні, лютого лютий лютому, березня березень березні, квітня квітень квітні, травня травень травні,
      червня червень червні, липня липень липні, серпня серпень серпні, вересня вересень вересні, жовтня жовтень
      жовтні,
      листопада листопад листопаді, грудня грудень грудні
    `,
    quarters: 'квартал',
    halves: 'півріччя півріччі',
    ordinals:
      'перший першому першого, другий другому другого, третій третьому третього, четвертий четвертому четвертого',
  },
  ur: {
    monthNames: `
      جنوری, فروری, مارچ, اپریل, مئی, جون, جولائی, اگست, ستمبر, اکتوبر, نومبر, دسمبر
    `,
    quarters: 'سہ‌ماہی سہہ‌ماہی',
    ordinals: 'پہلی, دوسری, تیسری, چوتھی',
  },
  vi: { quarters: 'quý', weeks: 'tuần' },
  yo: { monthNames: 'ṣẹ́rẹ́, èrèlè, ẹrẹ̀nà, ìgbé, ẹ̀bibi, òkúdu, agẹmọ, ògún, owewe, ọ̀wàrà, bélú, ọ̀pẹ̀' },
}
