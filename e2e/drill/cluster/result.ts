import { writeTable } from '../result.ts';
import type { DrivenOrder, Try } from './orders.ts';

/** Faults of a cluster, and what is done to it under load. */
export const CLUSTER_FAULT_NAMES = ['node-killed', 'coordinator-restarted', 'node-added'] as const;
export type ClusterFaultName = (typeof CLUSTER_FAULT_NAMES)[number];

/** Rows of the product and the gateways in the end. */
export interface EndState {
  /** Payments by merchant and order: `merchantId merchantOrderId`. */
  readonly payments: readonly { readonly order: string; readonly status: string }[];
  /** Checkouts of which gateways have the money. */
  readonly paidCheckouts: number;
  /** `payment.succeeded` events by payment. */
  readonly succeededEvents: readonly { readonly paymentId: string; readonly count: number }[];
  /** Deliveries of events that no endpoint has taken. */
  readonly openDeliveries: number;
  /** Roll-ups that differ from their payments, each as a line. */
  readonly wrongRollups: readonly string[];
  /** Jobs that are not tried again, each as a line. */
  readonly failedJobs: readonly string[];
}

export interface ClusterObserved {
  readonly fault: ClusterFaultName;
  readonly perSecond: number;
  readonly faultAtMs: number;
  /** When the node or the coordinator was back, or the shards had been moved. */
  readonly repairedAtMs: number;
  /** When all payments were settled; null when they were not in time. */
  readonly settledAtMs: number | null;
  readonly orders: readonly DrivenOrder[];
  /** Which merchants met the fault: those of the node, or of shards that moved. */
  readonly struck: ReadonlySet<string>;
  /** Groups of shards that were moved. */
  readonly moved: number;
  readonly end: EndState;
}

/** Says what was lost, doubled or left open, a line each. */
export function findBroken({ fault, orders, struck, settledAtMs, end }: ClusterObserved): string[] {
  const broken: string[] = [];
  const unanswered = orders.filter(({ paymentId }) => paymentId === null).length;
  if (unanswered > 0) broken.push(`${unanswered} orders never got a payment`);
  const ordered = new Map(orders.map((order) => [`${order.merchantId} ${order.merchantOrderId}`, order]));
  for (const [order, rows] of Map.groupBy(end.payments, (payment) => payment.order)) {
    if (rows.length > 1) broken.push(`order ${order} has ${rows.length} payments`);
    if (!ordered.has(order)) broken.push(`there was no order ${order}`);
  }
  const stored = new Set(end.payments.map(({ order }) => order));
  for (const [order, { paymentId }] of ordered) {
    if (paymentId !== null && !stored.has(order)) broken.push(`the payment of order ${order} is lost`);
  }
  const open = end.payments.filter(({ status }) => status !== 'SUCCESS').length;
  if (open > 0 || settledAtMs === null) broken.push(`${open} payments were not settled in time`);
  const paid = orders.filter((order) => order.paid).length;
  if (end.paidCheckouts !== paid) broken.push(`customers paid ${paid} times, gateways have ${end.paidCheckouts} payments`);
  const events = new Map(end.succeededEvents.map(({ paymentId, count }) => [paymentId, count]));
  for (const { paymentId } of orders) {
    if (paymentId !== null && events.get(paymentId) !== 1)
      broken.push(`${events.get(paymentId) ?? 0} events of success for ${paymentId}`);
  }
  if (end.openDeliveries > 0) broken.push(`${end.openDeliveries} events were not delivered`);
  if (fault === 'node-killed') {
    const others = orders.filter(({ merchantId }) => !struck.has(merchantId)).flatMap(({ tries }) => tries);
    const failed = others.filter(({ httpStatus }) => httpStatus !== 200).length;
    if (failed > 0) broken.push(`${failed} initiates of merchants on other nodes failed`);
  }
  return [...broken, ...end.wrongRollups, ...end.failedJobs];
}

type Line = readonly string[];

const HEAD: Line = ['merchants', 'when', 'initiates', '200', '503', 'others', 'p50', 'p99', 'longest'];

const GROUPS: Readonly<Record<ClusterFaultName, readonly [string, string]>> = {
  'node-killed': ['of the killed node', 'of other nodes'],
  'coordinator-restarted': ['all', ''],
  'node-added': ['of moved shards', 'of other shards'],
};

/** The table: initiates of merchants that met the fault and of the others, before it, during it and afterwards. */
export function formatCluster(observed: ClusterObserved): string {
  const { fault, perSecond, orders, struck, faultAtMs, repairedAtMs, settledAtMs, moved } = observed;
  const [ofStruck, ofOthers] = GROUPS[fault];
  const periods = [
    ['before', 0, faultAtMs],
    ['during', faultAtMs, repairedAtMs],
    ['after', repairedAtMs, Number.POSITIVE_INFINITY],
  ] as const;
  const lines = [true, false].flatMap((isStruck) => {
    const tries = orders.filter(({ merchantId }) => struck.has(merchantId) === isStruck).flatMap((order) => order.tries);
    if (tries.length === 0) return [];
    return periods.map(([when, from, to]) => [
      isStruck ? ofStruck : ofOthers,
      when,
      ...summarise(tries.filter(({ atMs }) => atMs >= from && atMs < to)),
    ]);
  });
  const settled = settledAtMs === null ? 'not settled' : `all settled ${seconds(Math.max(0, settledAtMs - repairedAtMs))} later`;
  const what = fault === 'node-added' ? `${moved} groups of shards moved in` : 'away for';
  return [
    `${fault}, ${orders.length} orders at ${perSecond}/s: ${what} ${seconds(repairedAtMs - faultAtMs)}, ${settled}`,
    writeTable(HEAD, lines),
  ].join('\n');
}

function summarise(tries: readonly Try[]): Line {
  const count = (isSuch: (httpStatus: number | null) => boolean): string =>
    String(tries.filter(({ httpStatus }) => isSuch(httpStatus)).length);
  const waits = tries
    .filter(({ httpStatus }) => httpStatus === 200)
    .map(({ waitedMs }) => waitedMs)
    .sort((one, other) => one - other);
  const at = (share: number): string =>
    waits.length === 0 ? '–' : `${Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0)} ms`;
  return [
    String(tries.length),
    count((status) => status === 200),
    count((status) => status === 503),
    count((status) => status !== 200 && status !== 503),
    at(0.5),
    at(0.99),
    at(1),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
