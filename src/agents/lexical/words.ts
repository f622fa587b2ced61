/** English words as the lexical baseline takes them: sentences, tokens, a light stem. It knows no grammar. */

/** Words that say nothing of what is done, by whom, with what. */
const STOP_WORDS = new Set(
  `a about above across after again all along also am an and another any anybody are around as at away back be because
  been before beside between but by can could did do does done down else even ever every everybody first for from had
  has have he her here hers him himself his how i if in into is it its itself just last later like me mine more most my
  myself next no nobody none not nothing now of off on once one only onto or other our out over own place same she so
  some somebody someone something still such than that the their them then there these they thing this those through
  till to together too two under until up upon us very was we went were what when where which while who whoever whole
  whom whose why will with without would yet you your`.split(/\s+/),
);

/** Irregular verbs: the form in the lexicon, then the forms in a story. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `bear bore borne|begin began begun|bend bent|bind bound|bite bit bitten|blow blew blown|break broke broken|bring brought
  build built|burn burnt|buy bought|catch caught|choose chose chosen|climb clomb|come came|creep crept|deal dealt|dig dug
  draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
  find found|fly flew flown|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go gone|grind ground
  grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led
  leave left|lend lent|lie lay lain|light lit|lose lost|make made|mean meant|meet met|pay paid|read|ride rode ridden
  ring rang rung|rise rose risen|run ran|say said|see saw seen|sell sold|send sent|set|sew sewn|shake shook shaken
  shine shone|shoot shot|show shown|shut|sing sang sung|sink sank sunk|sit sat|sleep slept|sow sown|speak spoke spoken
  spend spent|spin spun|spread|stand stood|steal stole stolen|stick stuck|strike struck|sweep swept|swim swam swum
  swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|tie tied tying
  wake woke woken|wear wore worn|weave wove woven|win won|wind wound|write wrote written`
    .split(/[|\n]/)
    .flatMap((line): readonly (readonly [string, string])[] => {
      const [base = "", ...forms] = line.trim().split(/\s+/);
      // `lay` is a verb of its own before it is a form of `lie`; so are a few others.
      return forms.filter((form) => form !== "lay" && form !== "ground").map((form) => [form, base] as const);
    }),
);

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** One word where it stands: as written, in lower case, and its stem. */
export interface Token {
  readonly text: string;
  readonly stem: string;
}

/** Cuts a story into the pieces that are matched one by one: sentences, and clauses that tell of a next thing done. */
export function piecesOf(story: string): readonly string[] {
  return story
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?;:]["”’]?)\s+|,\s+(?=(?:and|then|so)\b)/)
    .map((piece) => piece.trim())
    .filter((piece) => /[a-z]/i.test(piece));
}

/** The words of a piece, stop words kept, possessives cut. */
export function tokensOf(piece: string): readonly Token[] {
  const words =
    piece
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\d]+(?:'[\p{L}]+)?/gu) ?? [];
  return words.map((word) => {
    const text = word.replace(/'s?$/, "");
    return { text, stem: stemOf(text) };
  });
}

/** The stems of a text that may tell something. */
export function contentOf(text: string): ReadonlySet<string> {
  return new Set(
    tokensOf(text.replaceAll("_", " ")).flatMap(({ text: word, stem }) => (STOP_WORDS.has(word) ? [] : [stem])),
  );
}

export function isStopWord(token: Token): boolean {
  return STOP_WORDS.has(token.text);
}

/** `poured`, `pouring`, `pours` → `pour`; `drew` → `draw`. Wrong for many words, the same for each form of most. */
export function stemOf(word: string): string {
  const base = IRREGULAR.get(word) ?? word;
  if (base.length > 4 && /ie[sd]$/.test(base)) return `${base.slice(0, -3)}y`;
  for (const ending of ["ing", "ed"]) {
    if (base.length >= ending.length + 3 && base.endsWith(ending))
      return withoutE(undouble(base.slice(0, -ending.length)));
  }
  if (/(?:s|x|z|ch|sh)es$/.test(base)) return withoutE(base.slice(0, -2));
  return withoutE(base.length > 3 && base.endsWith("s") && !base.endsWith("ss") ? base.slice(0, -1) : base);
}

function undouble(text: string): string {
  return /([bdgklmnprt])\1$/.test(text) && text.length > 3 ? text.slice(0, -1) : text;
}

function withoutE(text: string): string {
  return text.length > 3 && text.endsWith("e") ? text.slice(0, -1) : text;
}

/** The numbers of a piece, in order: digits, and words up to twelve. */
export function numbersIn(tokens: readonly Token[]): readonly number[] {
  return tokens.flatMap(({ text }) => {
    if (/^\d{1,9}$/.test(text)) return [Number(text)];
    const named = NUMBERS.indexOf(text);
    return named > 1 ? [named] : [];
  });
}

/** Whether a piece denies something or states a rule of it; what it names is then not done. */
export function isDenial(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => /^(?:nobody|never|no|not|none|nothing|neither|nor|without|cannot)$|n't$/.test(text));
}
