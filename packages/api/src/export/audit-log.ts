import { parseMoment } from '@switchyard/db/moments';
import { FILE_FORMATS, FILE_TYPES, type FileFormat, workbookProblem, writeFile } from '@switchyard/reporting/files';
import type { RuntimeContext } from '@switchyard/runtime';
import { type AuditEntryInList, countAudit, listAudit, readableChains } from '@switchyard/staff/audit-log';
import { hasPermissionAnywhere, merchantsWhere } from '@switchyard/staff/permissions';
import { z } from 'zod';
import { auditFilter, FORBIDDEN_CHAINS } from '../audit-filter.ts';
import { streamOf } from '../http/bodies.ts';
import type { Switchyard } from '../process.ts';

const PAGE = 500;

const TEXT = { is: 'text' } as const;
const CODE = { is: 'code' } as const;
const COLUMNS = [
  { name: 'time', value: CODE },
  { name: 'actor', value: CODE },
  { name: 'actor_name', value: TEXT },
  { name: 'action', value: CODE },
  { name: 'object_type', value: CODE },
  { name: 'object_id', value: TEXT },
  { name: 'merchant', value: TEXT },
  { name: 'before', value: TEXT },
  { name: 'after', value: TEXT },
  { name: 'position', value: { is: 'number' } },
  { name: 'entry_id', value: CODE },
] as const;

/** Answers a request for the audit log as a file, `?format=csv`, `ndjson` or `xlsx` and the filters of the list; sent page by page. */
export async function exportAudit(switchyard: Switchyard, request: Request): Promise<Response> {
  const session = await switchyard.signIn().readSession(request.headers);
  if (session === null) return refused(401, 'Sign in to continue.');
  if (!hasPermissionAnywhere(session, 'audit:read'))
    return refused(403, 'Your role does not allow this. Ask an owner of the workspace.');
  const requested = readQuery(new URL(request.url).searchParams);
  if (requested === null) return refused(400, 'The filters are not understood.');
  const { configuration } = switchyard.resources;
  await configuration.ready();
  const known = configuration.merchants().map(({ merchant }) => merchant.id);
  const { format, merchantId, workspace, ...filter } = requested;
  const merchantIds = merchantsWhere(session, 'audit:read', known);
  const chains = readableChains({ session, merchantIds }, { merchantId, workspace });
  if (chains.kind !== 'readable') return refused(403, FORBIDDEN_CHAINS[chains.kind]);
  const merchantName = (id: string | null) => (id === null ? '' : (configuration.merchant(id)?.merchant.name ?? id));
  const query = { ...filter, tenantIds: chains.tenantIds };
  if (format === 'xlsx') {
    const problem = workbookProblem((await countAudit(switchyard, query))?.count ?? 0);
    if (problem !== null) return refused(400, problem);
  }
  const file = { format, name: 'audit', columns: COLUMNS, titles: true, byteOrderMark: true };
  return new Response(streamOf(writeFile(file, auditPieces(switchyard, query, format, merchantName))), {
    headers: {
      'content-type': FILE_TYPES[format],
      'content-disposition': `attachment; filename="audit-${switchyard.now().toISOString().slice(0, 10)}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}

const querySchema = auditFilter.extend({ format: z.enum(FILE_FORMATS).default('csv') });

/** Refused by the schema. */
const UNREADABLE = new Date(Number.NaN);

function readQuery(query: URLSearchParams): z.output<typeof querySchema> | null {
  const date = (name: string) => (query.has(name) ? (parseMoment(String(query.get(name))) ?? UNREADABLE) : null);
  const parsed = querySchema.safeParse({
    format: query.get('format') ?? undefined,
    merchantId: query.get('merchantId'),
    workspace: query.get('workspace') === 'true',
    actors: query.getAll('actor'),
    actions: query.getAll('action'),
    objectTypes: query.getAll('objectType'),
    objectId: query.get('objectId'),
    from: date('from'),
    to: date('to'),
  });
  return parsed.success ? parsed.data : null;
}

/** The rows of the file, one page of entries at a time, so that memory use is independent of its length. */
async function* auditPieces(
  context: RuntimeContext,
  query: Omit<Parameters<typeof listAudit>[1], 'after' | 'limit'>,
  format: FileFormat,
  merchantName: (merchantId: string | null) => string,
): AsyncGenerator<{ readonly rows: readonly string[] }, void, undefined> {
  let after: Parameters<typeof listAudit>[1]['after'] = null;
  do {
    const page = await listAudit(context, { ...query, after, limit: PAGE });
    const rows = page.items.map((entry) => toRow(entry, merchantName));
    yield { rows: rows.map((row) => JSON.stringify(format === 'ndjson' ? row : toCells(row))) };
    after = page.next;
  } while (after !== null);
}

function toRow(entry: AuditEntryInList, merchantName: (merchantId: string | null) => string) {
  const { createdAt, actor, actorName, action, objectType, objectId, merchantId, before, after, position, entryId } = entry;
  return {
    time: createdAt.toISOString(),
    actor,
    actor_name: actorName,
    action,
    object_type: objectType,
    object_id: objectId,
    merchant: merchantName(merchantId),
    before,
    after,
    position,
    entry_id: entryId,
  };
}

function toCells(row: ReturnType<typeof toRow>): (string | null)[] {
  return COLUMNS.map(({ name }) => {
    const value = row[name];
    return value === null || typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function refused(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { 'cache-control': 'no-store' } });
}
