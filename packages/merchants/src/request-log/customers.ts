import { type Database, NIL_ID } from '@switchyard/db';
import { type ApiRequest, type Mode, Prisma } from '@switchyard/db/client';
import { createRedactor } from '@switchyard/gateways/redaction';

/** Requests of one statement, of which the bodies are searched. */
const PAGE = 2_000;
const ROWS_MAX = 10_000;

/** A customer, by payments and by texts that name the person. */
export interface NamedCustomer {
  readonly merchantId: string;
  readonly paymentIds: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Removes the bodies of refused requests about these payments, and those of requests that hold one of these texts in any case, in a body or in
 * the path, where it is replaced. Reads all requests of the merchant in short statements, and so belongs in no transaction: after a failure,
 * asking again does the rest. Returns how many requests. Addresses, numbers and the fields of a customer were not kept in the first place.
 */
export async function eraseRequestsOf(database: Database, { merchantId, paymentIds, texts }: NamedCustomer): Promise<number> {
  const isNamed = Prisma.sql`(has_body AND payment_id = ANY (${[...paymentIds]}::uuid[])) OR ${isNaming(texts)}`;
  const redactor = createRedactor(texts);
  let erased = 0;
  for (const mode of ['test', 'live'] as const) {
    for await (const found of pagesOf(database, { merchantId, mode }, isNamed)) {
      if (found.length === 0) continue;
      const ids = found.map(({ id }) => id);
      const paths = found.map(({ path }) => redactor.text(path));
      erased += await database.prisma.$executeRaw`
        UPDATE api_request SET request_body = NULL, response_body = NULL, path = named.path
        FROM unnest(${ids}::uuid[], ${paths}::text[]) AS named (id, path)
        WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND api_request.id = named.id`;
    }
  }
  return erased;
}

/** The requests about these payments, or that hold one of the texts, oldest first, with the bodies of refused ones; at most 10,000. */
export async function readRequestsOf(
  database: Database,
  { merchantId, mode, paymentIds, texts }: NamedCustomer & { readonly mode: Mode },
): Promise<ApiRequest[]> {
  const ids: string[] = [];
  const isSought = Prisma.sql`payment_id = ANY (${[...paymentIds]}::uuid[]) OR ${isNaming(texts)}`;
  for await (const found of pagesOf(database, { merchantId, mode }, isSought)) {
    ids.push(...found.map(({ id }) => id));
    if (ids.length >= ROWS_MAX) break;
  }
  const where = { merchantId, mode, id: { in: ids.slice(0, ROWS_MAX) } };
  return database.prisma.apiRequest.findMany({ where, orderBy: { id: 'asc' } });
}

/** True if a request holds one of the texts, in any case, also percent-encoded. */
function isNaming(texts: readonly string[]): Prisma.Sql {
  const forms = [...new Set(texts.flatMap((text) => [text, encodeURIComponent(text.toWellFormed())]))];
  return Prisma.sql`EXISTS (
    SELECT FROM unnest(${forms}::text[]) AS named (text) WHERE position(lower(named.text) IN page.content) > 0)`;
}

type Page = Pick<ApiRequest, 'id' | 'path'>[];

/** The requests that are sought, page after page of all, as no index has their payments and texts. */
async function* pagesOf(
  { prisma }: Database,
  { merchantId, mode }: Pick<ApiRequest, 'merchantId' | 'mode'>,
  isSought: Prisma.Sql,
): AsyncGenerator<Page> {
  let after: string | undefined = NIL_ID;
  while (after !== undefined) {
    // The limit keeps the planner from writing out the content once for each text.
    const rows: (Page[number] & { isSought: boolean | null })[] = await prisma.$queryRaw`
      SELECT page.id, page.path, ${isSought} AS "isSought" FROM (
        SELECT id, path, payment_id, request_body IS NOT NULL OR response_body IS NOT NULL AS has_body,
          lower(concat_ws(' ', path, request_body, response_body)) AS content
        FROM api_request WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND id > ${after}::uuid
        ORDER BY id LIMIT ${PAGE}) AS page ORDER BY page.id`;
    yield rows.filter((row) => row.isSought === true);
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}
