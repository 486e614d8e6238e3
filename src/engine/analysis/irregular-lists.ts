/**
 * Irregular forms, by language (ISO 639-1): words of which no ending tells that they are forms of one, the form that gives the term first. Left out is what is as
 * often another word, also in a form that has its term (English `wound`, `bits`, `lives`, German `Stahl`, `Sprachen`, Spanish `vino`, French `but`),
 * and what carries no meaning in any form (`was`, `had`). German forms take prefixes and endings
 * (`inflections.ts`), and words that only look so are forms of themselves: `Befunden` is of `Befund`.
 */
export const IRREGULAR_FORMS: Readonly<Record<string, string>> = {
  en: `
arise arose arisen|awake awoke awoken|become became|begin began begun|bend bent|bite bitten|bleed bled|blow blew blown|break broke broken
breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn
dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown
forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|learn learnt|leave left|lend lent|lose lost
make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|rebuild rebuilt|ride rode ridden|ring rang|rise risen|run ran
say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|sow sown|speak spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt|spring sprang sprung
stand stood|steal stole stolen|stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung
take took taken|teach taught|tear tore torn|tell told|think thought thoughts|throw threw thrown|undergo underwent undergone|understand understood
undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|write wrote written
child children|foot feet|goose geese|man men|mouse mice|ox oxen|tooth teeth|woman women
calf calves|half halves|hoof hooves|knife knives|loaf loaves|scarf scarves|shelf shelves|thief thieves|wife wives|wolf wolves`,
  de: `
backen gebacken|beißen gebissen|beginnen begann begannen begonnen|bieten geboten|binden gebunden|bitten bat baten gebeten|bleiben blieb blieben geblieben
brechen bricht brach brachen gebrochen|brennen brannte brannten gebrannt|bringen brachte brachten gebracht|denken dachte dachten gedacht
empfangen empfängt empfing empfingen|empfehlen empfiehlt empfahl empfahlen empfohlen|essen isst aßen gegessen|fahren fährt fuhr fuhren
fallen fällt fiel fielen gefallen|fangen fängt fing fingen gefangen|finden fand fanden gefunden|fliegen flog flogen geflogen|fließen floss geflossen
fressen frisst fraß fraßen gefressen|frieren fror froren gefroren|geben gibt gab gegeben|gehen ging gingen gegangen|gelten gilt galt galten
geschehen geschieht geschah geschahen|gewinnen gewann gewannen gewonnen|gießen goss gossen gegossen|gleichen glich glichen geglichen|graben gräbt gegraben|greifen gegriffen|halten hält hielt hielten gehalten
hängen hing hingen gehangen|heben hob hoben gehoben|heißen hieß hießen geheißen|helfen hilft half halfen geholfen|kennen kannte kannten gekannt
kommen kam kamen gekommen|laden lädt lud luden geladen|lassen lässt ließ ließen gelassen|laufen läuft lief liefen gelaufen|leiden litt litten gelitten
leihen lieh liehen geliehen|lesen liest las lasen gelesen|liegen lag|lügen gelogen|meiden mied mieden gemieden|messen misst gemessen
nehmen nimmt nahm genommen|nennen nannte nannten genannt|pfeifen gepfiffen|reißen gerissen|reiten geritten|rennen rannte rannten gerannt
riechen roch rochen gerochen|rufen rief riefen gerufen|schaffen schuf schufen geschaffen|entscheiden entschied entschieden|scheinen schien geschienen
schießen schoss schossen geschossen|schlafen schläft schlief schliefen geschlafen|schlagen schlägt schlug schlugen geschlagen
schleichen schlich schlichen geschlichen|schließen geschlossen|schmelzen schmilzt schmolz schmolzen geschmolzen|schneiden geschnitten
schreiben schrieb schrieben geschrieben|schreien schrie schrien geschrien|schweigen schwieg schwiegen geschwiegen|schwimmen geschwommen|schwören geschworen
sehen sieht sah sahen gesehen|senden sandte sandten gesandt|singen sang sangen gesungen|sinken sank sanken gesunken|sitzen saß saßen gesessen
sprechen spricht sprach gesprochen|springen sprang sprangen gesprungen|stehen standen gestanden|stehlen stiehlt gestohlen|steigen gestiegen
sterben stirbt starb starben gestorben|stoßen stößt stieß stießen gestoßen|streichen gestrichen|streiten stritt stritten gestritten|tragen trägt trug trugen getragen
treffen trifft traf trafen getroffen|treiben getrieben|treten trat traten getreten|trinken trank tranken getrunken|tun getan
vergessen vergisst vergaß vergaßen vergessen|vermissen vermisst|verlieren verlor verloren
verschwinden verschwand verschwanden verschwunden|wachsen wächst wuchs wuchsen gewachsen|waschen wäscht wusch wuschen gewaschen|weisen wies gewiesen
biegen bog gebogen|dringen drangen gedrungen|fliehen flohen geflohen|kriechen kroch krochen gekrochen|raten rät riet rieten|schieben schob schoben geschoben
schreiten geschritten|stechen sticht stach stachen gestochen|empfinden empfand empfanden empfunden|überwinden überwand überwunden
betrügen betrog betrogen|erschrecken erschrak erschrocken|verbergen verbirgt verbarg verborgen|verderben verdirbt verdarb verdorben|anwenden angewandt angewandte angewandten
werben wirbt warb warben geworben|werfen wirft warf warfen geworfen|wiegen wog wogen gewogen|ziehen zog zogen gezogen|zwingen zwang zwangen gezwungen
angeboten angeboten|befunden befunden|betrieben betrieben|herzog herzog|nachwuchs nachwuchs|verdacht verdacht|betrug betrug|begriffen begriffen|übergriffen übergriffen`,
  nl: `
beginnen begon begonnen|bieden bood boden geboden|bijten gebeten|binden bonden gebonden|blijven bleef bleven gebleven|breken brak braken gebroken
brengen bracht brachten gebracht|denken dacht dachten gedacht|dragen droeg droegen gedragen|drinken dronk dronken gedronken|eten aten gegeten
gaan ging gingen gegaan|geven gaf gaven gegeven|genieten genoten|grijpen grepen gegrepen|hangen hing hingen gehangen|helpen hielp hielpen geholpen
houden hield hielden gehouden|kiezen koos kozen gekozen|kijken keek keken gekeken|komen kwam kwamen gekomen|kopen kocht kochten gekocht
krijgen kreeg kregen gekregen|laten liet lieten gelaten|lezen las lazen gelezen|liggen lag lagen gelegen|lopen liep liepen gelopen|nemen nam namen genomen
rijden reed reden gereden|roepen riep riepen geroepen|schenken schonk schonken geschonken|schieten schoot schoten geschoten
schrijven schreef schreven geschreven|slaan sloeg sloegen geslagen|slapen sliep sliepen geslapen|sluiten gesloten|snijden sneed sneden gesneden
spreken sprak spraken gesproken|springen gesprongen|staan stond stonden gestaan|stelen gestolen|sterven stierf stierven gestorven
stijgen steeg stegen gestegen|treffen trof troffen getroffen|trekken trok trokken getrokken|vallen viel vielen gevallen|vangen ving vingen gevangen
verliezen verloor verloren|vergeten vergat vergaten|vinden vond vonden gevonden|vliegen vloog vlogen gevlogen|vragen gevraagd|winnen won wonnen gewonnen
werpen wierp wierpen geworpen|weten wist wisten geweten|zeggen zei zeiden gezegd|zenden zond zonden gezonden|zien zag zagen gezien|zingen zong zongen gezongen
zitten zat zaten gezeten|zoeken zocht zochten gezocht|zwemmen zwom zwommen gezwommen|kind kinderen|stad steden|schip schepen`,
  es: `
andar anduvo anduve anduvieron|caber cupo cupieron|conducir condujo condujeron conduzco|decir dijo dije dijeron dijera dice dicen digo diga digan diciendo
dormir duerme duermen duermo durmió durmieron durmiendo|hacer hizo hice hicieron hicimos hiciera hago haga hagan|morir murió murieron muere mueren muriendo
oír oyó oyeron oye oyen oigo|pedir pidió pidieron pide piden pidiendo|perder pierde pierden pierdo|poner puso puse pusieron pusiera pone pongo ponga pongan
producir produjo produjeron produzca produzcan|querer quiso quise quisieron quisiera quiere quieren quiero|reír rió rieron|saber supo supe supieron
sentir sintió sintieron siente sienten|servir sirvió sirvieron sirve sirven sirviendo|seguir siguió siguieron sigue siguen siguiendo
tener tuvo tuve tuvieron tuviera tiene tienen tengo tenga tengan|traer trajo trajeron traigo|traducir tradujo tradujeron|reducir redujo redujeron reduzca
introducir introdujo introdujeron|venir vinieron viene vienen vengo venga|volver vuelve vuelven vuelvo vuelto vuelta vueltos vueltas
obtener obtuvo obtuvieron obtiene obtienen|mantener mantuvo mantuvieron mantiene mantienen|contener contuvo contiene contienen
detener detuvo detuvieron detiene|construir construyó construyeron construye construyen construyendo|escribir escrito escrita escritos escritas
abrir abierto abierta abiertos abiertas|romper roto rota rotos rotas|cubrir cubierto cubierta cubiertos cubiertas
descubrir descubierto descubierta descubiertos descubiertas|resolver resuelto resuelta resueltos resueltas resuelve resuelven
devolver devuelto devuelta devueltos devueltas devuelve devuelven|encontrar encuentra encuentran|pensar piensa piensan|empezar empieza empiezan empecé empiece
comenzar comienza comienzan comience|recordar recuerda recuerdan|cerrar cierra cierran|elegir eligió eligieron elige eligen
conseguir consiguió consiguieron consigue consiguen|vestir vistió visten|repetir repitió repite|llegar llegué llegue|pagar pagué pague|buscar busqué busque
sacar saqué`,
  fr: `
apprendre appris apprise apprises apprit apprirent apprend apprennent|comprendre comprit comprirent|prendre pris prise prises prit prirent
mettre mis mise mises mit mirent|permettre permit permirent|promettre promit|boire burent boivent|connaître connu connue connues connus connut
courir couru courue courues courus courut coururent|découvrir découvert découverte découvertes découverts
devenir devenu devenue devenues devenus devint devinrent|dire dit dite dites dits disent|écrire écrit écrite écrites écrits écrivit écrivent
faire fait faite faites faits firent font|lire lut lisent|mourir mort morte mortes morts mourut moururent meurt|naître naquit naquirent
offrir offert offerte offertes offerts|ouvrir ouvert ouverte ouvertes ouverts|obtenir obtenu obtenue obtenues obtenus obtint obtinrent obtient
perdre perdu perdue perdues perdus|recevoir reçut reçurent reçoit reçoivent|rendre rendu rendue rendues rendus|savoir sut surent sait savent
souffrir souffert soufferte souffertes soufferts|tenir tenu tenue tenues tenus tint tinrent tient|venir venu venue venues venus vint vinrent vient viennent
vivre vécu vécue vécues vécus vécut vécurent vivent|voir virent voit voient|vouloir voulu voulue voulues voulus voulut veut veulent
construire construit construite construites construits|détruire détruit détruite détruites détruits|œil yeux`,
  it: `
aprire aperto aperta aperti aperte|bere bevve bevuto bevuta bevuti bevute beve bevono|chiedere chiese chiesero chiesto chiesta chiesti chieste
chiudere chiuso chiusa chiusi chiuse chiusero|conoscere conobbe conosciuto conosciuta conosciuti conosciute|decidere deciso decisa decisi decise decisero
dire disse dissero detto detta detti dette dice dicono|dividere diviso divisa divisi divise|fare fece fecero fatto fatta fatti fatte faceva facevano fanno
leggere lesse lessero|mettere mise misero|morire morì morirono muore muoiono|muovere mosso mossa mossi mosse mossero|nascere nacque nacquero
offrire offerto offerta offerti offerte|perdere perso persa persi perse persero|piacere piacque|prendere preso presa presi prese presero|ridere rise risero
rimanere rimase rimasero rimasto rimasta rimasti rimaste rimane|rispondere rispose risposero|rompere ruppe ruppero rotto rotta rotti rotte
sapere seppe seppero|scegliere scelse scelsero scelto scelta scelti scelte|scendere sceso scesa scesi scese scesero
scrivere scrisse scrissero scritto scritta scritti scritte|spendere speso spesa spesi spese|spegnere spento spenta spenti spente
tenere tenne tennero tiene tengono|uccidere ucciso uccisa uccisi uccise uccisero|uscire esce escono|vedere vide videro visto vista visti viste
venire venne vennero venuto venuta venuti venute viene|vincere vinse vinsero vinto vinta vinti vinte
vivere visse vissero vissuto vissuta vissuti vissute vive vivono|produrre produsse producono|tradurre tradotto tradotta tradotti tradotte tradusse|uomo uomini
uovo uova`,
  pt: `
abrir aberto aberta abertos abertas|cobrir coberto coberta cobertos cobertas|descobrir descoberto descoberta descobertos descobertas
dizer disse disseram disser dito dita ditos ditas diz dizem|escrever escrito escrita escritos escritas
fazer fez fizeram fiz fizesse feito feita feitos feitas faz fazem faço|pagar pago paguei|perder perco|pôr pôs puseram põe põem
querer quis quiseram quer querem|saber soube souberam sabe sabem|trazer trouxe trouxeram traz trazem|ver viu viram|vir veio vieram vindo
obter obteve obtiveram obtido|manter manteve mantiveram mantém|conter contém|produzir produz produzem|dormir durmo|chegar cheguei|ficar fiquei
começar comecei comece|animal animais|hospital hospitais|jornal jornais|social sociais|nacional nacionais|local locais|papel papéis|hotel hotéis|nível níveis`,
}
