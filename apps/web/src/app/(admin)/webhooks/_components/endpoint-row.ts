import type { RouterOutputs } from '../../../../trpc/outputs.ts';

export type EndpointRow = RouterOutputs['webhooks']['list'][number];
