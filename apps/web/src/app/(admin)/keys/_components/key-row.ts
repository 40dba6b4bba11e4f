import type { RouterOutputs } from '../../../../trpc/outputs.ts';

export type KeyRow = RouterOutputs['keys']['list'][number];
