import type { RouterOutputs } from '../../../../trpc/outputs.ts';

/** An API key, as the server lists it. */
export type KeyRow = RouterOutputs['keys']['list'][number];
