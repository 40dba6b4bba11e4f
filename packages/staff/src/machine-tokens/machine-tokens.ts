import { randomBytes } from 'node:crypto';
import { type JsonValue, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { MachineScope, Mode } from '@switchyard/db/client';
import { hashSecret, makeSecret } from '@switchyard/merchants/api-keys';
import { keyNameSchema } from '@switchyard/merchants/entered-fields';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext, TokenContext } from '../context.ts';
import { tokenScopes } from '../entered-fields.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { countUsableTokens, endToken, insertToken, type ListedToken, listTokenRows } from './queries.ts';
import { formatToken } from './token-text.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 366;
const USABLE_MAX = 50;
const MERCHANTS_MAX = 1_000;

/** Asks for a token of a staff user. It never reaches further than their roles at the time of each call. */
export interface IssueTokenCommand {
  readonly name: string;
  readonly scopes: readonly MachineScope[];
  /** The merchants and modes whose reports it reads; none without `reports`. */
  readonly merchantIds?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly expiresAt: Date;
  readonly staffId: string;
}

/** The issued token, or the reason why none was issued. */
export type IssueTokenOutcome =
  /** `token` is returned only once. */
  | { readonly kind: 'issued'; readonly token: string; readonly listed: ListedToken }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_tokens'; readonly limit: number };

/** Issues a token to a staff user. Only a keyed hash of the token is stored. */
export async function issueToken(context: TokenContext, command: IssueTokenCommand): Promise<IssueTokenOutcome> {
  const now = context.now();
  const parsed = commandSchema(command, now).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { database, keyPepper, auditKeys } = context.resources;
  const { staffId } = command;
  return database.prisma.$transaction(async (transaction): Promise<IssueTokenOutcome> => {
    if ((await countUsableTokens(transaction, staffId, now)) >= USABLE_MAX) {
      return { kind: 'too_many_tokens', limit: USABLE_MAX };
    }
    const { publicId, secret } = makeSecret(randomBytes);
    const token = formatToken(parsed.data.scopes, { publicId, secret });
    const listed = await insertToken(transaction, {
      ...parsed.data,
      id: context.newId(),
      publicId,
      secretHash: new Uint8Array(hashSecret(keyPepper, secret)),
      lastFour: token.slice(-4),
      staffId,
      createdAt: now,
    });
    const entry = {
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor: `staff:${staffId}`,
      action: 'machine_token.issued',
      objectType: 'machine_token',
      objectId: listed.id,
      before: null,
      after: tokenForAudit(listed),
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'issued', token, listed };
  });
}

function commandSchema({ scopes }: IssueTokenCommand, now: Date) {
  const readsReports = scopes.includes('reports');
  const least = readsReports ? 1 : 0;
  return z.object({
    name: keyNameSchema,
    scopes: tokenScopes,
    merchantIds: z
      .array(z.uuid('must be a merchant').toLowerCase())
      .min(least, 'must name at least one merchant')
      .max(readsReports ? MERCHANTS_MAX : 0, readsReports ? undefined : 'must name none without reports')
      .prefault([]),
    modes: z
      .array(z.enum(['test', 'live']))
      .min(least, 'must name test, live or both')
      .max(readsReports ? 2 : 0, readsReports ? undefined : 'must name none without reports')
      .prefault([]),
    expiresAt: z
      .date('must be a date')
      .min(now, 'must lie in the future')
      .max(new Date(now.getTime() + DAYS_MAX * DAY_MS), `must lie at most ${DAYS_MAX} days ahead`),
  });
}

/** A token as the audit log records it. */
function tokenForAudit(token: ListedToken): JsonValue {
  const { name, publicId, staffId, scopes, merchantIds, modes, expiresAt, revokedAt } = token;
  const times = { expiresAt: expiresAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null };
  return { name, publicId, staffId, scopes, merchantIds, modes, ...times };
}

/** The newest tokens with the names of their staff users, at most 500: all with null, or those of one staff user. */
export async function listTokens(
  { resources: { database } }: StaffContext,
  staffId: string | null,
): Promise<(ListedToken & { readonly staffName: string })[]> {
  const rows = await listTokenRows(database, staffId);
  const names = await readStaffNames(
    database,
    rows.map((row) => row.staffId),
  );
  return rows.map((row) => ({ ...row, staffName: names.get(row.staffId) ?? row.staffId }));
}

/** Asks to end a token at once. */
interface RevokeTokenCommand {
  readonly tokenId: string;
  /** The user whose token it has to be; null for anyone's. */
  readonly staffId: string | null;
  readonly actor: string;
}

/** Result of revoking a token. */
type RevokeTokenOutcome =
  | { readonly kind: 'revoked'; readonly listed: ListedToken }
  /** Unknown, someone else's, or already revoked. */
  | { readonly kind: 'not_found' };

/** Revokes a token for good, at once and everywhere. */
export async function revokeToken(
  context: StaffContext,
  { tokenId, staffId, actor }: RevokeTokenCommand,
): Promise<RevokeTokenOutcome> {
  const now = context.now();
  const { database, auditKeys } = context.resources;
  return database.prisma.$transaction(async (transaction): Promise<RevokeTokenOutcome> => {
    const listed = await endToken(transaction, { tokenId, staffId, revokedAt: now, revokedBy: actor });
    if (listed === null) return { kind: 'not_found' };
    const entry = {
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor,
      action: 'machine_token.revoked',
      objectType: 'machine_token',
      objectId: tokenId,
      before: tokenForAudit({ ...listed, revokedAt: null }),
      after: tokenForAudit(listed),
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'revoked', listed };
  });
}
