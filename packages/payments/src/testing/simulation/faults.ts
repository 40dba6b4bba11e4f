import type { GatewayFault } from './scripted-gateway.ts';

export const GATEWAYS = ['paystack', 'flutterwave'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** A scheduled change of a gateway's behaviour: seconds from the start of the fault. */
export interface FaultStep {
  readonly atSeconds: number;
  readonly gateway: GatewayName;
  /** Null ends the fault. */
  readonly fault: GatewayFault | null;
}

/** Failure modes of gateways. Paystack leads; Flutterwave is its fallback. */
export const SIMULATED_FAULTS = {
  hang: [paystack({ kind: 'hang' })],
  slow: [paystack({ kind: 'slow', latencyMs: 6_000 })],
  /** Later than usual, and before the time-out. */
  late: [paystack({ kind: 'slow', latencyMs: 900 })],
  /** Both gateways answer in a second and a half: later than usual, and before any time-out. */
  sluggish: GATEWAYS.map((gateway): FaultStep => ({ atSeconds: 0, gateway, fault: { kind: 'slow', latencyMs: 1_200 } })),
  down: [paystack({ kind: 'down' })],
  'outage-flaky': [
    paystack({ kind: 'down' }),
    { atSeconds: 0, gateway: 'flutterwave', fault: { kind: 'http_500', probability: 0.3 } },
    { atSeconds: 20, gateway: 'paystack', fault: null },
  ],
  'both-flaky': [
    paystack({ kind: 'http_500', probability: 0.2 }),
    { atSeconds: 0, gateway: 'flutterwave', fault: { kind: 'http_500', probability: 0.2 } },
  ],
  'lookup-errors': [paystack({ kind: 'http_500', probability: 0.05, calls: 'lookups' })],
  'checkouts-time-out': [paystack({ kind: 'hang', calls: 'openings' })],
  'refused-key': [paystack({ kind: 'invalid_key' })],
  flapping: Array.from({ length: 360 }, (_, turn): FaultStep => {
    return { atSeconds: turn * 10, gateway: 'paystack', fault: turn % 2 === 0 ? { kind: 'down' } : null };
  }),
} as const satisfies Record<string, readonly FaultStep[]>;

export type SimulatedFault = keyof typeof SIMULATED_FAULTS;

function paystack(fault: GatewayFault): FaultStep {
  return { atSeconds: 0, gateway: 'paystack', fault };
}
