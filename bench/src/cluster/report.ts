import { median, servingCpuUs } from '../payments/summary.ts';
import { formatTable } from '../payments/table.ts';
import type { ClusterRound, Work } from './measure.ts';

/** The middle of several rounds, figure by figure. */
export function medianRound(rounds: readonly ClusterRound[]): ClusterRound {
  const of = (value: (round: ClusterRound) => number) => median(rounds.map(value));
  const orNull = (value: (round: ClusterRound) => number | null | undefined) => {
    const known = rounds.map(value).filter((us) => us !== null && us !== undefined);
    return known.length === rounds.length ? median(known) : null;
  };
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    perSecond: of(({ perSecond }) => perSecond),
    failed: of(({ failed }) => failed),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpuUs: Object.fromEntries(names.map((name) => [name, orNull(({ cpuUs }) => cpuUs[name])])),
    statements: of(({ statements }) => statements),
    router: of(({ router }) => router),
    adaptive: of(({ adaptive }) => adaptive),
    onNodes: of(({ onNodes }) => onNodes),
    prepared: of(({ prepared }) => prepared),
    walBytes: of(({ walBytes }) => walBytes),
    diskBytes: of(({ diskBytes }) => diskBytes),
  };
}

/** The result of one side with so many merchants. */
export interface ClusterResult {
  readonly merchants: number;
  readonly side: string;
  readonly round: ClusterRound;
}

const HEAD = [
  'per initiate',
  'merchants',
  'a second',
  'failed',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of it web',
  'worker',
  'database',
  'coordinator',
  'nodes',
  'statements',
  'to one node',
  'taken apart',
  'on nodes',
  'prepared',
  'WAL bytes',
  'disk bytes',
];

/** The table of what an initiate costs on either side. */
export function describeRounds(results: readonly ClusterResult[]): string {
  return formatTable(
    HEAD,
    results.map(({ merchants, side, round }) => {
      const { cpuUs } = round;
      const nodes = Object.entries(cpuUs).flatMap(([name, us]) => (name.startsWith('node ') ? [us ?? Number.NaN] : []));
      const isCluster = nodes.length > 0;
      return [
        side,
        String(merchants),
        whole(round.perSecond),
        whole(round.failed),
        round.p50.toFixed(1),
        round.p99.toFixed(1),
        whole(servingCpuUs(cpuUs)),
        whole(cpuUs.web),
        whole(cpuUs.worker),
        isCluster ? '' : whole(cpuUs.PostgreSQL),
        isCluster ? whole(cpuUs.coordinator) : '',
        isCluster ? whole(nodes.reduce((sum, us) => sum + us, 0)) : '',
        round.statements.toFixed(2),
        isCluster ? round.router.toFixed(2) : '',
        isCluster ? round.adaptive.toFixed(2) : '',
        isCluster ? round.onNodes.toFixed(2) : '',
        isCluster ? round.prepared.toFixed(2) : '',
        whole(round.walBytes),
        whole(round.diskBytes),
      ];
    }),
  );
}

/** Use of processors and statements of a side without any initiates. */
export function describeIdleWork(side: string, { cpuUs, statements, onNodes }: Work): string {
  const shares = Object.entries(cpuUs).map(([name, us]) => `${name} ${us === null ? '–' : (us / 10_000).toFixed(1)} %`);
  const sent = `${statements.toFixed(1)} statements a second, ${onNodes.toFixed(1)} on nodes`;
  return `${side} without initiates: ${shares.join(', ')} of a processor; ${sent}`;
}

function whole(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en-US');
}
