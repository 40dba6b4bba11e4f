import type { RouterOutputs } from '../../../../../trpc/outputs.ts';

export type TokenRow = RouterOutputs['financeTokens']['list'][number];
