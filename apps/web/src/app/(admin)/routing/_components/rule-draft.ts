import type { RouterOutputs } from '../../../../trpc/outputs.ts';

export type RuleDraft = RouterOutputs['routing']['drafts']['byId'];
