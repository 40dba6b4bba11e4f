import type { RouterOutputs } from '#/trpc/outputs.ts';

/** An alert that is open or has ended, as it is listed. */
export type Incident = RouterOutputs['alerts']['open'][number];
