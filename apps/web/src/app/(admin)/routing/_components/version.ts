import type { RouterOutputs } from '../../../../trpc/outputs.ts';

export type Version = RouterOutputs['routing']['versions']['list']['items'][number];
