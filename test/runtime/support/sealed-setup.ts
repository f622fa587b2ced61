/** Set up before each file of the engine's suite (vitest.config.ts): its tests run with the seal closed. */
import fc from "fast-check";
import { afterEach, beforeEach } from "vitest";
import { closeSeal, installSeal, openSeal, takeBreaches } from "./sealed-engine.ts";

// fast-check draws a seed from clock and chance where it is given none: it is drawn here, before the seal closes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Math.trunc(Math.random() * 0x7fff_ffff) });
installSeal();

beforeEach(closeSeal);

afterEach(() => {
  openSeal();
  const called = [...new Set(takeBreaches())];
  if (called.length > 0) throw new Error(`the engine called ${called.join(", ")}`);
});
