/**
 * Words of instructions to a model, by language: beginnings of words, in lower case, separated by bars. `ignore`: asks to
 * ignore; `prior`: what came before; `rules`: what a model was told; `model`: names of a model; `demand`: what it should do.
 */
import type { Language } from '../quoting/languages.ts';

interface InstructionWords {
  readonly ignore: string;
  readonly prior: string;
  readonly rules: string;
  readonly model: string;
  readonly demand: string;
}

export const instructionWords: Readonly<Record<Exclude<Language, 'other'>, InstructionWords>> = {
  en: {
    ignore:
      "ignor|disregard|forget|override|overrid|bypass|do not follow|don't follow|stop following|discard|neglect",
    prior:
      'previous|prior|above|earlier|preceding|all|any|your|former|existing|original|initial|system|other|given|old',
    rules:
      'instruction|prompt|directive|rules|guideline|system message|guardrail|programming|constraints|commands|safety polic',
    model:
      'ai assistant|ai agent|ai model|ai system|ai reading|ai that|assistant ai|language model|llm|chatbot|virtual assistant|email assistant|mail assistant|ai|chatgpt|gpt|claude|copilot|gemini|assistant|the model|automated agent',
    demand:
      'send|forward|repl|answer|respond|reveal|show|print|output|mark|approve|classif|delete|transfer|confirm|execute|run|export|list|tell|say|give|grant|issue|summar|open|follow|add|include|treat|close|ignore|disregard|write|move|create|share|return|state|pay|call|use|click|visit',
  },
  de: {
    ignore:
      'ignorier|vergiss|vergessen|missachte|verwirf|verwerfe|übergeh|überschreib|befolge nicht|beachte nicht',
    prior:
      'bisherig|vorherig|vorig|vorangegang|früher|obig|alle|deine|ihre|ursprünglich|bestehend|gegeben|vorhergehend',
    rules: 'anweisung|instruktion|vorgabe|regeln|prompt|befehle|systemnachricht|richtlinien|vorschrift',
    model:
      'ki-assistent|ki-agent|ki-modell|ki-system|ki|sprachmodell|assistent|assistenzsystem|chatbot|künstliche intelligenz',
    demand:
      'send|schick|leite|antwort|zeig|markier|genehmig|lösch|überweis|bestätig|führe|liste|gib|nenn|schreib|stuf|fasse|verschieb|schließ|ignorier|exportier|teil|erstatt|storn',
  },
  fr: {
    ignore:
      'ignor|oublie|oubliez|oublier|ne tiens pas compte|ne tenez pas compte|ne suis pas|ne suivez pas|écarte|fais abstraction|faites abstraction',
    prior: "précédent|antérieur|ci-dessus|toutes|tous|tes|vos|initial|existant|d'origine",
    rules: 'instruction|consigne|directive|règles|prompt|invite système|message système|commandes',
    model:
      "assistant ia|assistant d'ia|agent ia|agent d'ia|modèle de langage|modèle d'ia|ia|intelligence artificielle|assistant virtuel|assistant|chatbot",
    demand:
      'envoi|envoy|transf|transm|répond|montre|affich|marque|approuv|supprim|confirm|exécut|liste|donne|écri|class|révèl|résum|exporte|valide|rembours|partage',
  },
  es: {
    ignore:
      'ignor|olvida|olvide|olviden|descarta|haz caso omiso|haga caso omiso|no sigas|no siga|omite|omita',
    prior: 'anterior|previ|arriba|todas|todos|tus|sus|inicial|existente|original|precedente',
    rules: 'instruccion|indicacion|directri|reglas|prompt|mensaje del sistema|órdenes|directivas',
    model:
      'asistente de ia|asistente ia|agente de ia|agente ia|modelo de lenguaje|modelo de ia|ia|inteligencia artificial|asistente virtual|asistente|chatbot',
    demand:
      'envía|envia|envíe|envie|reenví|reenvi|responde|responda|muestr|marca|marque|aprueb|borra|elimina|transfier|confirm|ejecut|lista|da |dame|dé |escrib|clasific|revela|resum|export|compart',
  },
  pt: {
    ignore: 'ignor|esqueça|esquece|desconsider|desconsidere|não siga|descarte',
    prior: 'anterior|prévi|acima|todas|todos|suas|seus|inicia|existente|original|precedente',
    rules: 'instruç|orientaç|diretri|regras|prompt|mensagem do sistema|comandos|ordens',
    model:
      'assistente de ia|assistente ia|agente de ia|agente ia|modelo de linguagem|modelo de ia|ia|inteligência artificial|assistente virtual|assistente|chatbot',
    demand:
      'envi|encaminh|respond|mostr|marqu|marca|aprov|apag|exclu|transfir|confirm|execut|list|dê|escrev|classifi|revel|resum|export|compartilh',
  },
  it: {
    ignore: 'ignora|ignori|ignorate|dimentica|dimentichi|non seguire|trascura|scarta|non tenere conto',
    prior: 'precedent|anterior|sopra|tutte|tutti|tue|tuoi|sue|suoi|inizial|esistent|original',
    rules: 'istruzion|direttiv|regole|prompt|messaggio di sistema|comandi|indicazion|ordini',
    model:
      'assistente ia|assistente ai|assistente di ia|agente ia|agente ai|modello linguistico|modello di linguaggio|modello ia|ia|intelligenza artificiale|assistente virtuale|assistente|chatbot',
    demand:
      'invia|invii|inoltr|rispond|mostra|mostri|segna|contrassegn|approv|cancell|elimin|trasferi|conferm|esegu|elenc|dai|scriv|classific|rivel|riassum|esport|condivid',
  },
  nl: {
    ignore: 'negeer|negeren|vergeet|sla over|volg niet|overschrijf',
    prior: 'vorige|voorgaande|eerdere|bovenstaande|alle|je |jouw|uw|oorspronkelijke|bestaande',
    rules: 'instructie|aanwijzing|opdracht|regels|prompt|systeembericht|richtlijn|voorschrift|bevelen',
    model:
      'ai-assistent|ai assistent|ai-agent|ai agent|ai-model|taalmodel|ai|kunstmatige intelligentie|virtuele assistent|assistent|chatbot',
    demand:
      'stuur|verstuur|antwoord|toon|laat|markeer|keur|verwijder|bevestig|voer|geef|schrijf|maak|onthul|vat|exporteer|deel',
  },
  pl: {
    ignore: 'ignoruj|zignoruj|zapomnij|pomiń|pomin|nie stosuj|odrzuć|zlekceważ',
    prior: 'poprzedni|wcześniejsz|powyższ|wszystki|swoje|twoje|dotychczasow|pierwotn|istniejąc',
    rules: 'instrukc|poleceni|polecen|wytyczn|zasad|reguł|prompt|komunikat systemow|rozkaz',
    model:
      'asystent ai|asystencie ai|agent ai|agencie ai|model językow|modelu językow|sztuczna inteligenc|sztuczną inteligenc|ai|asystent|asystencie|chatbot',
    demand:
      'wyślij|przeslij|prześlij|przekaż|odpowiedz|pokaż|oznacz|zatwierdź|usuń|potwierdź|wykonaj|wymień|podaj|napisz|ujawnij|streść|wyeksportuj|udostępnij',
  },
  sv: {
    ignore: 'ignorera|strunta|glöm|bortse|följ inte|åsidosätt',
    prior: 'tidigare|föregående|ovanstående|alla|dina|era|ursprunglig|befintlig',
    rules: 'instruktion|anvisning|regler|prompt|systemmeddelande|riktlinje|föreskrift|kommandon',
    model:
      'ai-assistent|ai assistent|ai-agent|ai-modell|språkmodell|ai|artificiell intelligens|virtuell assistent|assistent|chatbot',
    demand:
      'skicka|vidarebefordra|svara|visa|markera|godkänn|radera|ta bort|bekräfta|kör|lista|ge |skriv|avslöja|sammanfatta|exportera|dela',
  },
  da: {
    ignore: 'ignorer|ignorér|glem|se bort fra|følg ikke|tilsidesæt',
    prior: 'tidligere|foregående|forrige|ovenstående|alle|dine|jeres|oprindelig|eksisterende',
    rules: 'instruktion|instruks|anvisning|regler|prompt|systembesked|retningslinje|kommandoer|ordrer',
    model:
      'ai-assistent|ai assistent|ai-agent|ai-model|sprogmodel|ai|kunstig intelligens|virtuel assistent|assistent|chatbot',
    demand:
      'send|videresend|svar|vis|marker|godkend|slet|bekræft|kør|list|giv|skriv|afslør|opsummer|eksporter|del ',
  },
  no: {
    ignore: 'ignorer|glem|se bort fra|ikke følg|overstyr',
    prior: 'tidligere|foregående|forrige|ovenstående|alle|dine|deres|opprinnelig|eksisterende',
    rules: 'instruksjon|instruks|anvisning|regler|prompt|systemmelding|retningslinje|kommandoer|ordre',
    model:
      'ai-assistent|ki-assistent|ai-agent|ki-agent|ai-modell|språkmodell|ai|ki|kunstig intelligens|virtuell assistent|assistent|chatbot',
    demand:
      'send|videresend|svar|vis|merk|godkjenn|slett|bekreft|kjør|list|gi |skriv|avslør|oppsummer|eksporter|del ',
  },
  cs: {
    ignore: 'ignoruj|zapomeň|zapomeňte|nedbej|neřiď|přehlížej|pomiň|nenásleduj',
    prior: 'předchozí|dřívější|předešl|výše|všechny|veškeré|své|svoje|vaše|původní|dosavadní',
    rules: 'pokyn|instrukc|pravid|prompt|systémov|příkaz|směrnic',
    model:
      'asistent ai|asistente ai|ai asistent|ai agent|agente ai|jazykový model|jazykovém modelu|umělá inteligence|umělou inteligencí|ai|asistent|asistente|chatbot',
    demand:
      'pošli|pošlete|přepošli|odpověz|ukaž|označ|schval|smaž|potvrď|proveď|vypiš|dej|napiš|prozraď|shrň|exportuj|sdílej',
  },
  ru: {
    ignore: 'игнориру|проигнорируй|забудь|забудьте|не следуй|не следуйте|отбрось|пренебреги|не обращай',
    prior: 'предыдущ|прежн|вышеуказан|выше|все|всё|свои|твои|ваши|исходн|первоначальн|прошл',
    rules: 'инструкц|указани|правил|промпт|системн|директив|команд|предписани',
    model:
      'ии-ассистент|ии ассистент|ии-агент|ии агент|ии-помощник|языковая модель|языковой модел|нейросеть|искусственн|ии|ассистент|чат-бот|помощник',
    demand:
      'отправь|отправьте|перешли|пришли|ответь|ответьте|покажи|отметь|одобри|удали|подтверди|выполни|перечисли|дай|напиши|раскрой|экспортируй|переведи',
  },
  zh: {
    ignore: '忽略|无视|無視|忘记|忘記|不要遵循|忽視|不理会|不要理会',
    prior: '之前|以上|先前|上述|所有|前面|此前|原有|你的|全部',
    rules: '指令|指示|规则|規則|提示词|提示詞|系统消息|命令|设定|說明|系统提示',
    model:
      'ai助手|ai 助手|ai助理|ai代理|人工智能|人工智慧|语言模型|語言模型|大模型|智能助手|智能体|机器人助手',
    demand: '发送|發送|转发|轉發|回复|回覆|显示|标记|批准|删除|确认|执行|列出|给|告诉|输出|导出|写|发给|透露',
  },
  ja: {
    ignore: '無視|忘れ|従わない|破棄',
    prior: '以前|これまで|上記|前の|すべて|全て|あなたの|先の|既存|今まで|元の',
    rules: '指示|命令|ルール|規則|プロンプト|システムメッセージ|指令|制約',
    model:
      'aiアシスタント|ai アシスタント|aiエージェント|言語モデル|人工知能|アシスタント|チャットボット|生成ai|ai',
    demand: '送って|送信|転送|返信|返答|表示|承認|削除|確認|実行|一覧|教えて|書いて|出力|要約|返金|返し',
  },
  he: {
    ignore: 'התעלם|תתעלם|התעלמי|התעלמו|שכח|תשכח|אל תציית|התעלמות|להתעלם',
    prior: 'קודמות|הקודמות|קודם|לעיל|כל|שלך|הראשוניות|המקוריות|הקודמים',
    rules: 'הוראות|ההוראות|הנחיות|ההנחיות|כללים|הכללים|פרומפט|הודעת המערכת|פקודות|הפקודות',
    model: "עוזר בינה מלאכותית|עוזר ai|סוכן ai|מודל שפה|בינה מלאכותית|עוזר וירטואלי|העוזר|צ'אטבוט|ai",
    demand: 'שלח|תשלח|העבר|השב|ענה|הצג|סמן|אשר|מחק|בצע|כתוב|תן|חשוף|סכם|ייצא',
  },
  ar: {
    ignore: 'تجاهل|تجاهلي|تجاهلوا|انس|إنس|لا تتبع|تغاض',
    prior: 'السابقة|السابق|أعلاه|جميع|كل|الأصلية|الحالية|كافة|المسبقة',
    rules: 'التعليمات|تعليمات|تعليماتك|القواعد|الأوامر|أوامر|التوجيهات|توجيهات|رسالة النظام|الموجه',
    model:
      'مساعد الذكاء|المساعد الذكي|وكيل الذكاء|نموذج لغوي|نموذج اللغة|النموذج اللغوي|الذكاء الاصطناعي|ذكاء اصطناعي|المساعد|مساعد|روبوت',
    demand: 'أرسل|ارسل|حول|أعد|رد|أجب|أظهر|اعرض|ضع|وافق|احذف|أكد|نفذ|اكتب|اذكر|أعط|لخص|صدر|قم',
  },
  fi: {
    ignore: 'unohda|jätä huomiotta|ohita|sivuuta|älä noudata|älä välitä',
    prior: 'aiem|edelli|yllä|kaikki|kaikkia|sinun|alkuperäi|nykyi',
    rules: 'ohje|sääntö|säännö|kehot|prompt|käsky|määräyks|järjestelmäviest',
    model:
      'tekoälyavustaja|tekoälyagentti|tekoäly|kielimalli|virtuaaliavustaja|avustaja|ai-avustaja|ai|chatbot',
    demand:
      'lähetä|välitä|vastaa|näytä|merkitse|hyväksy|poista|vahvista|suorita|luettele|anna|kirjoita|paljasta|tiivistä|vie ',
  },
  hu: {
    ignore:
      'hagyd figyelmen kívül|hagyja figyelmen kívül|felejtsd el|felejtse el|ne kövesd|mellőzd|figyelmen kívül',
    prior: 'korábbi|előző|fenti|összes|minden|eredeti|meglévő',
    rules: 'utasítás|szabály|prompt|irányelv|rendszerüzenet|parancs',
    model:
      'mi-asszisztens|ai-asszisztens|ai asszisztens|mi-ügynök|nyelvi modell|mesterséges intelligencia|asszisztens|chatbot|ai',
    demand:
      'küld|továbbít|válaszol|mutasd|jelöld|hagyd jóvá|töröl|erősíts|hajtsd|sorold|adj|írj|írd|fedd|foglald|exportál|oszd',
  },
  ko: {
    ignore: '무시|잊어|잊으|따르지 마',
    prior: '이전|위의|앞의|모든|기존|당신의|지금까지|원래',
    rules: '지시|명령|규칙|프롬프트|지침|시스템 메시지',
    model: 'ai 비서|ai비서|ai 어시스턴트|ai 에이전트|언어 모델|인공지능|어시스턴트|챗봇',
    demand: '보내|전달|답장|답변|표시|승인|삭제|확인|실행|나열|알려|작성|공개|요약|내보내|환불',
  },
};

/** Words before the name of a model that address it: "if you are an AI", "note to the assistant". */
export const addressWords =
  "if you are|if you're|you are an|you are a|attention|note to|note for|message to|message for|instructions for|instruction for|instructions to|dear|hey|hello|as an|to the|to any|to all|for the|for any|" +
  'wenn du|falls du|falls sie|wenn sie|achtung|hinweis an|hinweis für|an den|an die|an das|an alle|liebe|lieber|liebes|als|' +
  "si tu es|si vous êtes|attention|note à|note pour|à l'attention|cher|en tant|à tout|pour l'|pour le|message à|" +
  'si eres|si usted es|atención|nota para|mensaje para|para el|para la|para cualquier|querid|estimad|como|' +
  "se você|se voce|atenção|nota para|para o|para a|prezad|car|mensagem para|se sei|se lei|se tu sei|attenzione|nota per|per l'|per il|caro|come|messaggio per|" +
  'als je|als u|als jij|let op|aan de|aan het|aan alle|voor de|beste|jeśli jesteś|uwaga|do |dla |drogi|jako|' +
  'om du|obs|till |för |kära|som |hvis du|til |for |kære|kjære|bemærk|merk|pokud jsi|pokud jste|pozor|pro |milý|vážen|' +
  'если ты|если вы|внимание|для |дорог|уважаем|как |如果你是|如果您是|致|注意|作为|亲爱的|给|もしあなたが|注意|への|へ|として|あなたが|' +
  'אם אתה|לתשומת|הערה ל|אל |בתור|إذا كنت|انتباه|إلى|ملاحظة|عزيزي|بصفتك|jos olet|huomio|hyvä|viesti|ha ön|ha te|figyelem|kedves|mint|당신이|만약|주의|에게|께';

/** What only a program writes or reads: marks of roles in prompts, and sentences that prompts are known for. */
export const promptMarks: readonly RegExp[] = [
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>/i,
  /\[\/?INST\]|<<\/?SYS>>|\[\/?(?:SYSTEM|ASSISTANT)(?: (?:MESSAGE|PROMPT|NOTE|OVERRIDE))?\]/,
  /<\/?(?:system|system_prompt|system-reminder|assistant|function_calls|tool_call|tool_result)>/i,
  /^#{1,4} ?(?:system|instructions?|assistant|new instructions?)(?: (?:prompt|message|override))? ?:/im,
  /^(?:system|assistant) ?: ?(?:you|ignore|disregard|override|forget|new instructions?)\b/im,
  /\b(?:begin|end|new|updated?|override) (?:of )?(?:the )?system (?:prompt|message|instructions?)\b/i,
  /\bsystem (?:prompt|instructions?|message) (?:update|override)/i,
  /\b(?:reveal|show|print|repeat|output|send|leak|give|tell) (?:me |us )?(?:your|the) (?:full |whole |entire |hidden |initial )?system (?:prompt|message|instructions?)\b/i,
  /\byou are now (?:a|an|in|the|my|free|no longer)\b[^.\n]{0,80}\b(?:ai|assistant|mode|dan|clerk|agent|bot|model|unrestricted|limits?|restrictions?|rules)\b/i,
  /\b(?:developer|god|jailbreak|dan|unrestricted|maintenance) mode (?:is )?(?:now )?(?:enabled|on|activated|active)\b/i,
];
