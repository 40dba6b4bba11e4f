import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A webhook endpoint, as the server lists it. */
export type EndpointRow = RouterOutputs['webhooks']['list'][number];
