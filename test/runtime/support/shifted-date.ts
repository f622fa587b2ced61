/** Moves what this process takes for the present by CLOCK_SHIFT_MS. */
const RealDate = Date;
const now = (): number => RealDate.now() + Number(process.env["CLOCK_SHIFT_MS"] ?? 0);

globalThis.Date = class extends RealDate {
  static override now = now;
  constructor(...args: readonly unknown[]) {
    super(...((args.length === 0 ? [now()] : args) as [number]));
  }
} as DateConstructor;

export const presentYear = (): number => new Date().getFullYear();
