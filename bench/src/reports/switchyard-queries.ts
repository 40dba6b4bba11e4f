import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { BenchQuery } from './measure.ts';

const VOLUME = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!, $compare: Boolean!) {
  volume(filter: $filter, groupBy: $groupBy, compare: $compare) { ... on VolumeReport {
    total { payments paid failed amount paidAmount refunded fees net conversion }
    rows { periodStart gateway method account { id } sums { payments paid amount paidAmount fees conversion }
      previous { payments paidAmount } } } } }`;
const PAGE = `query ($filter: PaymentFilter!, $after: String) {
  payments(filter: $filter, first: 50, after: $after) { pageInfo { endCursor hasNextPage }
    edges { node { id merchantOrderId status amount currency gateway paidMethod createdAt } } } }`;

const volume = z.object({ volume: z.object({ rows: z.array(z.unknown()) }) });
const page = z.object({
  payments: z.object({ pageInfo: z.object({ endCursor: z.string() }), edges: z.array(z.unknown()) }),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DASHBOARD_MS = 100;
const AD_HOC_MS = 500;
const PAGE_MS = 25;

/** The dashboard's queries, ad-hoc ones, and pages; of all merchants and of the largest. */
export async function switchyardQueries(server: SwitchyardServer, until: Date, largest: string): Promise<readonly BenchQuery[]> {
  const back = (ms: number) => new Date(until.getTime() - ms);
  const lagosMidnight = new Date(Math.floor((until.getTime() + HOUR_MS) / DAY_MS) * DAY_MS - HOUR_MS);
  const sums = (name: string, limitMs: number, variables: Record<string, unknown>): BenchQuery => ({
    name,
    limitMs,
    run: async () => {
      const answer = volume.parse(await queryGraphql(server.url, server.headers, { query: VOLUME, variables }));
      return answer.volume.rows.length;
    },
  });
  const readPage = async (filter: object, after: string | null) =>
    page.parse(await queryGraphql(server.url, server.headers, { query: PAGE, variables: { filter, after } })).payments;
  const queries: BenchQuery[] = [];
  for (const [whose, merchants] of [
    ['all merchants', {}],
    ['largest merchant', { merchantIds: [largest] }],
  ] as const) {
    const filter = { mode: 'live', to: until, ...merchants };
    const today = { filter: { ...filter, from: lagosMidnight }, groupBy: ['gateway'], compare: false };
    const weekAgo = { ...filter, from: new Date(lagosMidnight.getTime() - 7 * DAY_MS), to: back(7 * DAY_MS) };
    const ofDays = { filter: { ...filter, from: new Date(lagosMidnight.getTime() - 29 * DAY_MS) }, compare: true };
    const adHoc = { filter: { ...filter, from: back(30 * DAY_MS + 17 * 60_000), to: back(19 * 60_000) }, compare: false };
    const list = { mode: 'live', ...merchants };
    const middle = (await readPage({ ...list, createdTo: back(180 * DAY_MS) }, null)).pageInfo.endCursor;
    const pageOf = (name: string, of: object, after: string | null): BenchQuery => ({
      name: `${name}, ${whose}`,
      limitMs: PAGE_MS,
      run: async () => (await readPage(of, after)).edges.length,
    });
    queries.push(
      sums(`today by gateway, ${whose}`, DASHBOARD_MS, today),
      sums(`the same a week ago, ${whose}`, DASHBOARD_MS, { ...today, filter: weekAgo }),
      sums(`30 days by day, with those before, ${whose}`, DASHBOARD_MS, { ...ofDays, groupBy: ['day'] }),
      sums(`12 months by month, ${whose}`, DASHBOARD_MS, {
        filter: { ...filter, from: back(364 * DAY_MS) },
        groupBy: ['month'],
        compare: false,
      }),
      sums(`ad hoc: 30 odd days by account and method, ${whose}`, AD_HOC_MS, { ...adHoc, groupBy: ['account', 'method'] }),
      sums(`ad hoc: 30 odd days, failed cards by day, ${whose}`, AD_HOC_MS, {
        ...adHoc,
        groupBy: ['day'],
        filter: { ...adHoc.filter, methods: ['CARD'], statuses: ['FAILED'] },
      }),
      pageOf('first page', list, null),
      pageOf('page in the middle of the year', list, middle),
      pageOf('deep page of failed ones', { ...list, statuses: ['FAILED'] }, middle),
      pageOf('deep page by rule and amount', { ...list, ruleIds: ['cards'], amountFrom: 100_000 }, middle),
    );
  }
  return queries;
}

const answerSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.object({ message: z.string() })).optional() });
const TIMEOUT_MS = 60_000;

/** Plain HTTP on kept-alive connections, so that the client costs little beside the server. */
const agent = new Agent({ keepAlive: true });

/** Queries a GraphQL server over HTTP; throws with its error messages. */
async function queryGraphql(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<unknown> {
  const { data, errors } = answerSchema.parse(JSON.parse(await post(url, headers, JSON.stringify(body))));
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '));
  return data;
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((done, failed) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      timeout: TIMEOUT_MS,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)));
    outgoing.on('error', failed);
    outgoing.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', failed);
      response.on('end', () => done(Buffer.concat(pieces).toString()));
    });
    outgoing.end(body);
  });
}

export interface SwitchyardServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const announcement = z.object({ url: z.url(), headers: z.record(z.string(), z.string()) });

/** Our GraphQL on a database, in a process of its own. */
export async function startSwitchyardServer(databaseUrl: string): Promise<SwitchyardServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'switchyard-server-main.ts')], {
    // As `npm start` runs it: outside production, graphql validates its arguments twice.
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const line = await Promise.race([firstLine(child.stdout), ended.then(() => null)]);
  if (line === null) throw new Error('the server ended before it listened');
  return {
    ...announcement.parse(JSON.parse(line)),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The first line that a program prints. */
function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => createInterface({ input: output }).once('line', resolve));
}
