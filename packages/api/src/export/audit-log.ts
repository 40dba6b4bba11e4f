import type { RuntimeContext } from '@switchyard/runtime';
import { type AuditEntryInList, listAudit, readableChains } from '@switchyard/staff/audit-log';
import { hasPermissionAnywhere, merchantsWhere } from '@switchyard/staff/permissions';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { auditFilter, FORBIDDEN_CHAINS } from '../audit-filter.ts';
import type { Switchyard } from '../process.ts';

const PAGE = 500;
const FORMATS = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const;
type Format = keyof typeof FORMATS;

const COLUMNS = [
  'time',
  'actor',
  'actor_name',
  'action',
  'object_type',
  'object_id',
  'merchant',
  'before',
  'after',
  'position',
  'entry_id',
] as const;

/** Answers a request for the audit log as a file, `?format=csv` or `ndjson` and the filters of the list; sent page by page. */
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
  const lines = exportLines(switchyard, { ...filter, tenantIds: chains.tenantIds }, format, merchantName);
  return new Response(toStream(lines), {
    headers: {
      'content-type': FORMATS[format],
      'content-disposition': `attachment; filename="audit-${switchyard.now().toISOString().slice(0, 10)}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}

const querySchema = auditFilter.extend({ format: z.enum(['csv', 'ndjson']).default('csv') });

function readQuery(query: URLSearchParams): z.output<typeof querySchema> | null {
  const date = (name: string) => (query.has(name) ? new Date(String(query.get(name))) : null);
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

/** The file in chunks of one page of entries, so that memory use is independent of its length. */
async function* exportLines(
  context: RuntimeContext,
  query: Omit<Parameters<typeof listAudit>[1], 'after' | 'limit'>,
  format: Format,
  merchantName: (merchantId: string | null) => string,
): AsyncGenerator<string> {
  // Spreadsheets detect UTF-8 only by the byte order mark.
  if (format === 'csv') yield `\uFEFF${stringify([[...COLUMNS]])}`;
  let after: Parameters<typeof listAudit>[1]['after'] = null;
  do {
    const page = await listAudit(context, { ...query, after, limit: PAGE });
    const rows = page.items.map((entry) => toRow(entry, merchantName));
    if (format === 'csv') yield stringify(rows.map(csvCells), { escape_formulas: true });
    else yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
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

function csvCells(row: ReturnType<typeof toRow>): string[] {
  return COLUMNS.map((column) => {
    const value = row[column];
    if (value === null) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

function refused(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { 'cache-control': 'no-store' } });
}
