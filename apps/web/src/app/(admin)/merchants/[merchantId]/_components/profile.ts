import type { RouterOutputs } from '../../../../../trpc/outputs.ts';

export type Profile = RouterOutputs['merchants']['byId'];
