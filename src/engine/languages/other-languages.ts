import type { Endings, Language } from './language.ts'

/**
 * Vowel signs, nasal marks, and the consonant before such a sign in plurals. Elsewhere the
 * consonant distinguishes words, such as subject and poison.
 */
const DEVANAGARI: Endings = { letters: 'ािीुूृेैोौंः', inside: 'य', least: 2 }
const SOUTH_SLAVIC: Endings = { letters: 'aeioumhgjt' }
/** Latin and Cyrillic alphabet. */
const SERBIAN: Endings = { letters: `${SOUTH_SLAVIC.letters}аеиоумхгјт` }

/** Languages with stemming or stop words only. */
export const OTHER_LANGUAGES: readonly Language[] = [
  {
    code: 'af',
    stopWords: 'afr',
  },
  {
    code: 'ar',
    questions: { labels: 'س سؤال', situations: 'بينما خلال أثناء', unknown: '(لا (أعرف|أعلم|أدري)|ليس لدي فكرة)' },
    stemmer: 'arabic',
    stopWords: 'ara',
    askingWords: 'ما ماذا من متى أين كيف كم لماذا هل أي أية',
  },
  {
    code: 'be',
    endings: { letters: 'аяоеэіыуюйьмхвгўц' },
  },
  {
    code: 'bg',
    endings: { letters: 'аеиоуъюятв' },
    stopWords: 'bul',
    answers: { currencySigns: 'лв' },
  },
  {
    code: 'bn',
    endings: { letters: 'ািীেোর', least: 2 },
    stopWords: 'ben',
  },
  {
    code: 'ca',
    stemmer: 'catalan',
    stopWords: 'cat',
  },
  {
    code: 'cs',
    questions: { labels: 'Otázka', situations: 'zatímco během', unknown: '(nevím|nevíme|netuším|nemám tušení)' },
    stemmer: 'czech',
    stopWords: 'ces',
    askingWords: 'kdo co kdy kde kam odkud jak jaký jaká jaké proč kolik který která které',
    answers: { currencySigns: 'Kč' },
  },
  {
    code: 'da',
    questions: { labels: 'Spørgsmål', situations: 'mens', unknown: '(ved [det] ikke|ingen anelse|aner det ikke)' },
    stemmer: 'danish',
    stopWords: 'dan',
    askingWords: 'hvem hvad hvornår hvor hvordan hvorfor hvilken hvilket hvilke',
    answers: { currencies: 'kroner', currencySigns: 'kr' },
  },
  {
    code: 'el',
    endings: { letters: 'αειουηωνσ' },
    stopWords: 'ell',
    isFoldedFirst: true,
    askingWords: 'ποιος ποια ποιο ποιοι ποιες ποιον τι πότε πού πώς πόσο πόση πόσος πόσοι πόσες πόσα γιατί',
  },
  {
    code: 'et',
    endings: { letters: 'aeioudstlgk' },
    stopWords: 'est',
  },
  {
    code: 'eu',
    stemmer: 'basque',
    stopWords: 'eus',
  },
  {
    code: 'fa',
    endings: { letters: 'ايهن' },
    stopWords: 'fas',
    askingWords: 'چه چرا چگونه چند کجا کدام کی آیا',
  },
  {
    code: 'fi',
    questions: { labels: 'Kysymys', situationEnds: 'aikana', unknown: '(en tiedä|ei [mitään] hajua|ei tietoa)' },
    stemmer: 'finnish',
    stopWords: 'fin',
    askingWords: 'kuka mikä mitä missä mistä mihin milloin miten miksi kuinka kenen montako',
  },
  {
    code: 'ga',
    stemmer: 'irish',
    stopWords: 'gle',
  },
  {
    code: 'gl',
    endings: { letters: 'aeiosnr' },
    stopWords: 'glg',
  },
  {
    code: 'gu',
    endings: { letters: 'ાિીુૂેોં', least: 2 },
    stopWords: 'guj',
  },
  {
    code: 'he',
    stemmer: 'hebrew',
    stopWords: 'heb',
  },
  {
    code: 'hi',
    questions: { labels: 'प्रश्न सवाल' },
    endings: DEVANAGARI,
    stopWords: 'hin',
    askingWords: 'क्या कब कहाँ कहां कौन किस किसने किसे किसका किसकी किसके कितना कितनी कितने कैसे कैसा कैसी क्यों',
  },
  {
    code: 'hr',
    endings: SOUTH_SLAVIC,
    stopWords: 'hrv',
  },
  {
    code: 'hu',
    questions: {
      labels: 'Kérdés',
      situations: 'amíg',
      situationEnds: 'alatt',
      unknown: '(nem tudom|nem tudjuk|fogalmam sincs)',
    },
    stemmer: 'hungarian',
    stopWords: 'hun',
    askingWords: 'ki mi kik mikor hol hová honnan hogyan miért mennyi hány melyik milyen',
    answers: { currencySigns: 'Ft' },
  },
  {
    code: 'hy',
    stemmer: 'armenian',
    stopWords: 'hye',
  },
  {
    code: 'id',
    stemmer: 'malay',
    stopWords: 'ind',
    askingWords: 'apa siapa kapan mana dimana bagaimana mengapa berapa kenapa',
  },
  {
    code: 'is',
    endings: { letters: 'aiurmns' },
  },
  {
    code: 'ja',
    isUnspaced: true,
    askingWords: 'どのような どのように どれくらい どのくらい どうして どうやって どこ なぜ',
    askingEnds: 'ですか でしたか ますか ましたか でしょうか',
    askingBeginnings: '何 誰 幾',
    genericWords: `
      時間 日 曜日 月 年 期間 時刻 値段 料金 価格 費用 金額 名前 名称 番号 数 人数 大きさ 長さ 高さ 広さ 意味 必要 場合 方法 最大 最小 最低 最高 現在 可能 できる 来る 行く 使う 借り 教え
    `,
    questions: {
      ends: `
        です(か|かね|かな) ます(か|かね) でした(か|っけ) ました(か|っけ) ません(か|でしたか) でしょうか ましょうか だろうか のか ないか したか
        れたか するか れるか きるか あるか かな 教えて[ください|下さい|くれ|ほしい|欲しい|もらえます] お(教え|聞かせ|知らせ)(ください|下さい) 知りたい[です|のですが]
      `,
      labels: '問 質問',
      unknown: '(わかりません|分かりません|わからない|分からない|知りません|知らない)',
      whichAnywhere: 'どの どちら どれ',
      situationEnds: '期間中 中の 中に 中は の間に の間は',
      phrases: {
        percentage: '何(パーセント|％|%|割)',
        money: `
          いくら
          何(円|ドル|ユーロ)
          (料金|値段|価格|費用|代金|会費|家賃|月謝|手数料|運賃|年会費)[は|って] $
        `,
        duration: `
          何(分|時間|週間|か月|カ月|ヶ月|ヵ月|年間|泊|日間|日以内|日前|秒)
          何日(くらい|ぐらい|かか|まで借)
          (どれくらい|どのくらい|どれぐらい)(かか|続|の期間|前)
          期間[は|って] $
        `,
        hour: '何時',
        date: `
          いつ!(も|でも)
          何(曜日|日|月|年)
          (どの|何の)曜日
        `,
        measure: `
          何(メートル|キロ|グラム|センチ|ミリ|リットル|度|cm|kg|mm|平方)
          (重さ|長さ|高さ|幅|太さ|深さ|温度|広さ)[は|って] $
        `,
        identifier: '(電話番号|内線|番号(は|を|って)|番号 $)',
        number: `
          何(個|人|名|台|席|枚|本|回|冊|件|部屋|室|階|杯|匹|頭|軒|社|種類|点|歳|才|ページ|号|錠|粒|品|両|つ)
          いくつ
          (人数|回数|台数|席数|定員)[は|って] $
        `,
        reason: '(なぜ|どうして|理由|何のため|原因)',
      },
    },
    answers: {
      open: '営業 開館 開店 開いて',
      closed: '休館 定休 休業 閉館',
      versions: '改訂版 改定版 版 改訂 改定',
      weekdays: '(月|火|水|木|金|土|日)曜',
      timeUnits: '分 時間 日 日間 週間 か月 カ月 ヶ月 ヵ月 年間 秒 泊',
      fractions: '割 パーセント',
      prices: '無料 無償 実費',
      currencies: '円 ドル ユーロ',
      hourUnits: '時',
      measures: 'キロ グラム メートル リットル センチ ミリ 平米 畳 坪',
      reasons: 'ため ので せいで 理由 原因 おかげ ことから によ から(。|です|だ)',
    },
    synonyms: { phone: '電話 電話番号', email: 'メール メールアドレス' },
  },
  {
    code: 'ka',
    endings: { letters: 'აეიოუსთდმბ' },
  },
  {
    code: 'ko',
    questions: {
      ends: `
        *(습|입|합|됩|십|갑|옵|립|집|줍|둡|쓸|일|할|될|갈|올|줄)(니까|까요|까) *(나|는가|은가|인가|한가|된가|던가|건가|까)요
        알려_(주세요|주십시오|줘) 알려(주세요|주십시오|줘) 가르쳐_(주세요|주십시오) 말씀해_(주세요|주십시오) 궁금합니다 궁금해요
      `,
      labels: '질문 문',
      unknown: '(모르겠(어요|습니다|는데요)|몰라요|모릅니다)',
      whichAnywhere: '어느 어떤',
      situationEnds: '_동안 _때 _중',
    },
    stopWords: 'kor',
  },
  {
    code: 'lt',
    endings: { letters: 'aeiouysm' },
    stopWords: 'lit',
  },
  {
    code: 'lv',
    endings: { letters: 'aeiousm' },
    stopWords: 'lav',
  },
  {
    code: 'mr',
    endings: DEVANAGARI,
    stopWords: 'mar',
  },
  {
    code: 'ms',
    stemmer: 'malay',
    stopWords: 'msa',
  },
  {
    code: 'no',
    questions: { labels: 'Spørsmål', situations: 'mens', unknown: '(vet [det|jeg] ikke|ingen anelse|aner ikke)' },
    stemmer: 'norwegian',
    stopWords: 'nob',
    askingWords: 'hvem hva når hvor hvordan hvorfor hvilken hvilket hvilke',
    answers: { currencies: 'kroner', currencySigns: 'kr' },
  },
  {
    code: 'ro',
    questions: { labels: 'Întrebare', situations: 'în_timpul', unknown: '(nu (știu|știm)|habar n-am|nicio idee)' },
    stemmer: 'romanian',
    stopWords: 'ron',
    askingWords: 'cine ce când unde cum cât câtă câți câte care',
  },
  {
    code: 'sk',
    endings: { letters: 'aeiouymchvj' },
    stopWords: 'slk',
  },
  {
    code: 'sl',
    stemmer: 'slovene',
    stopWords: 'slv',
  },
  {
    code: 'sr',
    endings: SERBIAN,
  },
  {
    code: 'sv',
    questions: { labels: 'Fråga', situations: 'medan', unknown: '(vet (inte|ej)|ingen aning)' },
    stemmer: 'swedish',
    stopWords: 'swe',
    askingWords: 'vem vad när var hur varför vilken vilket vilka',
    answers: { currencies: 'kronor', currencySigns: 'kr' },
  },
  {
    code: 'ta',
    stemmer: 'tamil',
  },
  {
    code: 'te',
    endings: { letters: 'ాిీుూెేైొోౌం', least: 2 },
  },
  {
    code: 'tl',
    stopWords: 'tgl',
  },
  {
    code: 'tr',
    questions: {
      ends: 'm(ı|i|u|ü)[yım|yim|yum|yüm|yız|yiz|yuz|yüz|sınız|siniz|sunuz|sünüz|dır|dir]',
      requests: 'lütfen (bana|bize) *(söyle|anlat|bildir)*',
      labels: 'Soru',
      unknown: '(bilmiyorum|bilmiyoruz|[hiç] [bir] fikrim yok|emin değilim)',
      situationEnds: 'sırasında süresince boyunca',
    },
    stemmer: 'turkish',
    stopWords: 'tur',
    askingWords: 'kim ne nerede nereye nereden nasıl neden niçin niye kaç hangi hangisi kimin kime',
    answers: { currencySigns: 'TL' },
  },
  {
    code: 'uk',
    questions: {
      labels: 'Питання Запитання',
      situations: 'поки під_час',
      unknown: '(не (знаю|знаємо|пам’ятаю)|гадки не маю)',
    },
    endings: { letters: 'аяоеєиіїуюйьмхвг' },
    stopWords: 'ukr',
    askingWords: 'хто що де коли чому навіщо як який яка яке які скільки котрий куди звідки чий',
    answers: { currencySigns: 'грн' },
  },
  {
    code: 'ur',
    endings: { letters: 'ايےںو' },
    stopWords: 'urd',
  },
  {
    code: 'vi',
    stopWords: 'vie',
  },
  {
    code: 'yo',
    stopWords: 'yor',
  },
]
