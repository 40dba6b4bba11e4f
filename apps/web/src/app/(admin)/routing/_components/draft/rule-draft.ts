import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A rule draft, as the server stores it. */
export type RuleDraft = RouterOutputs['routing']['drafts']['byId'];
