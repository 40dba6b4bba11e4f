import { randomBytes } from 'node:crypto';
import { appendAuditEntry, type JsonValue, NIL_ID } from '@switchyard/db';
import { hashSecret } from '@switchyard/merchants/api-keys';
import { keyNameSchema } from '@switchyard/merchants/entered-fields';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { TokenContext } from '../context.ts';
import { formatToken, makeToken } from '../token-text.ts';
import { countUsableAgentTokens, insertAgentToken, type ListedAgentToken } from './queries.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 366;
const USABLE_MAX = 20;

/** Asks for a token with which an agent acts as this staff user. */
export interface IssueAgentTokenCommand {
  readonly name: string;
  /** True if it may save drafts and request publication; false if it only reads. */
  readonly maySaveDrafts: boolean;
  readonly expiresAt: Date;
  readonly staffId: string;
}

/** The issued token, or the reason why none was issued. */
export type IssueAgentTokenOutcome =
  /** `token` is returned only once. */
  | { readonly kind: 'issued'; readonly token: string; readonly listed: ListedAgentToken }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_tokens'; readonly most: number };

/** Issues an agent token to a staff user. Only a keyed hash of the token is stored. */
export async function issueAgentToken(context: TokenContext, command: IssueAgentTokenCommand): Promise<IssueAgentTokenOutcome> {
  const now = context.now();
  const parsed = commandSchema(now).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { database, keyPepper, auditKeys } = context.resources;
  const { staffId } = command;
  return database.prisma.$transaction(async (transaction): Promise<IssueAgentTokenOutcome> => {
    if ((await countUsableAgentTokens(transaction, staffId, now)) >= USABLE_MAX) {
      return { kind: 'too_many_tokens', most: USABLE_MAX };
    }
    const parts = makeToken(randomBytes);
    const token = formatToken('agt', parts);
    const listed = await insertAgentToken(transaction, {
      ...parsed.data,
      id: context.newId(),
      publicId: parts.publicId,
      secretHash: new Uint8Array(hashSecret(keyPepper, parts.secret)),
      lastFour: token.slice(-4),
      staffId,
      createdAt: now,
    });
    const entry = {
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor: `staff:${staffId}`,
      action: 'agent_token.issued',
      objectType: 'agent_token',
      objectId: listed.id,
      before: null,
      after: agentTokenForAudit(listed),
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'issued', token, listed };
  });
}

function commandSchema(now: Date) {
  return z.object({
    name: keyNameSchema,
    maySaveDrafts: z.boolean(),
    expiresAt: z
      .date('must be a date')
      .min(now, 'must lie in the future')
      .max(new Date(now.getTime() + DAYS_MAX * DAY_MS), `must lie at most ${DAYS_MAX} days ahead`),
  });
}

/** A token as the audit log records it. */
export function agentTokenForAudit(token: ListedAgentToken): JsonValue {
  const { name, publicId, staffId, maySaveDrafts, expiresAt, revokedAt } = token;
  return {
    name,
    publicId,
    staffId,
    maySaveDrafts,
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
