import type { BesideReports } from './beside-reports.ts';
import type { ColdStart } from './cold-start.ts';
import type { Grown } from './growth.ts';
import type { Overload } from './overload.ts';
import type { ScaledOut } from './scale-out.ts';
import { type Side, type Summary, servingCpuUs } from './summary.ts';
import { formatTable } from './table.ts';

const HEAD = [
  'per operation',
  'a second',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of it web',
  'worker',
  'reporting',
  'PostgreSQL',
  'gateway',
  'client',
  'statements',
  'commits',
  'WAL bytes',
  'of it pages',
];

const MEBIBYTE = 1_048_576;

/** The table of what operations cost, with two lines each. */
export function describeOperations(operations: Readonly<Record<string, Summary>>): string {
  const rows = Object.entries(operations).flatMap(([name, { product, floor, ratio }]) => [
    line(name, product, ratio.toFixed(2)),
    line('  floor', floor, ''),
  ]);
  return formatTable(HEAD, rows);
}

/** The table of what operations cost on tables of different sizes. */
export function describeGrowth(grown: readonly Grown[]): string {
  const head = [
    'payments',
    'operation',
    'a second',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'PostgreSQL',
    'WAL bytes',
    'floor: p50',
    'p99',
    'CPU µs',
  ];
  const rows = grown.flatMap(({ payments, operations }) =>
    ['initiate', 'get', 'verify'].flatMap((name) => {
      const summary = operations[name];
      if (summary === undefined) return [];
      const { product, floor } = summary;
      const ours = [whole(product.perSecond), ...percentiles(product), whole(servingCpuUs(product.cpuUs))];
      const server = [whole(product.cpuUs.postgres), whole(product.postgres.walBytes)];
      return [[whole(payments), name, ...ours, ...server, ...percentiles(floor), whole(servingCpuUs(floor.cpuUs))]];
    }),
  );
  return formatTable(head, rows);
}

/** The table of what becomes of more initiates than are carried out at most. */
export function describeOverload(measured: readonly Overload[]): string {
  const head = ['initiates', 'offered/s', 'carried out/s', '÷ the most', 'p50 ms', 'p99 ms', '503: p50', 'p99'];
  const rows = measured.map(({ times, offeredPerSecond, answeredPerSecond, goodput, latency, shedLatency }) => [
    `${times} × the most`,
    whole(offeredPerSecond),
    whole(answeredPerSecond),
    goodput.toFixed(2),
    whole(latency.p50),
    whole(latency.p99),
    shedLatency?.p50.toFixed(1) ?? '–',
    shedLatency?.p99.toFixed(1) ?? '–',
  ]);
  return formatTable(head, rows);
}

/** The table of what reports cost initiates beside them. */
export function describeBesideReports({
  payments,
  initiatesPerSecond,
  alone,
  beside,
  besideCopies,
  ...load
}: BesideReports): string {
  const head = [`initiate at ${initiatesPerSecond}/s`, 'p50 ms', 'p95 ms'];
  const row = (name: string, { p50, p95 }: BesideReports['alone']) => [name, p50.toFixed(1), p95.toFixed(1)];
  const around = `${whole(load.reportsPerSecond)} reports/s and ${whole(load.rowsPerSecond)} exported rows/s of ${whole(payments)}`;
  const ratios = (name: string, base: BesideReports['alone']) => [
    name,
    (beside.p50 / base.p50).toFixed(2),
    (beside.p95 / base.p95).toFixed(2),
  ];
  return formatTable(head, [
    row('alone', alone),
    row(`beside ${around}`, beside),
    row('beside copies of memory at the lowest priority', besideCopies),
    ratios('reports ÷ alone', alone),
    ratios('reports ÷ copies of memory', besideCopies),
  ]);
}

/** The table of what several web processes do beside one. */
export function describeScaleOut(scaled: readonly ScaledOut[]): string {
  const head = ['web processes', 'CPU of each', 'operation', 'a second', '÷ one', 'CPU µs', 'CPU µs of one', 'waiting for locks'];
  const rows = scaled.map(({ processes, webCpu, operation, perSecond, ratio, cpuUs, oneCpuUs, waitingForLocks }) => [
    whole(processes),
    webCpu?.toString() ?? '–',
    operation,
    whole(perSecond),
    ratio.toFixed(2),
    whole(cpuUs),
    whole(oneCpuUs),
    waitingForLocks.toFixed(2),
  ]);
  return formatTable(head, rows);
}

/** The memory of each process at several moments. */
export function describeMemory(memory: Readonly<Record<string, Readonly<Record<string, number | null>>>>): string {
  const names = Object.keys(Object.values(memory)[0] ?? {});
  const rows = Object.entries(memory).map(([moment, bytes]) => [
    moment,
    ...names.map((name) => whole(bytes[name] == null ? null : bytes[name] / MEBIBYTE)),
  ]);
  return formatTable(['memory, MiB', ...names], rows);
}

/** CPU of the product without operations. */
export function describeIdle(cpuUs: Side['cpuUs']): string {
  const each = Object.entries(cpuUs).map(([name, us]) => `${name} ${us === null ? '–' : (us / 1_000).toFixed(1)}`);
  return `CPU without operations, ms a second: ${each.join(', ')}`;
}

export function describeColdStart({ webSeconds, allSeconds }: ColdStart): string {
  return `First payment read ${webSeconds.toFixed(2)} s after the start of the web process, ${allSeconds.toFixed(2)} s after that of everything.`;
}

function line(name: string, side: Side, ratio: string): string[] {
  const { cpuUs, postgres } = side;
  return [
    name,
    whole(side.perSecond),
    ratio,
    ...percentiles(side),
    whole(servingCpuUs(cpuUs)),
    whole(cpuUs.web ?? cpuUs.floor),
    whole(cpuUs.worker),
    whole(cpuUs.reporting),
    whole(cpuUs.postgres),
    whole(cpuUs.gateway),
    whole(cpuUs.generator),
    postgres.statements.toFixed(2),
    postgres.commits.toFixed(2),
    whole(postgres.walBytes),
    whole(postgres.walPageBytes),
  ];
}

function percentiles({ latency }: Side): string[] {
  return latency === null ? ['–', '–'] : [latency.p50.toFixed(1), latency.p99.toFixed(1)];
}

function whole(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-US');
}
