/**
 * Weights of words by how much they identify a market and its direction; the words with the least
 * weight are left out first.
 */
const WEIGHTS = {
  negation: 5,
  digit: 4,
  direction: 3.5,
  sign: 3.5,
  first: 3.2,
  capital: 3,
  kind: 2,
  other: 1,
  small: 0.5,
} as const;
/** Weight of a word that joins others or asks. */
export const SMALL_WEIGHT = WEIGHTS.small;
/** Minimum weight of a word that names something or states a direction. */
export const NAME_WEIGHT = WEIGHTS.capital;

/** Portuguese "no" (in the) also counts as a negation, because it is one in English and Spanish. */
const NEGATIONS = wordSet(
  'no not non never neither nor none nobody nothing without cannot',
  'nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder',
  'ne pas jamais aucun aucune sans ni personne rien',
  'nunca jamás ningún ninguna ninguno sin tampoco nadie nada',
  'não jamais nenhum nenhuma sem nem ninguém',
);

/** Words of direction and order; replacing one of them gives a different market. */
const DIRECTIONS = wordSet(
  // English
  'yes above below over under before after until since between outside inside within beyond during',
  'more less fewer most least greater higher lower highest lowest high low up down top bottom',
  'maximum minimum max min best worst largest smallest biggest hottest coldest warmest hotter',
  'colder larger smaller longer shorter longest shortest earlier later early late sooner',
  'first second third fourth fifth sixth seventh eighth ninth tenth last next previous former',
  'exceed exceeds reach reaches hit hits miss misses dip dips fall falls drop drops rise rises',
  'climb climbs crash crashes gain gains lose loses losing win wins winning beat beats defeat',
  'defeats draw draws tie ties increase increases decrease decreases cut cuts hike hikes raise',
  'raises lower lowers hold holds keep keeps pass passes fail fails approve approves reject rejects',
  'accept accepts deny denies confirm confirms veto vetoes stay stays remain remains leave leaves',
  'enter enters join joins exit exits start starts begin begins end ends stop stops continue',
  'continues open opens close closes buy buys sell sells grow grows shrink shrinks expand expands',
  'pause pauses resume resumes ban bans allow allows legal illegal guilty innocent acquitted',
  'convicted alive dead survive survives die dies attack attacks defend defends invade invades',
  'withdraw withdraws support supports oppose opposes agree agrees refuse refuses release releases',
  'delay delays against with positive negative better worse home away north south east west left',
  'majority minority',
  // German
  'ja über unter oberhalb unterhalb vor nach bis seit zwischen außerhalb innerhalb mehr weniger',
  'mindestens höchstens höher niedriger höchste höchsten niedrigste niedrigsten steigt steigen',
  'sinkt sinken fällt fallen erreicht erreichen übersteigt gewinnt gewinnen verliert verlieren',
  'besiegt schlägt erste ersten zweite zweiten dritte dritten letzte letzten nächste nächsten',
  'früher später erhöht erhöhen senkt senken annehmen ablehnen bleibt bleiben verlässt verlassen',
  'tritt öffnet schließt gegen beste schlechteste größte kleinste meisten wenigsten',
  // French
  'oui dessus dessous avant après jusqu jusque depuis entre hors dans moins plus supérieur inférieur',
  'supérieure inférieure maximum minimum haut bas hausse baisse monte monter descend descendre',
  'atteint atteindre atteindra dépasse dépasser dépassera tombe tomber tombera gagne gagner gagnera',
  'perd perdre perdra bat battre battra premier première second deuxième troisième dernier dernière',
  'prochain prochaine augmente augmenter augmentera diminue diminuer diminuera réduit accepte',
  'accepter refuse refuser reste rester restera quitte quitter quittera ouvre ferme contre meilleur',
  'pire élevée élevé basse',
  // Spanish
  'sí encima debajo antes después hasta desde entre fuera dentro más menos mayor menor máximo mínimo',
  'máxima mínima alto bajo alta baja sube subir subirá cae caer caerá supera superar superará',
  'alcanza alcanzar alcanzará llega llegar llegará gana ganar ganará pierde perder perderá vence',
  'primero primera primer segundo segunda tercero tercera último última próximo próxima aumenta',
  'aumentar aumentará reduce reducir reducirá acepta aceptar aceptará rechaza rechazar rechazará',
  'queda quedará deja dejará abre abrirá cierra cerrará contra mejor peor',
  // Portuguese
  'sim acima abaixo depois até entre fora dentro mais menos maior menor máxima mínima sobe subir',
  'subirá cai cair cairá supera ultrapassa ultrapassar ultrapassará atinge atingir atingirá chega',
  'chegará ganha ganhar ganhará perde perder perderá vence vencer vencerá primeiro primeira segundo',
  'segunda terceiro terceira último última próximo próxima aumenta aumentará reduz reduzir reduzirá',
  'aceita aceitará rejeita rejeitará fica ficará sai sairá abre fecha fechará contra melhor pior',
);

/** Words for kinds of offices, contests and bodies, which all markets of a family share. */
const KINDS = wordSet(
  'president presidential vice prime minister chancellor governor mayor senate senator house congress',
  'parliament election elections electoral primary party candidate nominee nomination league',
  'championship championships champion cup series final finals bowl',
  'tournament season division conference playoffs match game games award awards prize department',
  'state states united supreme leader court chamber deputies council committee commission central',
  'bank federal reserve government administration office seat seats wedding film movie album song',
  'team club city county university street company ceo',
  'präsident präsidentin bundeskanzler bundeskanzlerin kanzler kanzlerin minister wahl wahlen partei',
  'liga meisterschaft weltmeisterschaft pokal bundestag zentralbank regierung staat staaten vereinigte',
  'président présidente ministre élection élections parti ligue championnat coupe assemblée banque',
  'centrale gouvernement états unis',
  'presidente presidenta ministro ministra elección elecciones partido campeonato copa congreso senado',
  'banco gobierno estados unidos',
  'eleição eleições governo câmara senado',
);

/** Words that join others or ask. They do not identify a market. */
const SMALL_WORDS = wordSet(
  'the a an of in on by be to for and or at is are was were will would shall can could do does did',
  'has have had it its this that these those there as from than who whom whose which what when where',
  'why how',
  'der die das den dem des ein eine einen einem einer eines im am um zu zum zur von vom und oder auf',
  'für ist sind wird werden hat haben es wer wen wem was welche welcher welches wann wo wie ob',
  'le la les un une des du de d l à au aux en et ou pour par est sont sera seront a ont ce cette ces',
  'il elle que qui quel quelle quels quelles quand où comment combien est-ce',
  'el los las unos unas del al y o u por para es son será serán ha han este esta qué quién quiénes',
  'cuál cuáles cuándo dónde cómo cuánto cuántos',
  'o os as um uma uns umas do da dos das no na nos nas ao à e ou por para é são será serão há quem',
  'qual quais quando onde como quanto quantos',
);

const SIGN = /[≥≤<>=±+−$€£¥₿%‰°°]|^[-–]\d/u;
const CJK_NEGATION = /[不没沒無无未非]|ない|なし|せず|ません/u;
const CJK_DIRECTION =
  /[超破达達升降涨漲跌胜勝败敗赢贏输輸前后後上下高低多少增减減初次末首最]|勝|負|以[上下内外]|まで|から/u;
const KATAKANA_WORD = /\p{Script=Katakana}{2}/u;
const HIRAGANA_ONLY = /^[\p{Script=Hiragana}\p{P}]+$/u;

/**
 * Returns the weight of one word of a name.
 *
 * @param isFirst true if the name begins with it
 */
export function weightOf(word: string, isFirst: boolean): number {
  const bare = word.replace(/^[^\p{L}\p{N}]{1,8}|[^\p{L}\p{N}]{1,8}$/gu, '');
  const parts = partsOf(bare.toLowerCase());
  const isCapital = /^\p{P}*\p{Lu}/u.test(word) || KATAKANA_WORD.test(bare);
  const isWritten = (words: ReadonlySet<string>) => parts.some((part) => words.has(part));
  if (/n['’]t$/iu.test(bare) || isWritten(NEGATIONS) || CJK_NEGATION.test(bare)) {
    return WEIGHTS.negation;
  }
  if (/\p{N}/u.test(word)) return WEIGHTS.digit;
  if (isWritten(DIRECTIONS) || CJK_DIRECTION.test(bare)) return WEIGHTS.direction;
  if (SIGN.test(word)) return WEIGHTS.sign;
  if (isSmall(bare)) return WEIGHTS.small;
  if (parts.some((part) => KINDS.has(part))) return isCapital ? WEIGHTS.kind : WEIGHTS.other;
  if (isFirst) return WEIGHTS.first;
  return isCapital ? WEIGHTS.capital : WEIGHTS.other;
}

/** Whether a word is a small word, also with a capital. "Party A" and "US" contain none. */
function isSmall(bare: string): boolean {
  if (HIRAGANA_ONLY.test(bare)) return true;
  const isWord = bare === bare.toLowerCase() || /^\p{Lu}\p{Ll}+$/u.test(bare);
  return isWord && SMALL_WORDS.has(bare.toLowerCase());
}

/**
 * Returns a word and its parts: `over/under` and `third-hottest` count with the words of both
 * parts.
 */
function partsOf(word: string): string[] {
  return [word, ...word.split(/[-–/'’]/)];
}

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
