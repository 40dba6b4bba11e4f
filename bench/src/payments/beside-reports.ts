import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@switchyard/db';
import { openResources } from '@switchyard/merchants';
import { rebuildRollups } from '@switchyard/reporting';
import { issueFinanceToken } from '@switchyard/staff';
import { queryGraphql } from '../reports/query-graphql.ts';
import type { Bench } from './environment.ts';
import { median } from './summary.ts';

/** How long initiate took beside reports, and alone. */
export interface BesideReports {
  /** In the tables that are reported on. */
  readonly payments: number;
  readonly initiatesPerSecond: number;
  /** Milliseconds, from the moment each request was due: medians over the pairs of rounds. */
  readonly alone: Latency;
  readonly beside: Latency;
  /** Reports answered, and rows exported, in a second. */
  readonly reportsPerSecond: number;
  readonly rowsPerSecond: number;
}

interface Latency {
  readonly p50: number;
  readonly p95: number;
}

const RATE = 20;
const SECONDS = 20;
const PAIRS = 3;
const CONNECTIONS = 512;
const REPORT_CLIENTS = 2;
/** Until the reports' processes are warm, and until the machine is quiet again. */
const SETTLE_MS = 3_000;
const DAY_MS = 86_400_000;
const LINE_FEED = 10;

const VOLUME = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!, $compare: Boolean!) {
  volume(filter: $filter, groupBy: $groupBy, compare: $compare) { __typename ... on VolumeReport {
    total { payments paid failed amount paidAmount refunded fees net conversion }
    rows { periodStart gateway method sums { payments paid amount paidAmount fees conversion } } } } }`;
const PAGE = `query ($filter: PaymentFilter!) {
  payments(filter: $filter, first: 50) { edges { node { id merchantOrderId status amount gateway createdAt } } } }`;

/** Measures initiate at 20 a second in turns with and without two clients that ask for reports without end, and an export. */
export async function measureBesideReports(bench: Bench, payments: number, tell: (line: string) => void): Promise<BesideReports> {
  const databaseUrl = bench.running.environment.DATABASE_URL ?? '';
  await rebuildRollups(databaseUrl);
  const headers = { authorization: `Bearer ${await issueToken(bench)}` };
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  let reports = 0;
  let rows = 0;
  let seconds = 0;
  await initiate(bench);
  for (let pair = 1; pair <= PAIRS; pair++) {
    alone.push(await initiate(bench));
    const load = startReports(bench, headers);
    await pause(SETTLE_MS);
    const before = load.counts();
    const begun = performance.now();
    beside.push(await initiate(bench));
    seconds += (performance.now() - begun) / 1_000;
    const after = load.counts();
    reports += after.reports - before.reports;
    rows += after.rows - before.rows;
    await load.end();
    await pause(SETTLE_MS);
    const figures = ({ p50, p95 }: Latency | undefined = { p50: Number.NaN, p95: Number.NaN }) =>
      `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`;
    tell(`initiate at ${RATE}/s ${pair}/${PAIRS}: alone ${figures(alone.at(-1))}, beside reports ${figures(beside.at(-1))}`);
  }
  return {
    payments,
    initiatesPerSecond: RATE,
    alone: medians(alone),
    beside: medians(beside),
    reportsPerSecond: reports / seconds,
    rowsPerSecond: rows / seconds,
  };
}

async function initiate(bench: Bench): Promise<Latency> {
  const pace = { kind: 'open', perSecond: RATE, connections: CONNECTIONS } as const;
  const { latency } = await bench.load({ operation: 'initiate', origins: [...bench.product.origins], pace, seconds: SECONDS });
  return { p50: latency.p50, p95: latency.p95 };
}

function medians(rounds: readonly Latency[]): Latency {
  return { p50: median(rounds.map(({ p50 }) => p50)), p95: median(rounds.map(({ p95 }) => p95)) };
}

/** Clients that ask again as soon as they are answered, through the web's origin as people do. */
function startReports(bench: Bench, headers: Readonly<Record<string, string>>) {
  const stop = new AbortController();
  const { webUrl } = bench.running;
  const filter = { mode: 'test', merchantIds: [bench.merchant.merchantId] };
  let reports = 0;
  let rows = 0;

  async function report(): Promise<void> {
    const to = new Date();
    const back = (days: number) => new Date(to.getTime() - days * DAY_MS);
    const asked = [
      { query: VOLUME, variables: { filter: { ...filter, from: back(30), to }, groupBy: ['day'], compare: true } },
      { query: VOLUME, variables: { filter: { ...filter, from: back(364), to }, groupBy: ['month', 'gateway'], compare: false } },
      {
        query: VOLUME,
        variables: { filter: { ...filter, from: back(7), to, methods: ['CARD'] }, groupBy: ['account'], compare: false },
      },
      { query: PAGE, variables: { filter: { ...filter, createdTo: back(180) } } },
    ];
    while (!stop.signal.aborted) {
      for (const each of asked) {
        await queryGraphql(`${webUrl}/api/graphql`, headers, each);
        reports += 1;
        if (stop.signal.aborted) return;
      }
    }
  }

  async function exportRows(): Promise<void> {
    const query = new URLSearchParams({ format: 'csv', filter: JSON.stringify(filter) });
    try {
      while (!stop.signal.aborted) {
        const response = await fetch(`${webUrl}/api/export/payments?${query}`, { headers, signal: stop.signal });
        if (!response.ok || response.body === null) throw new Error(`the export was answered ${response.status}`);
        for await (const piece of response.body) {
          for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) rows += 1;
        }
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }

  const clients = [...Array.from({ length: REPORT_CLIENTS }, report), exportRows()];
  const ended = Promise.all(clients);
  ended.catch(() => undefined);
  return {
    counts: () => ({ reports, rows }),
    async end() {
      stop.abort();
      await ended;
    },
  };
}

async function issueToken(bench: Bench): Promise<string> {
  const { rows } = await bench.pool.query<{ staffId: string }>(
    `SELECT staff_id AS "staffId" FROM staff_grant WHERE role = 'owner' LIMIT 1`,
  );
  const resources = openResources(bench.running.environment, () => undefined);
  try {
    const issued = await issueFinanceToken(
      { resources, now: () => new Date(), newId },
      {
        name: 'Bench',
        merchantIds: [bench.merchant.merchantId],
        modes: ['test'],
        staffId: rows[0]?.staffId ?? '',
        expiresAt: new Date(Date.now() + DAY_MS),
      },
    );
    if (issued.kind !== 'issued') throw new Error(JSON.stringify(issued));
    return issued.token;
  } finally {
    await resources.close();
  }
}
