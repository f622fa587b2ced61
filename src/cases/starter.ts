/** A case to begin with: it loads and verifies as it is, and its comments say what each part is for. */
import { posix } from "node:path";
import { faultOfId, LIMITS, suggest, type Result } from "../runtime/index.ts";
import { STRATA, type Stratum } from "./schema.ts";
import { starterCaseText } from "./starter-case.ts";
import { starterRoundText } from "./starter-round.ts";

export interface StarterWishes {
  readonly id: string;
  readonly title?: string | undefined;
  readonly family?: string | undefined;
  readonly stratum?: string | undefined;
  /** A UUID that was never used: the case's canary is made of it. */
  readonly uuid: string;
  /** Where the schemas of case.yaml and of a round lie, as the files of the case name them for editors. */
  readonly schemas: { readonly case: string; readonly round: string };
}

/** A file of the case, its path from the case's folder on. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
}

const STARTER_TITLE = "The Ferry at the Alders";

/** The files of a begun case; the error says which wish cannot be and what could. */
export function starterFiles(wishes: StarterWishes): Result<readonly StarterFile[], string> {
  const { id, title = STARTER_TITLE, family = "myth", stratum = "small", uuid, schemas } = wishes;
  const fault = faultOfWishes(id, title, family, stratum);
  if (fault !== undefined) return { ok: false, error: fault };
  const words = { id, title: JSON.stringify(title), family, stratum, uuid, schema: schemas.case };
  return {
    ok: true,
    value: [
      { path: "case.yaml", text: starterCaseText(words) },
      { path: posix.join("rounds", "01.yaml"), text: starterRoundText({ schema: schemas.round }) },
    ],
  };
}

function faultOfWishes(id: string, title: string, family: string, stratum: string): string | undefined {
  const named = faultOfId(id);
  if (named !== undefined) return `the id ${named}`;
  if (title.trim() === "") return "the title is empty";
  if (title.length > LIMITS.textCharacters)
    return `the title has ${title.length} characters, allowed are at most ${LIMITS.textCharacters}`;
  if (/[\p{Cc}\u2028\u2029]|\p{Surrogate}/u.test(title)) return "the title holds a character that is no text";
  const ofFamily = faultOfId(family);
  if (ofFamily !== undefined) return `the family ${ofFamily}`;
  if (!isStratum(stratum)) return `there is no stratum "${stratum}": ${suggest(stratum, STRATA)}`;
  return undefined;
}

function isStratum(word: string): word is Stratum {
  return (STRATA as readonly string[]).includes(word);
}
