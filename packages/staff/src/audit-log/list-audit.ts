import { NIL_ID } from '@switchyard/db';
import { splitAuditActor } from '@switchyard/db/audit';
import { readApiKeyNames } from '@switchyard/merchants/console/api-keys';
import type { StaffContext } from '../context.ts';
import { readTokenNames } from '../machine-tokens/queries.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { objectKey, readObjectNames } from './object-names.ts';
import {
  type AuditChoices,
  type AuditFilter,
  type AuditPageKey,
  type AuditPagePart,
  type AuditRow,
  findAuditRow,
  readAuditChoices,
  readAuditPage,
} from './queries.ts';

/** An entry of the audit log, with names. */
export interface AuditEntryInList extends Omit<AuditRow, 'tenantId'> {
  /** The merchant of the change; null for the workspace itself. */
  readonly merchantId: string | null;
  /** Null for the workspace itself. */
  readonly merchantName: string | null;
  /** The staff user's name, with the token that their agent used; for other actors, the actor as recorded. */
  readonly actorName: string;
  /** The object's name, also of one that was deleted; null where none was ever recorded. */
  readonly objectName: string | null;
}

/** A page of entries; `next` is null on the last one. */
export interface AuditPage {
  readonly items: readonly AuditEntryInList[];
  readonly next: AuditPageKey | null;
}

const PAGE_MAX = 500;

/** A page of the audit log, newest first unless the oldest are wanted first, 500 entries at most. */
export async function listAudit(
  context: StaffContext,
  {
    newestFirst = true,
    after,
    limit: wanted,
    ...query
  }: AuditFilter & Omit<AuditPagePart, 'newestFirst'> & { newestFirst?: boolean },
): Promise<AuditPage> {
  const { database } = context.resources;
  const limit = Math.min(Math.max(1, wanted), PAGE_MAX);
  const page = { newestFirst, after, limit: limit + 1 };
  const rows = query.tenantIds.length === 0 ? [] : await readAuditPage(database, query, page);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await withNames(context, query.tenantIds, shown),
    next: rows.length > limit && last !== undefined ? { createdAt: last.createdAt, entryId: last.entryId } : null,
  };
}

/** One entry of these chains, or null. `entryId` must be a UUID. */
export async function findAudit(
  context: StaffContext,
  query: { readonly tenantIds: readonly string[]; readonly entryId: string },
): Promise<AuditEntryInList | null> {
  const row = await findAuditRow(context.resources.database, query.tenantIds, query.entryId);
  return row === null ? null : ((await withNames(context, query.tenantIds, [row]))[0] ?? null);
}

async function withNames(
  context: StaffContext,
  tenantIds: readonly string[],
  rows: readonly AuditRow[],
): Promise<AuditEntryInList[]> {
  const { database, configuration } = context.resources;
  const actors = rows.map(({ actor }) => actor);
  const actorNames = await readActorNames(context, tenantIds, actors);
  const objectNames = await readObjectNames(database, rows);
  return rows.map((row) => {
    const { tenantId, ...rest } = row;
    return {
      ...rest,
      merchantId: tenantId === NIL_ID ? null : tenantId,
      merchantName: configuration.merchant(tenantId)?.merchant.name ?? null,
      actorName: nameOf(row.actor, actorNames),
      objectName: objectNames.get(objectKey(row)) ?? null,
    };
  });
}

/** The filter options of the log: actors, actions and objects of its latest entries. */
export async function listAuditChoices(
  context: StaffContext,
  tenantIds: readonly string[],
): Promise<Omit<AuditChoices, 'actors'> & { readonly actors: readonly { readonly actor: string; readonly name: string }[] }> {
  const { actors, ...rest } = await readAuditChoices(context.resources.database, tenantIds);
  const names = await readActorNames(context, tenantIds, actors);
  const named = actors.map((actor) => ({ actor, name: nameOf(actor, names) }));
  return { ...rest, actors: named.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) };
}

/** The name of a staff user or an API key, or of our own process: `Switchyard (reset link)`. */
function nameOf(actor: string, names: ReadonlyMap<string, string>): string {
  const [kind, part = ''] = actor.split(':');
  return names.get(actor) ?? (kind === 'system' ? `Switchyard (${part.replace(/[-_]/g, ' ')})` : actor);
}

const STAFF = 'staff:';
const API_KEY = 'api_key:';
const TOKEN = 'token:';

/** The names of staff users, with that of the token where their agent used one (`Ada Obi (agent: Support assistant)`), of API keys and of tokens. */
async function readActorNames(
  context: StaffContext,
  tenantIds: readonly string[],
  actors: readonly string[],
): Promise<Map<string, string>> {
  const { database } = context.resources;
  const split = [...new Set(actors)].map((recorded) => ({ recorded, ...splitAuditActor(recorded) }));
  const idsOf = (kind: string) => split.flatMap(({ actor }) => (actor.startsWith(kind) ? [actor.slice(kind.length)] : []));
  const people = await readStaffNames(database, idsOf(STAFF));
  const keys = await readApiKeyNames(database, tenantIds, idsOf(API_KEY));
  const tokens = await readTokenNames(database, [...split.flatMap(({ tokenId }) => tokenId ?? []), ...idsOf(TOKEN)]);
  const names = new Map<string, string>([
    ...Array.from(people, ([staffId, name]) => [`${STAFF}${staffId}`, name] as const),
    ...Array.from(keys, ([keyId, name]) => [`${API_KEY}${keyId}`, `API key “${name}”`] as const),
    ...Array.from(tokens, ([tokenId, name]) => [`${TOKEN}${tokenId}`, `Machine token “${name}”`] as const),
  ]);
  return new Map(
    split.flatMap(({ recorded, actor, tokenId }): [string, string][] => {
      const name = names.get(actor);
      if (name === undefined) return [];
      return [[recorded, tokenId === null ? name : `${name} (agent: ${tokens.get(tokenId) ?? tokenId})`]];
    }),
  );
}
