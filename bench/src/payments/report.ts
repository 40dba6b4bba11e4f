import type { Grown } from './measure.ts';
import { type Side, type Summary, servingCpuUs } from './summary.ts';

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

/** Lines of text with aligned columns: the first one to the left, all others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) => Math.max(text.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const write = (row: readonly string[]): string =>
    widths
      .map((width, column) => (column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width)))
      .join('  ')
      .trimEnd();
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...rows.map(write)].join('\n');
}
