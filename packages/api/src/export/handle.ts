import { Readable } from 'node:stream';
import { isUuid } from '@switchyard/db';
import { parseMoment } from '@switchyard/db/moments';
import type { FileQuery, ListRequest } from '@switchyard/nouns/exported-list';
import {
  countFileRows,
  FILE_FORMATS,
  FILE_TYPES,
  type FileCursor,
  readFile,
  recordExport,
  workbookProblem,
  writeFile,
} from '@switchyard/reporting/files';
import { LISTS } from '@switchyard/scheduled-reports/lists';
import { z } from 'zod';
import { authenticateViewer, type Viewer } from '../graphql/viewer.ts';
import { streamOf } from '../http/bodies.ts';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER, whyUnavailable } from '../unavailable.ts';

const COUNT_TIMEOUT_MS = 10_000;
const MERCHANTS_MAX = 1_000;
const COLUMNS_TEXT_MAX = 2_000;

const parametersSchema = z.object({
  format: z.enum(FILE_FORMATS).default('csv'),
  after: z
    .string()
    .transform((text, context) => {
      const cursor = parseFileCursor(text);
      if (cursor === null) context.addIssue('must be merchant_id,created_at,id of a row');
      return cursor;
    })
    .default(null),
  limit: z.coerce.number().int().min(1).max(5_000).optional(),
  columns: z
    .string()
    .max(COLUMNS_TEXT_MAX)
    .transform((text) => text.split(','))
    .optional(),
  bom: z.enum(['true', 'false']).default('false'),
});
type How = z.output<typeof parametersSchema>;

/**
 * Answers `GET /api/export/<list>` with the list as a file, for a machine token or for staff from our own pages.
 *
 * - `filter`: JSON with the filters of the list's page, `mode` at least.
 * - `format`: `csv`, `ndjson` or `xlsx`, which has at most 1,048,575 rows.
 * - `after`: resumes after a row: its `merchant_id`, `created_at` and own id, separated by commas.
 * - `limit`: 1 to 5,000 rows; `x-next-cursor` is then the `after` of the next page, and absent at the end.
 * - `columns`: column names of the file, separated by commas, in order. Without it, all but a few.
 * - `bom`: `true` starts CSV with a byte order mark, which spreadsheets need.
 *
 * `x-row-count` is the number of remaining rows when the response starts. Rows are sorted by merchant id, then oldest first, so an
 * interrupted file resumes exactly; the header line of CSV is sent only at the beginning, and every workbook has it. The export is written to the audit log before
 * the first row is sent.
 */
export async function handleExport(switchyard: Switchyard, listName: string, request: Request): Promise<Response> {
  const authenticated = await authenticateViewer(switchyard, request.headers);
  if (authenticated.kind === 'refused') return refused(authenticated.status, authenticated.message, authenticated.headers);
  const known = Object.hasOwn(LISTS, listName) ? LISTS[listName] : undefined;
  if (known === undefined) return refused(404, `There is no such list. There are: ${Object.keys(LISTS).join(', ')}.`);
  const query = new URL(request.url).searchParams;
  const how = parametersSchema.safeParse(Object.fromEntries(query));
  if (!how.success) return refused(400, how.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  const requested = known.read(parseJson(query.get('filter') ?? '{}'));
  if ('problem' in requested) return refused(400, `The filter is not understood. ${requested.problem}`);
  const { viewer } = authenticated;
  if (viewer.onlyTools) return refused(403, 'This token lacks the scope reports.');
  if (!viewer.may('report:export')) return refused(403, 'Your role does not allow this. Ask an owner of the workspace.');
  if (!viewer.modes.includes(requested.mode)) return refused(403, `You have no access to ${requested.mode} payments.`);
  const mayRead = new Set(viewer.merchantsFor(known.permission));
  const reached = viewer.merchantsFor('report:export').filter((id) => mayRead.has(id));
  const named = [...new Set(requested.merchantIds)];
  if (!named.every((id) => reached.includes(id))) return refused(403, 'You have no access to one of these merchants.');
  const merchantIds = named.length === 0 ? reached : named;
  if (merchantIds.length > MERCHANTS_MAX) return refused(400, 'These are too many merchants at once. Name one.');
  try {
    return await answer(switchyard, { listName, viewer, requested, merchantIds, how: how.data, signal: request.signal });
  } catch (error) {
    const unavailable = whyUnavailable(error);
    if (unavailable !== null) return refused(503, unavailable, RETRY_LATER);
    switchyard.log.error({ error }, 'a file export failed');
    return refused(500, 'Something went wrong on our side. It has been recorded.');
  }
}

interface Export {
  readonly listName: string;
  readonly viewer: Viewer;
  readonly requested: ListRequest;
  readonly merchantIds: readonly string[];
  readonly how: How;
  readonly signal: AbortSignal;
}

async function answer(switchyard: Switchyard, exported: Export): Promise<Response> {
  const { listName, requested, merchantIds, how, signal } = exported;
  const { reports, database } = switchyard.resources;
  const { format, after, limit } = how;
  const whole = await requested.file(database, merchantIds);
  const columns = chooseColumns(whole, how);
  if ('unknown' in columns) {
    const names = [...whole.columns, ...(whole.moreColumns ?? [])].map(({ name }) => name).join(', ');
    return refused(400, `columns: there is no "${columns.unknown}" in this list. There are: ${names}.`);
  }
  const file = { ...whole, columns };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
  const count = await countFileRows(reports, file, { after, signal: inTime });
  const problem = format === 'xlsx' ? workbookProblem(Math.min(count, limit ?? count)) : null;
  if (problem !== null) return refused(400, problem);
  const { mode, merchantIds: named } = requested;
  const { actor } = exported.viewer;
  await recordExport(switchyard, { listName, mode, merchantIds: named, actor, request: requestOf(exported, count) });
  const name = `${listName}-${switchyard.payments.now().toISOString().slice(0, 10)}.${format}`;
  const headers = {
    'content-type': FILE_TYPES[format],
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-row-count': String(count),
  };
  const written = { format, name: listName, columns, titles: after === null, byteOrderMark: how.bom === 'true' };
  const options = { format, after, signal };
  if (limit === undefined) {
    return new Response(streamOf(writeFile(written, readFile(reports, file, options))), { headers });
  }
  const pieces = readFile(reports, file, { ...options, limit });
  const { value: piece } = await pieces.next();
  const more = piece !== undefined && piece.rows.length === limit && count > limit;
  const next = more ? { 'x-next-cursor': formatFileCursor(piece.last) } : {};
  const page = Readable.from(piece === undefined ? [] : [piece]);
  return new Response(streamOf(writeFile(written, page)), { headers: { ...headers, ...next } });
}

type Columns = FileQuery['columns'];

/** The requested columns, without duplicates. */
function chooseColumns(
  { columns, moreColumns = [] }: FileQuery,
  { columns: names }: How,
): Columns | { readonly unknown: string } {
  if (names === undefined) return columns;
  const known = new Map([...columns, ...moreColumns].map((column) => [column.name, column]));
  const chosen = [...new Set(names)].map((name) => known.get(name) ?? name);
  const unknown = chosen.find((column) => typeof column === 'string');
  return unknown === undefined ? chosen.filter((column) => typeof column !== 'string') : { unknown };
}

/** The export requested, as the audit log keeps it. */
function requestOf({ requested, how }: Export, count: number) {
  const { format, columns, after } = how;
  const filter = { filter: toJson(requested.filter), format, ...(columns !== undefined && { columns }) };
  return { ...filter, after: after && formatFileCursor(after), count };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toJson(value: unknown) {
  return JSON.parse(JSON.stringify(value ?? null));
}

function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}

/** A file cursor as text: the merchant, creation time and id of a row, separated by commas. */
function formatFileCursor({ merchantId, createdAt, id }: FileCursor): string {
  return [merchantId, createdAt.toISOString(), id].join(',');
}

/** Reads what {@link formatFileCursor} writes; null for any other text. */
function parseFileCursor(text: string): FileCursor | null {
  const [merchantId = '', at = '', id = '', ...more] = text.split(',');
  const createdAt = parseMoment(at);
  if (createdAt === null || !isUuid(merchantId) || !isUuid(id) || more.length > 0) return null;
  return { merchantId: merchantId.toLowerCase(), createdAt, id };
}
