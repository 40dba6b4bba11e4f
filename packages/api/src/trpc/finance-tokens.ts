import {
  type IssueFinanceTokenOutcome,
  issueFinanceToken,
  listFinanceTokensOf,
  revokeFinanceToken,
} from '@switchyard/staff/finance-tokens';
import { may, type StaffSession } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';

import { permitted, resolveMerchants, router } from './procedure.ts';

/** Finance tokens for programs that read reports. The text of a token is only in the response that creates it. */
export const financeTokens = router({
  /** The newest tokens: all tokens for owners of the workspace, else one's own. */
  list: permitted('token:read').query(async ({ ctx }) => {
    const found = await listFinanceTokensOf(ctx.switchyard, tokenOwnerOf(ctx.session));
    return found.map(shown);
  }),
  issue: permitted('token:issue')
    .input(
      z.object({
        name: z.string().max(200),
        merchantIds: z.array(z.uuid()).max(1_000),
        modes: z.array(z.enum(['test', 'live'])).max(2),
        expiresAt: z.date(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      for (const merchantId of input.merchantIds) resolveMerchants(ctx, merchantId);
      return issued(await issueFinanceToken(ctx.switchyard, { ...input, staffId: ctx.session.staffId }));
    }),
  /** Revokes a token at once: any token for owners of the workspace, else one's own. */
  revoke: permitted('token:revoke')
    .input(z.object({ tokenId: z.uuid() }))
    .mutation(async ({ ctx, input: { tokenId } }) => {
      const mine = await listFinanceTokensOf(ctx.switchyard, tokenOwnerOf(ctx.session));
      const actor = `staff:${ctx.session.staffId}`;
      const known = mine.some(({ id }) => id === tokenId);
      const outcome = known ? await revokeFinanceToken(ctx.switchyard, { tokenId, actor }) : null;
      if (outcome?.kind !== 'revoked') {
        throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such token, or it has been revoked before.' });
      }
      return shown(outcome.listed);
    }),
});

/** Null, meaning all tokens, for staff users who manage the team; else the caller's own. */
function tokenOwnerOf({ grants, staffId }: StaffSession): string | null {
  return grants.some(({ merchantId, role }) => merchantId === null && may(role, 'team:manage')) ? null : staffId;
}

type Listed = Awaited<ReturnType<typeof listFinanceTokensOf>>[number];

/** The public fields of a token, listed one by one: a new column is not exposed automatically. */
function shown({ id, name, lastFour, merchantIds, modes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt }: Listed) {
  return { tokenId: id, name, lastFour, merchantIds, modes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function issued(outcome: IssueFinanceTokenOutcome) {
  switch (outcome.kind) {
    case 'issued':
      return { kind: 'issued' as const, token: outcome.token, listed: shown(outcome.listed) };
    case 'invalid':
      return { kind: 'invalid' as const, problems: outcome.problems };
    case 'too_many_tokens':
      throw new TRPCError({ code: 'CONFLICT', message: `You have ${outcome.most} tokens that work. Revoke one first.` });
    default: {
      const never: never = outcome;
      return never;
    }
  }
}
