/** Remarks of the service in answers, in one language. */
export type Remarks = {
  /** The whole answer if nothing was found. */
  noAnswer: string
  /** The whole answer to a question without a subject. */
  incompleteQuestion: string
  /** After a quote of a correction; `{date}` is a day such as `2026-11-21`. */
  correctedOn: string
  /** Before a quote that contradicts the answer; `{title}` is its document. */
  differs: string
}

/** Answer, question, correction and difference, in the order of {@link Remarks}. */
type RemarkTexts = readonly [noAnswer: string, incompleteQuestion: string, correctedOn: string, differs: string]

const ENGLISH: RemarkTexts = [
  'No answer was found in the sources.',
  'The question does not say what it is about. Ask a complete question.',
  'corrected on {date}',
  '{title} differs',
]

/** Texts by language (ISO 639-1). */
const TEXTS: Readonly<Record<string, RemarkTexts>> = {
  af: [
    'Geen antwoord is in die bronne gevind nie.',
    'Die vraag sê nie waaroor dit gaan nie. Stel ’n volledige vraag.',
    'reggestel op {date}',
    '{title} verskil',
  ],
  ar: [
    'لم يُعثر على إجابة في المصادر.',
    'السؤال لا يوضّح موضوعه. اطرح سؤالًا كاملًا وواضحًا من فضلك.',
    'صُحّح في {date}',
    'يختلف {title}',
  ],
  be: [
    'У крыніцах не знойдзена адказу.',
    'З пытання незразумела, пра што яно. Задайце поўнае пытанне.',
    'выпраўлена {date}',
    '{title} адрозніваецца',
  ],
  bg: [
    'В източниците не е намерен отговор.',
    'Въпросът не казва за какво се отнася. Задайте пълен въпрос.',
    'поправено на {date}',
    '{title} се различава',
  ],
  bn: [
    'উৎসগুলিতে কোনো উত্তর পাওয়া যায়নি।',
    'প্রশ্নটি কী সম্পর্কে তা বলা হয়নি। একটি সম্পূর্ণ প্রশ্ন করুন।',
    '{date} তারিখে সংশোধিত',
    '{title} ভিন্ন',
  ],
  ca: [
    "No s'ha trobat cap resposta a les fonts.",
    'La pregunta no diu de què tracta. Feu una pregunta completa.',
    'corregit el {date}',
    '{title} difereix',
  ],
  cs: [
    'Ve zdrojích nebyla nalezena žádná odpověď.',
    'Z otázky není jasné, čeho se týká. Položte úplnou otázku.',
    'opraveno {date}',
    '{title} se liší',
  ],
  da: [
    'Der blev ikke fundet noget svar i kilderne.',
    'Spørgsmålet siger ikke, hvad det handler om. Stil et fuldstændigt spørgsmål.',
    'rettet den {date}',
    '{title} afviger',
  ],
  de: [
    'In den Quellen wurde keine Antwort gefunden.',
    'Die Frage sagt nicht, worum es geht. Stellen Sie eine vollständige Frage.',
    'korrigiert am {date}',
    '{title} weicht ab',
  ],
  el: [
    'Δεν βρέθηκε απάντηση στις πηγές.',
    'Η ερώτηση δεν λέει σε τι αναφέρεται. Κάντε μια πλήρη ερώτηση.',
    'διορθώθηκε στις {date}',
    '{title} διαφέρει',
  ],
  en: ENGLISH,
  es: [
    'No se encontró ninguna respuesta en las fuentes.',
    'La pregunta no dice de qué se trata. Haga una pregunta completa.',
    'corregido el {date}',
    '{title} difiere',
  ],
  et: [
    'Allikatest vastust ei leitud.',
    'Küsimusest ei selgu, mille kohta see on. Esitage täielik küsimus.',
    'parandatud {date}',
    '{title} erineb',
  ],
  eu: [
    'Ez da erantzunik aurkitu iturrietan.',
    'Galderak ez du esaten zeri buruzkoa den. Egin galdera oso bat.',
    'zuzendua: {date}',
    '{title} desberdina da',
  ],
  fa: [
    'پاسخی در منابع یافت نشد.',
    'پرسش نمی‌گوید دربارهٔ چیست. یک پرسش کامل بپرسید.',
    'تصحیح‌شده در {date}',
    '{title} متفاوت است',
  ],
  fi: [
    'Lähteistä ei löytynyt vastausta.',
    'Kysymyksestä ei selviä, mitä se koskee. Esitä täydellinen kysymys.',
    'korjattu {date}',
    '{title} poikkeaa',
  ],
  fr: [
    "Aucune réponse n'a été trouvée dans les sources.",
    'La question ne dit pas de quoi il s’agit. Posez une question complète.',
    'corrigé le {date}',
    '{title} diffère',
  ],
  ga: [
    'Níor aimsíodh freagra sna foinsí.',
    'Ní deir an cheist cad faoi a bhfuil sí. Cuir ceist iomlán.',
    'ceartaithe ar {date}',
    'tá difríocht in {title}',
  ],
  gl: [
    'Non se atopou ningunha resposta nas fontes.',
    'A pregunta non di de que trata. Faga unha pregunta completa.',
    'corrixido o {date}',
    '{title} difire',
  ],
  gu: [
    'સ્રોતોમાં કોઈ જવાબ મળ્યો નથી.',
    'પ્રશ્ન શેના વિશે છે તે પ્રશ્નમાં કહેલું નથી. કૃપા કરીને પૂરો પ્રશ્ન પૂછો.',
    '{date} ના રોજ સુધારેલ',
    '{title} જુદું છે',
  ],
  he: ['לא נמצאה תשובה במקורות.', 'השאלה אינה מציינת במה מדובר. יש לשאול שאלה מלאה.', 'תוקן ב-{date}', '{title} שונה'],
  hi: [
    'स्रोतों में कोई उत्तर नहीं मिला।',
    'प्रश्न यह नहीं बताता कि वह किसके बारे में है। पूरा प्रश्न पूछें।',
    '{date} को सुधारा गया',
    '{title} में अंतर है',
  ],
  hr: [
    'U izvorima nije pronađen odgovor.',
    'Pitanje ne kaže o čemu se radi. Postavite potpuno pitanje.',
    'ispravljeno {date}',
    '{title} se razlikuje',
  ],
  hu: [
    'A forrásokban nem található válasz.',
    'A kérdésből nem derül ki, mire vonatkozik. Tegyen fel teljes kérdést.',
    'javítva: {date}',
    '{title} eltér',
  ],
  hy: [
    'Աղբյուրներում պատասխան չի գտնվել։',
    'Հարցից պարզ չէ, թե ինչի մասին է այն։ Տվեք ամբողջական հարց։',
    'ուղղվել է {date}',
    '{title} տարբերվում է',
  ],
  id: [
    'Tidak ada jawaban yang ditemukan dalam sumber.',
    'Pertanyaan tidak menyebutkan tentang apa. Ajukan pertanyaan yang lengkap.',
    'dikoreksi pada {date}',
    '{title} berbeda',
  ],
  is: [
    'Ekkert svar fannst í heimildunum.',
    'Spurningin segir ekki um hvað hún er. Spyrðu heillar spurningar.',
    'leiðrétt {date}',
    '{title} er frábrugðið',
  ],
  it: [
    'Nelle fonti non è stata trovata alcuna risposta.',
    'La domanda non dice di che cosa si tratta. Fare una domanda completa.',
    'corretto il {date}',
    '{title} è diverso',
  ],
  ja: [
    '資料に回答は見つかりませんでした。',
    '質問の対象が示されていません。完全な質問をしてください。',
    '{date}に訂正',
    '{title}では異なる',
  ],
  ka: [
    'წყაროებში პასუხი ვერ მოიძებნა.',
    'კითხვიდან არ ჩანს, რას ეხება იგი. დასვით სრული კითხვა.',
    'შესწორდა {date}',
    '{title} განსხვავდება',
  ],
  ko: [
    '자료에서 답을 찾지 못했습니다.',
    '질문의 대상이 나와 있지 않습니다. 완전한 질문을 해 주세요.',
    '{date}에 정정됨',
    '{title} 내용은 다름',
  ],
  lt: [
    'Šaltiniuose atsakymo nerasta.',
    'Iš klausimo neaišku, apie ką jis. Užduokite išsamų klausimą.',
    'pataisyta {date}',
    '{title} skiriasi',
  ],
  lv: [
    'Avotos atbilde netika atrasta.',
    'Jautājumā nav teikts, par ko tas ir. Uzdodiet pilnīgu jautājumu.',
    'labots {date}',
    '{title} atšķiras',
  ],
  mr: [
    'स्रोतांमध्ये उत्तर सापडले नाही.',
    'प्रश्न कशाबद्दल आहे हे सांगितलेले नाही. पूर्ण प्रश्न विचारा.',
    '{date} रोजी दुरुस्त',
    '{title} वेगळे आहे',
  ],
  ms: [
    'Tiada jawapan ditemui dalam sumber.',
    'Soalan tidak menyatakan tentang apa. Tanya soalan yang lengkap.',
    'diperbetulkan pada {date}',
    '{title} berbeza',
  ],
  nl: [
    'In de bronnen is geen antwoord gevonden.',
    'De vraag zegt niet waarover het gaat. Stel een volledige vraag.',
    'gecorrigeerd op {date}',
    '{title} wijkt af',
  ],
  no: [
    'Det ble ikke funnet noe svar i kildene.',
    'Spørsmålet sier ikke hva det gjelder. Still et fullstendig spørsmål.',
    'rettet {date}',
    '{title} avviker',
  ],
  pl: [
    'W źródłach nie znaleziono odpowiedzi.',
    'Z pytania nie wynika, czego dotyczy. Zadaj pełne pytanie.',
    'poprawiono {date}',
    '{title} podaje inaczej',
  ],
  pt: [
    'Nenhuma resposta foi encontrada nas fontes.',
    'A pergunta não diz do que se trata. Faça uma pergunta completa.',
    'corrigido em {date}',
    '{title} difere',
  ],
  ro: [
    'Nu s-a găsit niciun răspuns în surse.',
    'Întrebarea nu spune despre ce este vorba. Puneți o întrebare completă.',
    'corectat la {date}',
    '{title} diferă',
  ],
  ru: [
    'В источниках ответа не найдено.',
    'Из вопроса неясно, о чём он. Задайте полный вопрос.',
    'исправлено {date}',
    '{title} отличается',
  ],
  sk: [
    'V zdrojoch sa nenašla žiadna odpoveď.',
    'Z otázky nie je jasné, čoho sa týka. Položte úplnú otázku.',
    'opravené {date}',
    '{title} sa líši',
  ],
  sl: [
    'V virih ni bilo najdenega odgovora.',
    'Vprašanje ne pove, za kaj gre. Postavite popolno vprašanje.',
    'popravljeno {date}',
    '{title} se razlikuje',
  ],
  sr: [
    'У изворима није пронађен одговор.',
    'Питање не каже о чему се ради. Поставите потпуно питање.',
    'исправљено {date}',
    '{title} се разликује',
  ],
  sv: [
    'Inget svar hittades i källorna.',
    'Frågan säger inte vad den gäller. Ställ en fullständig fråga.',
    'rättat den {date}',
    '{title} avviker',
  ],
  ta: [
    'ஆதாரங்களில் பதில் கிடைக்கவில்லை.',
    'கேள்வி எதைப் பற்றியது என்று கூறவில்லை. முழுமையான கேள்வியைக் கேளுங்கள்.',
    '{date} அன்று திருத்தப்பட்டது',
    '{title} வேறுபடுகிறது',
  ],
  te: [
    'ఆధారాలలో సమాధానం దొరకలేదు.',
    'ప్రశ్న దేని గురించో ప్రశ్నలో చెప్పలేదు. దయచేసి పూర్తి ప్రశ్నను అడగండి.',
    '{date}న సరిచేయబడింది',
    '{title} భిన్నంగా ఉంది',
  ],
  tl: [
    'Walang nahanap na sagot sa mga sanggunian.',
    'Hindi sinasabi ng tanong kung tungkol saan ito. Magtanong nang buo.',
    'itinama noong {date}',
    'iba ang nasa {title}',
  ],
  tr: [
    'Kaynaklarda yanıt bulunamadı.',
    'Soru, neyle ilgili olduğunu söylemiyor. Tam bir soru sorun.',
    '{date} tarihinde düzeltildi',
    '{title} farklı',
  ],
  uk: [
    'У джерелах відповіді не знайдено.',
    'Із запитання незрозуміло, про що воно. Поставте повне запитання.',
    'виправлено {date}',
    '{title} відрізняється',
  ],
  ur: [
    'ماخذ میں کوئی جواب نہیں ملا۔',
    'سوال یہ نہیں بتاتا کہ وہ کس بارے میں ہے۔ مکمل سوال پوچھیں۔',
    '{date} کو درست کیا گیا',
    '{title} مختلف ہے',
  ],
  vi: [
    'Không tìm thấy câu trả lời trong các nguồn.',
    'Câu hỏi không nói về điều gì. Hãy đặt một câu hỏi đầy đủ.',
    'sửa ngày {date}',
    '{title} ghi khác',
  ],
  yo: [
    'A kò rí ìdáhùn nínú àwọn orísun.',
    'Ìbéèrè náà kò sọ ohun tí ó dá lé. Béèrè ìbéèrè tó pé.',
    'a ṣe àtúnṣe rẹ̀ ní {date}',
    '{title} yàtọ̀',
  ],
  zh: ['资料中没有找到答案。', '问题没有说明问的是什么。请提出完整的问题。', '更正于{date}', '{title}的说法不同'],
}

/** Returns the remarks in a language (ISO 639-1); in English for other languages. */
export function remarksIn(language: string): Remarks {
  const [noAnswer, incompleteQuestion, correctedOn, differs] = TEXTS[language] ?? ENGLISH
  return { noAnswer, incompleteQuestion, correctedOn, differs }
}
