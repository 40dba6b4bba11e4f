import type { Fault, GatewayName } from '../harness/gateways.ts';

/** The fault to set at a gateway's simulator; null ends it. */
export type FaultOrder = {
  readonly kind: Fault;
  readonly latencyMs?: number;
  readonly probability?: number;
  readonly seed?: number;
  readonly calls?: 'creating' | 'reading';
} | null;

export interface FaultStep {
  /** From the beginning of the fault. */
  readonly atSeconds: number;
  readonly gateway: GatewayName;
  readonly order: FaultOrder;
}

/** One way in which gateways fail. Paystack leads; Flutterwave is its fallback. */
export interface DrillFault {
  readonly what: string;
  readonly steps: readonly FaultStep[];
  /** True to verify each open payment every two seconds, as merchants' pages do. */
  readonly lookups?: boolean;
  /** True when the connection has to be tested after the repair. */
  readonly connectionTest?: boolean;
}

const SLOW_MS = 6_000;
const OUTAGE_SECONDS = 20;

export const DRILL_FAULT_NAMES = [
  'hang',
  'slow',
  'down',
  'outage-flaky',
  'both-flaky',
  'lookup-errors',
  'checkouts-time-out',
  'refused-key',
] as const;
export type DrillFaultName = (typeof DRILL_FAULT_NAMES)[number];

export const DRILL_FAULTS: Readonly<Record<DrillFaultName, DrillFault>> = {
  hang: { what: 'Paystack answers nothing', steps: [paystack({ kind: 'hang' })] },
  slow: { what: 'Paystack takes 6 s for each answer', steps: [paystack({ kind: 'slow', latencyMs: SLOW_MS })] },
  down: { what: 'Paystack refuses connections', steps: [paystack({ kind: 'down' })] },
  'outage-flaky': {
    what: 'Paystack is down for 20 s, Flutterwave answers 30 % of calls with 500',
    steps: [
      paystack({ kind: 'down' }),
      { atSeconds: 0, gateway: 'flutterwave', order: { kind: 'http_500', probability: 0.3, seed: 7 } },
      { atSeconds: OUTAGE_SECONDS, gateway: 'paystack', order: null },
    ],
  },
  'both-flaky': {
    what: 'Both gateways answer 20 % of calls with 500',
    steps: [
      paystack({ kind: 'http_500', probability: 0.2, seed: 11 }),
      { atSeconds: 0, gateway: 'flutterwave', order: { kind: 'http_500', probability: 0.2, seed: 23 } },
    ],
  },
  'lookup-errors': {
    what: 'Paystack answers 5 % of look-ups with 500, and opens every checkout',
    steps: [paystack({ kind: 'http_500', probability: 0.05, seed: 3, calls: 'reading' })],
    lookups: true,
  },
  'checkouts-time-out': {
    what: 'Paystack answers look-ups, and opens no checkout',
    steps: [paystack({ kind: 'hang', calls: 'creating' })],
    lookups: true,
  },
  'refused-key': {
    what: 'Paystack refuses the secret key',
    steps: [paystack({ kind: 'invalid_key' })],
    connectionTest: true,
  },
};

function paystack(order: FaultOrder): FaultStep {
  return { atSeconds: 0, gateway: 'paystack', order };
}
