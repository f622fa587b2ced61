/** A process, a schedule entry or an action as far as its words are held against it. */

/** One effect as an author writes it. */
export interface EffectDraft {
  readonly set?: string | undefined;
  readonly add?: string | undefined;
  readonly create?: string | undefined;
  readonly value?: unknown;
  readonly expr?: string | undefined;
  readonly by?: number | string | undefined;
  readonly id?: string | { readonly expr: string } | undefined;
  readonly at?: string | null | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly for?: { readonly where?: string | undefined } | undefined;
}

export interface RuleText {
  readonly kind: "process" | "schedule entry" | "action";
  readonly id: string;
  /** What it is called; actions are called by their id. */
  readonly name?: string | undefined;
  /** Told in naming. */
  readonly says: string;
  /** Told in open. */
  readonly tells: string;
  readonly every?: number | undefined;
  readonly phase?: number | undefined;
  readonly at?: readonly number[] | undefined;
  readonly duration?: number | undefined;
  /** Conditions and whatever else is computed, apart from its effects. */
  readonly expressions: readonly string[];
  readonly effects: readonly EffectDraft[];
}
