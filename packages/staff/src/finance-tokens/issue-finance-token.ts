import { randomBytes } from 'node:crypto';
import { appendAuditEntry, type JsonValue, NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { hashSecret } from '@switchyard/merchants/api-keys';
import { keyNameSchema } from '@switchyard/merchants/entered-fields';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { TokenContext } from '../context.ts';
import { formatToken, makeToken } from '../token-text.ts';
import { countUsableFinanceTokens, insertFinanceToken, type ListedFinanceToken } from './queries.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 366;
const USABLE_MAX = 50;
const MERCHANTS_MAX = 1_000;

/** Asks for a read-only token for GraphQL and exports. */
export interface IssueFinanceTokenCommand {
  readonly name: string;
  /** The requested merchants; only those of its creator are allowed. */
  readonly merchantIds: readonly string[];
  readonly modes: readonly Mode[];
  readonly expiresAt: Date;
  readonly staffId: string;
}

/** The issued token, or the reason why none was issued. */
export type IssueFinanceTokenOutcome =
  /** `token` is returned only once. */
  | { readonly kind: 'issued'; readonly token: string; readonly listed: ListedFinanceToken }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_tokens'; readonly most: number };

/** Issues a finance token to a staff user. Only a keyed hash of the token is stored. */
export async function issueFinanceToken(
  context: TokenContext,
  command: IssueFinanceTokenCommand,
): Promise<IssueFinanceTokenOutcome> {
  const now = context.now();
  const parsed = commandSchema(now).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { database, keyPepper } = context.resources;
  const { staffId: createdBy } = command;
  return database.prisma.$transaction(async (transaction): Promise<IssueFinanceTokenOutcome> => {
    if ((await countUsableFinanceTokens(transaction, createdBy, now)) >= USABLE_MAX) {
      return { kind: 'too_many_tokens', most: USABLE_MAX };
    }
    const parts = makeToken(randomBytes);
    const token = formatToken('fin', parts);
    const listed = await insertFinanceToken(transaction, {
      ...parsed.data,
      id: context.newId(),
      publicId: parts.publicId,
      lastFour: token.slice(-4),
      createdBy,
      createdAt: now,
      secretHash: new Uint8Array(hashSecret(keyPepper, parts.secret)),
    });
    const about = { action: 'finance_token.issued', objectType: 'finance_token', objectId: listed.id };
    const entry = { ...about, tenantId: NIL_ID, entryId: context.newId(), actor: `staff:${createdBy}`, before: null };
    await appendAuditEntry(transaction, context.resources.auditKeys, { ...entry, after: tokenForAudit(listed) }, now);
    return { kind: 'issued', token, listed };
  });
}

function commandSchema(now: Date) {
  return z.object({
    name: keyNameSchema,
    merchantIds: z.array(z.uuid('must be a merchant')).min(1, 'must name at least one merchant').max(MERCHANTS_MAX),
    modes: z
      .array(z.enum(['test', 'live']))
      .min(1, 'must name test, live or both')
      .max(2),
    expiresAt: z
      .date('must be a date')
      .min(now, 'must lie in the future')
      .max(new Date(now.getTime() + DAYS_MAX * DAY_MS), `must lie at most ${DAYS_MAX} days ahead`),
  });
}

/** A token as the audit log records it. */
export function tokenForAudit(token: ListedFinanceToken): JsonValue {
  const { name, publicId, merchantIds, modes, expiresAt, revokedAt } = token;
  return { name, publicId, merchantIds, modes, expiresAt: expiresAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null };
}
