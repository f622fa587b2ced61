import { readdirSync } from "node:fs";
import { faultAt, type Fault, type Path, type PathFault } from "./fault.ts";
import { readText } from "./files.ts";
import type { RoundPart } from "./parts.ts";
import { faultsOfPerturbation } from "./perturbation.ts";
import { faultsOfRelations, placeRelations } from "./relations.ts";
import { roundFileSchema, type RoundFile } from "./schema.ts";
import { placeFaults, readSource, type Source } from "./source.ts";
import { parseWith } from "./zod-faults.ts";

/** The rounds that could be read, in order, and what is wrong with the others. */
export interface ReadRounds {
  readonly rounds: readonly RoundPart[];
  /** Whether every round there should be is among them. */
  readonly complete: boolean;
  readonly faults: readonly Fault[];
}

const ROUND_FILE = /^[0-9]{2}\.yaml$/;

/** Reads `rounds/01.yaml`, `02.yaml`, … of a case. Each must be there and say its own number. */
export function readRounds(directory: string): ReadRounds {
  const names = namesIn(`${directory}/rounds`).filter((name) => !name.startsWith("."));
  const last = Math.max(1, ...names.filter((name) => ROUND_FILE.test(name)).map((name) => Number(name.slice(0, 2))));
  const strangers = names
    .filter((name) => !ROUND_FILE.test(name) || name === "00.yaml")
    .map((name): Fault => ({
      ...beginningOf(`${directory}/rounds/${name}`),
      message: "this is no round file",
      hint: "rounds are 01.yaml, 02.yaml, …",
    }));
  const read = Array.from({ length: last }, (_, i) => readRound(directory, i + 1));
  const rounds = read.flatMap((one) => (one.round ? [one.round] : []));
  return { rounds, complete: rounds.length === last, faults: [...strangers, ...read.flatMap((one) => one.faults)] };
}

function readRound(
  directory: string,
  number: number,
): { readonly round?: RoundPart; readonly faults: readonly Fault[] } {
  const file = `${directory}/rounds/${String(number).padStart(2, "0")}.yaml`;
  const text = readText(file);
  if (!text.ok) {
    const hint = text.error === "is missing" ? "rounds go 01, 02, … without a gap" : undefined;
    return { faults: [{ ...beginningOf(file), message: `the file ${text.error}`, ...(hint ? { hint } : {}) }] };
  }
  const source = readSource(file, text.value);
  if (!source.ok) return { faults: source.error };
  const parsed = parseWith(roundFileSchema, source.value.value);
  if (!parsed.ok) return { faults: placeFaults(source.value, parsed.error) };
  const own = faultsWithin(parsed.value, number);
  if (own.length > 0) return { faults: placeFaults(source.value, own) };
  return { round: partOf(source.value, parsed.value), faults: [] };
}

function partOf(source: Source, file: RoundFile): RoundPart {
  return { source, file, relations: placeRelations(file.round, file.relations) };
}

/** What the schema cannot say of one round by itself. */
function faultsWithin(file: RoundFile, number: number): readonly PathFault[] {
  return [
    ...(file.round === number ? [] : [faultAt(["round"], `says ${file.round}, and the file's name says ${number}`)]),
    ...faultsOfRelations(file.relations),
    ...file.structures.flatMap((structure, i) =>
      (["refusedWhen", "allowedWhen"] as const).flatMap((key) =>
        structure[key].flatMap((draft, j) => {
          const path: Path = ["structures", i, key, j];
          return faultsOfPerturbation(draft, path);
        }),
      ),
    ),
  ];
}

function beginningOf(file: string): Pick<Fault, "file" | "line" | "column"> {
  return { file, line: 1, column: 1 };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}
