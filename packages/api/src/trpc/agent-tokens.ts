import {
  type IssueAgentTokenOutcome,
  issueAgentToken,
  listAgentTokensOf,
  revokeAgentToken,
} from '@switchyard/staff/agent-tokens';
import { may, type StaffSession } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { router, signedIn } from './procedure.ts';

/** Tokens with which agents act as a staff user. The text of a token is only in the response that creates it. */
export const agentTokens = router({
  /** The newest tokens: all tokens for owners of the workspace, else one's own. */
  list: signedIn.query(async ({ ctx }) => {
    const found = await listAgentTokensOf(ctx.switchyard, tokenOwnerOf(ctx.session));
    return found.map(shown);
  }),
  /** Issues a token to the caller themselves. It never reaches further than their roles at the time of each call. */
  issue: signedIn
    .input(z.object({ name: z.string().max(200), maySaveDrafts: z.boolean(), expiresAt: z.date() }))
    .mutation(async ({ ctx, input }) => {
      if (ctx.session.mustSetUpTwoFactor) {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up two-factor sign-in first.' });
      }
      return issued(await issueAgentToken(ctx.switchyard, { ...input, staffId: ctx.session.staffId }));
    }),
  /** Revokes a token at once: any token for owners of the workspace, else one's own. */
  revoke: signedIn.input(z.object({ tokenId: z.uuid() })).mutation(async ({ ctx, input: { tokenId } }) => {
    const revocable = await listAgentTokensOf(ctx.switchyard, tokenOwnerOf(ctx.session));
    const known = revocable.find(({ id }) => id === tokenId);
    const actor = `staff:${ctx.session.staffId}`;
    const outcome = known === undefined ? null : await revokeAgentToken(ctx.switchyard, { tokenId, actor });
    if (known === undefined || outcome?.kind !== 'revoked') {
      throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such token, or it has been revoked before.' });
    }
    return shown({ ...known, ...outcome.listed });
  }),
});

/** Null, meaning all tokens, for staff users who manage the team of the workspace; else the caller's own. */
function tokenOwnerOf({ grants, staffId }: StaffSession): string | null {
  return grants.some(({ merchantId, role }) => merchantId === null && may(role, 'team:manage')) ? null : staffId;
}

type Listed = Awaited<ReturnType<typeof listAgentTokensOf>>[number];

/** The public fields of a token, listed one by one: a new column is not exposed automatically. */
function shown({ id, name, lastFour, staffId, staffName, maySaveDrafts, createdAt, expiresAt, revokedAt, lastUsedAt }: Listed) {
  return { tokenId: id, name, lastFour, staffId, staffName, maySaveDrafts, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function issued(outcome: IssueAgentTokenOutcome) {
  switch (outcome.kind) {
    case 'issued':
      return { kind: 'issued' as const, token: outcome.token, tokenId: outcome.listed.id };
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
