import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A finance token, as the server lists it. */
export type TokenRow = RouterOutputs['financeTokens']['list'][number];
