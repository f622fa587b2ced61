// The house rules that no ready-made lint rule knows, as a plugin of oxlint (ESLint's API).
// Which folder may import which is said once, in MAY_IMPORT; test/house/arrows.test.ts proves that it bites.

import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** runtime ← contracts ← cases ← records ← endpoint, tracks ← agents, judges ← report ← cli. Values and types alike. */
export const MAY_IMPORT = {
  runtime: [],
  contracts: ["runtime"],
  cases: ["runtime", "contracts"],
  records: ["runtime", "contracts", "cases"],
  endpoint: ["runtime", "records"],
  tracks: ["runtime", "contracts", "cases", "records"],
  agents: ["runtime", "contracts", "cases", "records", "endpoint", "tracks"],
  judges: ["runtime", "contracts", "cases", "records", "endpoint", "tracks"],
  report: ["runtime", "contracts", "cases", "records", "endpoint", "tracks", "judges"],
  cli: ["runtime", "contracts", "cases", "records", "endpoint", "tracks", "agents", "judges", "report"],
};

/** What the folders that must stay pure may take from Node: hashing, and telling a Proxy from an object. */
const PURE_BUILTINS = { crypto: ["hash"], util: ["types"] };

/** @typedef {{ folder: string | undefined, inner: string }} Place `folder` is undefined for a file right under src. */

/** @returns {Place | undefined} Where in src an absolute path lies; undefined outside of src. */
function placeOf(absolute) {
  const parts = path.relative(ROOT, absolute).split(path.sep);
  if (parts[0] !== "src" || parts.length < 2) return undefined;
  if (parts.length === 2) return { folder: undefined, inner: parts[1] };
  return { folder: parts[1], inner: parts.slice(2).join("/") };
}

/** Calls `check(specifier, node)` for every module a file names: import, export from, import(), import types, require. */
function eachModule(check) {
  const literal = (source, node) => {
    if (source?.type === "Literal" && typeof source.value === "string") check(source.value, node);
  };
  return {
    ImportDeclaration: (node) => literal(node.source, node),
    ExportNamedDeclaration: (node) => literal(node.source, node),
    ExportAllDeclaration: (node) => literal(node.source, node),
    ImportExpression: (node) => literal(node.source, node),
    TSImportType: (node) => literal(node.source ?? node.argument?.literal ?? node.argument, node),
    TSExternalModuleReference: (node) => literal(node.expression, node),
    CallExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name === "require") literal(node.arguments[0], node);
    },
  };
}

/** @returns {string | undefined} What is wrong with `from` importing `specifier`, or undefined where nothing is. */
function faultOfImport(filename, specifier) {
  if (specifier === "worldagent-benchmark" || specifier.startsWith("worldagent-benchmark/"))
    return "the package imports itself by name; import the file or the folder's index.ts";
  if (!specifier.startsWith(".")) return undefined;
  const from = placeOf(filename);
  if (from === undefined) return undefined;
  const target = path.resolve(path.dirname(filename), specifier);
  const to = placeOf(target);
  if (to === undefined)
    return path.relative(ROOT, target) === "package.json" ? undefined : "src may import nothing outside of src";
  if (to.folder === from.folder) {
    return from.folder !== undefined && to.inner === "index.ts"
      ? `inside src/${from.folder} import the file, not the index`
      : undefined;
  }
  if (to.folder === undefined) return "src/index.ts is for users of the package; import the folder's index.ts";
  if (!Object.hasOwn(MAY_IMPORT, to.folder))
    return `src/${to.folder} has no place among the arrows; give it one in scripts/lint/house.mjs`;
  if (to.inner !== "index.ts")
    return `src/${to.folder}/${to.inner} is private to its folder; import src/${to.folder}/index.ts`;
  if (from.folder === undefined) return undefined;
  const allowed = MAY_IMPORT[from.folder];
  if (allowed === undefined)
    return `src/${from.folder} has no place among the arrows; give it one in scripts/lint/house.mjs`;
  if (allowed.includes(to.folder)) return undefined;
  return `src/${from.folder} may not import src/${to.folder}; it may import ${allowed.join(", ") || "no other folder"}`;
}

const arrows = {
  create: (context) =>
    eachModule((specifier, node) => {
      const fault = faultOfImport(context.filename, specifier);
      if (fault !== undefined) context.report({ node, message: `"${specifier}": ${fault}.` });
    }),
};

/** The names a node takes from a module, or undefined where it takes the whole of it. */
function namesTaken(node) {
  if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") return undefined;
  const names = node.specifiers.map((one) => (one.imported ?? one.local)?.name);
  const whole = node.specifiers.some((one) => one.type !== "ImportSpecifier" && one.type !== "ExportSpecifier");
  return whole || names.length === 0 ? undefined : names;
}

const pureImports = {
  create: (context) =>
    eachModule((specifier, node) => {
      const name = specifier.replace(/^node:/, "");
      if (name === specifier && !builtinModules.includes(specifier.split("/")[0])) return;
      const allowed = PURE_BUILTINS[name];
      const taken = namesTaken(node);
      if (allowed !== undefined && taken?.every((one) => allowed.includes(one))) return;
      const may = Object.entries(PURE_BUILTINS).map(([from, names]) => `${names.join(", ")} from "node:${from}"`);
      context.report({
        node,
        message: `"${specifier}": this folder touches no disk, network, clock or process; of Node it may import only ${may.join("; ")}.`,
      });
    }),
};

const noExportStar = {
  create: (context) => ({
    ExportAllDeclaration: (node) =>
      context.report({ node, message: "List the names that are exported; a star exports what nobody chose." }),
  }),
};

// oxlint-disable-next-line import/no-default-export -- oxlint reads a plugin from its default export
export default {
  meta: { name: "house" },
  rules: { arrows, "pure-imports": pureImports, "no-export-star": noExportStar },
};
