import type { useLive } from './use-routing.ts';

/** The routing configuration in force. */
export type LiveRouting = NonNullable<ReturnType<typeof useLive>['data']>;
