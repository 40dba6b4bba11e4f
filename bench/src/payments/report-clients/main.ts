/*
 * Clients that ask for reports and exports without end, through the web's origin as people do. A process of its own with the lowest priority: such clients run on other machines.
 */
import { constants, setPriority } from 'node:os';
import { queryGraphql } from '../../reports/query-graphql.ts';
import { type ReportsCount, reportsPlanSchema } from './plan.ts';

const REPORT_CLIENTS = 2;
const DAY_MS = 86_400_000;
const LINE_FEED = 10;

const VOLUME = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!, $compare: Boolean!) {
  volume(filter: $filter, groupBy: $groupBy, compare: $compare) { __typename ... on VolumeReport {
    total { payments paid failed amount paidAmount refunded fees net conversion }
    rows { periodStart gateway method sums { payments paid amount paidAmount fees conversion } } } } }`;
const PAGE = `query ($filter: PaymentFilter!) {
  payments(filter: $filter, first: 50) { edges { node { id merchantOrderId status amount gateway createdAt } } } }`;

interface Source {
  readonly webUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly filter: object;
}

setPriority(constants.priority.PRIORITY_LOW);
const counts = { reports: 0, rows: 0 } satisfies ReportsCount;
let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();

process.on('message', (message) => {
  handle(message).then(
    () => process.send?.(counts),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function handle(message: unknown): Promise<void> {
  const plan = reportsPlanSchema.parse(message);
  switch (plan.kind) {
    case 'begin': {
      stop = new AbortController();
      const headers = { authorization: `Bearer ${plan.token}` };
      const source = { webUrl: plan.webUrl, headers, filter: { mode: 'test', merchantIds: [plan.merchantId] } };
      const clients = Array.from({ length: REPORT_CLIENTS }, () => report(source, stop.signal));
      running = Promise.all([...clients, exportRows(source, stop.signal)]);
      running.catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
      return;
    }
    case 'count':
      return;
    case 'end':
      stop.abort();
      await running;
      return;
    default:
      return plan satisfies never;
  }
}

async function report({ webUrl, headers, filter }: Source, signal: AbortSignal): Promise<void> {
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
  for (let next = 0; !signal.aborted; next = (next + 1) % asked.length) {
    const query = asked[next];
    if (query === undefined) return;
    await queryGraphql(`${webUrl}/api/graphql`, headers, query);
    counts.reports += 1;
  }
}

async function exportRows({ webUrl, headers, filter }: Source, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ format: 'csv', filter: JSON.stringify(filter) });
  try {
    while (!signal.aborted) {
      const response = await fetch(`${webUrl}/api/export/payments?${query}`, { headers, signal });
      if (!response.ok || response.body === null) throw new Error(`the export was answered ${response.status}`);
      for await (const piece of response.body) {
        for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) counts.rows += 1;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
