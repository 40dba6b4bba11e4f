import { momentValue } from '@switchyard/db/moments';
import { issueToken, listTokens, revokeToken } from '@switchyard/staff/machine-tokens';
import { anyRoleMay, may, rolesFor, type StaffSession } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { TOKEN_SCOPES } from './entered-fields.ts';
import { router, signedIn } from './procedure.ts';

/** Machine tokens: programs read reports with them, and agents act as a staff user. */
export const machineTokens = router({
  /** The newest tokens: all tokens for owners of the workspace, else one's own. */
  list: signedIn.query(async ({ ctx: { switchyard, session } }) => {
    return (await listTokens(switchyard, whoseTokens(session))).map(shown);
  }),
  /** Issues a token to the caller themselves. Its text is only in this response. */
  issue: signedIn
    .input(
      z.object({
        name: z.string().max(200),
        scopes: z.array(z.enum(TOKEN_SCOPES)).max(TOKEN_SCOPES.length),
        merchantIds: z.array(z.uuid().toLowerCase()).max(1_000).default([]),
        modes: z
          .array(z.enum(['test', 'live']))
          .max(2)
          .default([]),
        expiresAt: momentValue,
      }),
    )
    .mutation(async ({ ctx: { switchyard, session }, input }) => {
      if (session.mustSetUpTwoFactor) throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up two-factor sign-in first.' });
      if (!input.merchantIds.every((merchantId) => anyRoleMay(rolesFor(session, merchantId), 'report:export'))) {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'You may not export the reports of one of these merchants.' });
      }
      const outcome = await issueToken(switchyard, { ...input, staffId: session.staffId });
      switch (outcome.kind) {
        case 'issued':
          return { kind: outcome.kind, token: outcome.token, tokenId: outcome.listed.id };
        case 'invalid':
          return outcome;
        case 'too_many_tokens':
          throw new TRPCError({ code: 'CONFLICT', message: `You have ${outcome.limit} tokens that work. Revoke one first.` });
        default:
          return outcome satisfies never;
      }
    }),
  /** Revokes a token at once: any token for owners of the workspace, else one's own. */
  revoke: signedIn
    .input(z.object({ tokenId: z.uuid().toLowerCase() }))
    .mutation(async ({ ctx: { switchyard, session }, input }) => {
      const command = { ...input, staffId: whoseTokens(session), actor: `staff:${session.staffId}` };
      const { kind } = await revokeToken(switchyard, command);
      if (kind === 'revoked') return { kind };
      throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such token, or it has been revoked before.' });
    }),
});

/**
 * The staff user whose tokens the caller sees and revokes: null for everyone, where they manage the team of the workspace, else themselves.
 */
function whoseTokens({ grants, staffId }: StaffSession): string | null {
  return grants.some(({ merchantId, role }) => merchantId === null && may(role, 'team:manage')) ? null : staffId;
}

type Listed = Awaited<ReturnType<typeof listTokens>>[number];

/** The public fields of a token, one by one: a new column is not exposed automatically. */
function shown({ id: tokenId, name, lastFour, staffName, scopes, merchantIds, modes, ...times }: Listed) {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = times;
  return { tokenId, name, lastFour, staffName, scopes, merchantIds, modes, createdAt, expiresAt, revokedAt, lastUsedAt };
}
