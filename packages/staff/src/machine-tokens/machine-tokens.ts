import type { JsonValue } from '@switchyard/db';
import type { MachineScope, MachineToken, Mode } from '@switchyard/db/client';
import { keyNameSchema } from '@switchyard/merchants/entered-fields';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext, TokenContext } from '../context.ts';
import { tokenScopes } from '../entered-fields.ts';
import { changeTeam } from '../grants/change-team.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { newToken } from './token-text.ts';

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

/** The listed fields of a token, without its secret. */
type ListedToken = Omit<MachineToken, 'secretHash'>;

const NO_HASH = { secretHash: true } as const;

/** The issued token, or the reason why none was issued. */
export type IssueTokenOutcome =
  /** `token` is returned only once. */
  | { readonly kind: 'issued'; readonly token: string; readonly listed: ListedToken }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_tokens'; readonly limit: number };

/** Issues a token to a staff user. Only a keyed hash of the token is stored. */
export async function issueToken(context: TokenContext, command: IssueTokenCommand): Promise<IssueTokenOutcome> {
  const parsed = commandSchema(command, context.now()).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { staffId } = command;
  return changeTeam<IssueTokenOutcome>(context, `staff:${staffId}`, async ({ machineToken }, now) => {
    const usable = await machineToken.count({ where: { staffId, revokedAt: null, expiresAt: { gt: now } } });
    if (usable >= USABLE_MAX) return { outcome: { kind: 'too_many_tokens', limit: USABLE_MAX } };
    const { token, ...secret } = newToken(parsed.data.scopes.includes('reports') ? 'fin' : 'agt', context.resources.keyPepper);
    const data = { ...parsed.data, ...secret, id: context.newId(), staffId, createdAt: now };
    const listed = await machineToken.create({ data, omit: NO_HASH });
    return { outcome: { kind: 'issued', token, listed }, audit: audited('machine_token.issued', null, listed) };
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

function audited(action: string, before: ListedToken | null, after: ListedToken) {
  return { action, objectType: 'machine_token', objectId: after.id, before: before && shown(before), after: shown(after) };
}

/** A token as the audit log records it. */
function shown({ name, publicId, staffId, scopes, merchantIds, modes, expiresAt, revokedAt }: ListedToken): JsonValue {
  const times = { expiresAt: expiresAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null };
  return { name, publicId, staffId, scopes, merchantIds, modes, ...times };
}

const LIST_MAX = 500;

const ofStaffUser = (staffId: string | null) => (staffId === null ? {} : { staffId });

/** The newest tokens with the names of their staff users, at most 500: all with null, or those of one staff user. */
export async function listTokens(
  { resources: { database } }: StaffContext,
  staffId: string | null,
): Promise<(ListedToken & { readonly staffName: string })[]> {
  const rows = await database.prisma.machineToken.findMany({
    where: ofStaffUser(staffId),
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    omit: NO_HASH,
  });
  const ids = rows.map((row) => row.staffId);
  const names = await readStaffNames(database, ids);
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
  return changeTeam<RevokeTokenOutcome>(context, actor, async ({ machineToken }, now) => {
    const where = { id: tokenId, ...ofStaffUser(staffId), revokedAt: null };
    const before = await machineToken.findFirst({ where, omit: NO_HASH });
    if (before === null) return { outcome: { kind: 'not_found' } };
    const data = { revokedAt: now, revokedBy: actor };
    const listed = await machineToken.update({ where: { id: tokenId }, data, omit: NO_HASH });
    return { outcome: { kind: 'revoked', listed }, audit: audited('machine_token.revoked', before, listed) };
  });
}
