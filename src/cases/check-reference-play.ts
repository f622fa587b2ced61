import { lookUp, suggest } from "../runtime/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import { faultsOfEventName, type CaseParts, type RoundPart } from "./parts.ts";
import { troubleOfArgument } from "./paths.ts";
import type { ReferenceTrigger } from "./schema.ts";

/**
 * The reference names capabilities and parameters there are, realises every event of its round, and lets one
 * trigger realise two events only where a concurrency joins them.
 */
export function checkReferencePlay(parts: CaseParts, round: RoundPart): readonly PathFault[] {
  const { file } = round;
  const realised = new Set(file.reference.flatMap(({ triggers }) => triggers.flatMap(({ realises }) => realises)));
  const unrealised = file.events.flatMap(({ id }, i) =>
    realised.has(id)
      ? []
      : [faultAt(["events", i], "the reference never realises it", `add "realises: [${id}]" to a trigger`)],
  );
  const steps = file.reference.flatMap(({ triggers, advance, until }, i): readonly PathFault[] => {
    const base: Path = ["reference", i];
    if (triggers.length === 0 && !advance)
      return [faultAt(base, "a step without triggers is a wait and needs an advance", "add advance: 1, or triggers")];
    if (triggers.length === 0 && until !== undefined)
      return [faultAt([...base, "until"], "a wait has no first trigger to end with")];
    return triggers.flatMap((trigger, j) => faultsOfTrigger(parts, round, trigger, [...base, "triggers", j]));
  });
  return [...unrealised, ...steps];
}

function faultsOfTrigger(
  parts: CaseParts,
  round: RoundPart,
  trigger: ReferenceTrigger,
  base: Path,
): readonly PathFault[] {
  const { realises } = trigger;
  const names = realises.flatMap((event, i) =>
    faultsOfEventName(parts, round.file.round, event, "this", [...base, "realises", i]),
  );
  const joined =
    realises.length === 2 &&
    round.relations.some(({ item }) => item.kind === "CC" && realises.every((event) => item.events.includes(event)));
  const overloaded =
    realises.length < 2 || joined
      ? []
      : [
          faultAt(
            [...base, "realises"],
            `one trigger realises ${realises.length} events`,
            "one doing, one event; two only where a concurrent relation joins them",
          ),
        ];
  return [...names, ...overloaded, ...faultsOfCall(parts, trigger, base)];
}

function faultsOfCall(
  { world, capabilities }: CaseParts,
  { capability, args }: ReferenceTrigger,
  base: Path,
): readonly PathFault[] {
  if (capabilities === undefined) return [];
  const found = lookUp(capabilities, capability);
  if (!found)
    return [
      faultAt(
        [...base, "capability"],
        `there is no capability ${quote(capability)}`,
        suggest(capability, Object.keys(capabilities)),
      ),
    ];
  const missing = Object.keys(found.params).filter((name) => !Object.hasOwn(args, name));
  return [
    ...missing.map((name) => faultAt(base, `capability ${quote(capability)} needs the argument ${quote(name)}`)),
    ...Object.entries(args).flatMap(([name, value]) => {
      const path: Path = [...base, "args", name];
      const param = lookUp(found.params, name);
      if (!param)
        return [
          faultAt(
            path,
            `capability ${quote(capability)} has no parameter ${quote(name)}`,
            suggest(name, Object.keys(found.params)),
            "key",
          ),
        ];
      const trouble = world && troubleOfArgument(world, param, value);
      return trouble ? [faultAt(path, trouble.message, trouble.hint)] : [];
    }),
  ];
}
