import * as z from "zod";
import { canonicalJson, compareText, digestOf, digestOfWorld, succeed, TIERS, type Result } from "../runtime/index.ts";
import type { AnyCase } from "./any-case.ts";
import type { Case } from "./case.ts";
import { readText } from "./files.ts";
import { budgetsOf } from "./scenario.ts";

/** The digest of everything a player could ever see of a case, budgets included; a run is of one world. */
export function worldDigestOf(
  case_: Pick<Case, "id" | "unit" | "world" | "budgets" | "narratives" | "reference" | "contract">,
): string {
  const { id, unit, world, narratives } = case_;
  const budgets = Object.fromEntries(TIERS.map((tier) => [tier, budgetsOf(case_, tier)]));
  return digestOf({ id, unit, world: digestOfWorld(world), budgets, narratives });
}

/** The digest of what a player never sees: the contract and the reference. A score is of one contract. */
export function contractDigestOf({ contract, reference }: Pick<Case, "contract" | "reference">): string {
  return digestOf({ contract, reference });
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const digestsSchema = z.record(
  z.string(),
  z.strictObject({ version: z.int().min(1), world: digest, contract: digest }),
);
/** cases/digests.json: what is frozen of every case. */
export type Digests = Readonly<z.infer<typeof digestsSchema>>;

/** The digests of loaded cases, sorted by id. */
export function computeDigests(
  cases: readonly Pick<AnyCase, "id" | "version" | "worldDigest" | "contractDigest">[],
): Digests {
  const sorted = [...cases].sort((a, b) => compareText(a.id, b.id));
  return Object.fromEntries(
    sorted.map(({ id, version, worldDigest, contractDigest }) => [
      id,
      { version, world: worldDigest, contract: contractDigest },
    ]),
  );
}

/** The text of digests.json: one case a line, so that a change of one case is a change of one line. */
export function formatDigests(digests: Digests): string {
  const lines = Object.entries(digests).map(([id, entry]) => `  ${JSON.stringify(id)}: ${canonicalJson(entry)}`);
  return lines.length === 0 ? "{}\n" : `{\n${lines.join(",\n")}\n}\n`;
}

/** Reads digests.json; the error is one sentence that names the file. */
export function readDigests(file: string): Result<Digests, string> {
  const text = readText(file);
  if (!text.ok) return { ok: false, error: `${file} ${text.error}` };
  try {
    const parsed = digestsSchema.safeParse(JSON.parse(text.value));
    if (parsed.success) return succeed(parsed.data);
    const [issue] = parsed.error.issues;
    return { ok: false, error: `${file} ${issue?.path.join(".")}: ${issue?.message}` };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, error: `${file} is not JSON: ${error.message}` };
  }
}

/** How a case differs from what is frozen of it. */
export interface DigestDifference {
  readonly case: string;
  readonly kind: "not frozen" | "no such case" | "world changed" | "contract changed" | "version changed";
  /** One sentence: what differs and what to do. */
  readonly message: string;
}

/** Compares what is frozen with what is there; empty where they agree. Differences come sorted by case. */
export function compareDigests(frozen: Digests, present: Digests): readonly DigestDifference[] {
  const ids = [...new Set([...Object.keys(frozen), ...Object.keys(present)])].sort(compareText);
  return ids.flatMap((id): readonly DigestDifference[] => {
    const [was, is] = [
      Object.hasOwn(frozen, id) ? frozen[id] : undefined,
      Object.hasOwn(present, id) ? present[id] : undefined,
    ];
    if (!was) return [{ case: id, kind: "not frozen", message: `case ${id} has no digests yet: freeze it` }];
    if (!is)
      return [
        { case: id, kind: "no such case", message: `case ${id} has digests and is not there: take its line away` },
      ];
    const todo =
      is.version > was.version
        ? "freeze it again"
        : `raise its version above ${was.version}, say why in its changelog and freeze it again`;
    const changed = (["world", "contract"] as const).filter((part) => was[part] !== is[part]);
    if (changed.length > 0) {
      return changed.map((part) => ({
        case: id,
        kind: `${part} changed` as const,
        message: `the ${part} of case ${id} is not the one that is frozen: ${todo}`,
      }));
    }
    return was.version === is.version
      ? []
      : [
          {
            case: id,
            kind: "version changed",
            message: `case ${id} is version ${is.version}, frozen is version ${was.version} with the same content: change the version back, or freeze it again`,
          },
        ];
  });
}

/** The differences that forbid freezing anew: what was frozen under a version stays what it is. */
export function unraised(frozen: Digests, present: Digests): readonly DigestDifference[] {
  return compareDigests(frozen, present).filter(
    ({ case: id, kind }) =>
      (kind === "world changed" || kind === "contract changed") &&
      (present[id]?.version ?? 0) <= (frozen[id]?.version ?? 0),
  );
}
