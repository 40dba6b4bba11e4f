import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A published rule set in the history. */
export type Version = RouterOutputs['routing']['versions']['list']['items'][number];
