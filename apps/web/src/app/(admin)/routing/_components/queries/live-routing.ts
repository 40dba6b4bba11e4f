import type { useLive } from './use-routing.ts';

/** The active routing configuration. */
export type LiveRouting = NonNullable<ReturnType<typeof useLive>['data']>;
