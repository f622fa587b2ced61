/** Small worlds that go on by themselves, made in a line or two for the tests of dynamics. */
import {
  buildWorld,
  capabilitySchema,
  compileDynamics,
  entrySchema,
  fieldSchema,
  processSchema,
  visibilitySchema,
  type Dynamics,
  type Visibility,
  type World,
} from "../../../src/runtime/index.ts";

type Loose = Readonly<Record<string, unknown>>;

export interface SmallParts {
  /** By type: fields, each with `visibility` (public where left out); `at` may state that of the place. */
  readonly types: Readonly<Record<string, Readonly<Record<string, Loose | Visibility>>>>;
  readonly entities: Readonly<Record<string, Loose & { readonly type: string }>>;
  readonly processes?: Readonly<Record<string, Loose>>;
  readonly schedule?: Readonly<Record<string, Loose>>;
  readonly actions?: Readonly<Record<string, Loose>>;
  readonly creates?: Dynamics["creates"];
  readonly character?: string;
  readonly decision?: number;
  readonly ticks?: number;
}

const WORDS = { name: "n", says: "s", tells: "t" };

/** The world and its dynamics, or every fault as text. */
export function trySmall(
  parts: SmallParts,
): { readonly world: World; readonly dynamics: Dynamics } | readonly string[] {
  const visibility: Record<string, Record<string, Visibility>> = {};
  const types = Object.fromEntries(
    Object.entries(parts.types).map(([id, { at = "public", ...fields }]) => {
      visibility[id] = { at: visibilitySchema.parse(at) };
      const plain = Object.entries(fields as Readonly<Record<string, Loose>>).map(
        ([name, { visibility: seen, ...field }]) => {
          (visibility[id] as Record<string, Visibility>)[name] = visibilitySchema.parse(seen ?? "public");
          return [name, fieldSchema.parse(field)] as const;
        },
      );
      return [id, { id, says: "", fields: Object.fromEntries(plain) }] as const;
    }),
  );
  const entities = Object.fromEntries(
    Object.entries(parts.entities).map(([id, { type, at = null, name = "", ...fields }]) => [
      id,
      { id, type, at: at as string | null, name: String(name), fields: fields as Record<string, never> },
    ]),
  );
  const capabilities = Object.fromEntries(
    Object.entries(parts.actions ?? {}).map(([id, draft]) => [id, capabilitySchema.parse({ id, ...draft })]),
  );
  const map = {
    places: { hall: "the hall", yard: "the yard" },
    links: [{ from: "hall", to: "yard", bothWays: true, ticks: 1 }],
  };
  const built = buildWorld({ clock: 0, map, types, entities, capabilities, invariants: [] });
  if (!built.ok) return built.error.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const compiled = compileDynamics(built.value, {
    character: parts.character ?? (Object.keys(parts.entities)[0] as string),
    processes: Object.fromEntries(
      Object.entries(parts.processes ?? {}).map(([id, draft]) => [id, processSchema.parse({ id, ...WORDS, ...draft })]),
    ),
    schedule: Object.fromEntries(
      Object.entries(parts.schedule ?? {}).map(([id, draft]) => [id, entrySchema.parse({ id, ...WORDS, ...draft })]),
    ),
    visibility,
    creates: parts.creates ?? [],
    decision: parts.decision ?? 4,
    segment: 4,
    ticks: parts.ticks ?? 24,
  });
  if (!compiled.ok) return compiled.error.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return { world: built.value, dynamics: compiled.value };
}

/** As trySmall, for parts without fault. */
export function small(parts: SmallParts): { readonly world: World; readonly dynamics: Dynamics } {
  const made = trySmall(parts);
  if ("world" in made) return made;
  throw new Error(made.join("\n"));
}
