/** What an error of an endpoint says, whichever of the many shapes it has. */
import { MAX_DEPTH } from "./depth.ts";
import { isObject, member, parseAny, parseJson, textOf } from "./json.ts";

export interface ErrorFacts {
  /** The HTTP status, or the one stated inside a 200. */
  readonly status: number | null;
  /** Every word that classes it (code, type, status, inner code), in lower case; the most telling first. */
  readonly codes: readonly string[];
  /** The parameter it names. */
  readonly param: string | undefined;
  /** All its words in one text. */
  readonly message: string;
  /** What came is a page, not an error in JSON. */
  readonly isPage: boolean;
  /** The wait it asks for in its body, as Gemini does: `details: [{ retryDelay: "34s" }]`. */
  readonly retryDelayMs?: number;
}

/** Characters of an error that are searched for phrases. */
const MAX_CHARACTERS = 8000;

/** Characters that are shown of an error nobody can look into. */
const SHOWN = 200;

/** Reads an error's body. One that is nested too deeply is classed by its status alone. */
export function readErrorBody(status: number | null, body: string): ErrorFacts {
  const parsed = parseAny(body);
  if (parsed.kind === "json" && typeof parsed.value === "object" && parsed.value !== null)
    return factsOf(status, parsed.value);
  const deep = parsed.kind === "too_deep" ? `an error that is nested more than ${MAX_DEPTH} deep: ` : "";
  const message = `${deep}${body.slice(0, deep === "" ? MAX_CHARACTERS : SHOWN)}`;
  return { status, codes: [], param: undefined, message, isPage: isHtml(body) };
}

export function isHtml(text: string): boolean {
  return /^\s{0,200}<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 400));
}

/** Reads an error in JSON: `{ error: … }`, `{ object: "error", … }`, `{ detail: … }`, `{ errors: […] }`, or a list of one. */
export function factsOf(status: number | null, body: unknown): ErrorFacts {
  const outer = Array.isArray(body) ? (body as readonly unknown[])[0] : body;
  const inner = errorIn(outer) ?? outer;
  const raw = textOf(member(inner, "metadata", "raw"));
  const wrapped = raw === undefined ? undefined : parseJson(raw);
  const parts = [inner, ...(isObject(wrapped) ? [errorIn(wrapped) ?? wrapped] : [])];
  const message = [...parts.map(messageOf), ...(isObject(wrapped) || raw === undefined ? [] : [raw])]
    .filter((text) => text !== "")
    .join(" | ");
  const stated = parts.map((part) => statusOf(member(part, "code")) ?? statusOf(member(part, "status"))).find(isNumber);
  const retryDelayMs = retryDelayOf(inner);
  return {
    ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
    status: status === null || status < 400 ? (stated ?? status) : status,
    codes: [...new Set([...parts.flatMap(codesOf), ...codesOf(outer)])],
    param: paramOf(inner),
    message: (message === "" ? JSON.stringify(inner) : message).slice(0, MAX_CHARACTERS),
    isPage: false,
  };
}

/** The error that a body bears, where it bears one. An empty `error` bears none. */
export function errorIn(body: unknown): unknown {
  if (!isObject(body)) return undefined;
  const error = body["error"];
  if (isObject(error) && Object.keys(error).length > 0) return error;
  if (textOf(error) !== undefined) return { message: error, code: body["error_type"], type: body["type"] };
  const first = Array.isArray(body["errors"]) ? (body["errors"] as readonly unknown[])[0] : undefined;
  if (isObject(first)) return first;
  if (textOf(first) !== undefined) return { message: first };
  return body["object"] === "error" || (body["type"] === "error" && textOf(body["message"]) !== undefined)
    ? body
    : undefined;
}

function messageOf(part: unknown): string {
  for (const name of ["message", "detail", "error_description", "msg", "reason"]) {
    const said = member(part, name);
    if (textOf(said) !== undefined) return String(said);
    if (Array.isArray(said)) return said.map(describeDetail).join("; ");
    if (isObject(said)) return messageOf(said) || JSON.stringify(said);
  }
  return "";
}

/** One fault of a validator: where, and what. */
function describeDetail(detail: unknown): string {
  const at = member(detail, "loc");
  const where = Array.isArray(at) ? `${at.map(String).join(".")}: ` : "";
  return `${where}${textOf(member(detail, "msg")) ?? JSON.stringify(detail)}`;
}

const CODE_PATHS: readonly (readonly string[])[] = [
  ["innererror", "code"],
  ["inner_error", "code"],
  ["code"],
  ["type"],
  ["status"],
  ["error_type"],
];

function codesOf(part: unknown): readonly string[] {
  const own = CODE_PATHS.map((path) => textOf(member(part, ...path))).filter((code) => code !== undefined);
  const detail = member(part, "detail");
  const details = Array.isArray(detail) ? detail.map((one: unknown) => textOf(member(one, "type"))) : [];
  return [...own, ...details.filter((code) => code !== undefined)]
    .map((code) => code.toLowerCase().slice(0, 100))
    .filter((code) => code !== "error" && !/^\d+$/.test(code));
}

function paramOf(error: unknown): string | undefined {
  const param = textOf(member(error, "param"));
  if (param !== undefined) return param;
  const detail = member(error, "detail");
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  const at = member(first, "loc");
  return Array.isArray(at) ? textOf(at.filter((part) => part !== "body")[0]) : undefined;
}

function retryDelayOf(error: unknown): number | undefined {
  const details = member(error, "details");
  if (!Array.isArray(details)) return undefined;
  const stated = details.map((one: unknown) => textOf(member(one, "retryDelay"))).find((text) => text !== undefined);
  const seconds = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(stated ?? "")?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function statusOf(code: unknown): number | undefined {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
