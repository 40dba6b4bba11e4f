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

/** A sentence about the memory of each process. */
export function describeMemory(memory: Readonly<Record<string, number | null>>): string {
  const each = Object.entries(memory).map(([name, bytes]) => `${name} ${bytes === null ? '–' : Math.round(bytes / MEBIBYTE)}`);
  return `Memory in MiB: ${each.join(', ')}`;
}

function line(name: string, side: Side, ratio: string): string[] {
  const { cpuUs, latency, postgres } = side;
  return [
    name,
    whole(side.perSecond),
    ratio,
    latency === null ? '–' : latency.p50.toFixed(1),
    latency === null ? '–' : latency.p99.toFixed(1),
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
  ];
}

function whole(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-US');
}
