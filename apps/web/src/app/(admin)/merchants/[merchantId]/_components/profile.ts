import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A merchant with its settings. */
export type Profile = RouterOutputs['merchants']['byId'];
