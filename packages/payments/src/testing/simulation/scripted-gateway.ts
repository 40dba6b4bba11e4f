import type { Outcome } from '@switchyard/gateways';
import type { Random } from './virtual-clock.ts';

/** A fault of a gateway's calls. */
interface GatewayFault {
  readonly kind: 'hang' | 'slow' | 'down' | 'http_500' | 'invalid_key';
  /** The share of affected calls, 0 to 1; all when left out. */
  readonly probability?: number;
  /** The affected calls; all when left out. */
  readonly calls?: 'openings' | 'lookups';
  /** Additional milliseconds of each answer while it is `slow`. */
  readonly latencyMs?: number;
}

/** A gateway with scripted answers. */
export interface ScriptedGateway {
  /** Null ends the fault. */
  setFault(fault: GatewayFault | null): void;
  /** The outcome of a call with this timeout, and the caller's wait for it. */
  call(kind: 'openings' | 'lookups', timeoutMs: number): { readonly afterMs: number; readonly outcome: Outcome<unknown> };
}

/** Minimum latency of an answer, and its additional mean. */
const LEAST_MS = 250;
const MORE_MS = 80;
const REFUSED_MS = 5;

export function createScriptedGateway(random: Random): ScriptedGateway {
  let fault: GatewayFault | null = null;
  return {
    setFault(next) {
      fault = next;
    },
    call(kind, timeoutMs) {
      const answerMs = LEAST_MS + random.wait(MORE_MS);
      const isHit = fault !== null && (fault.calls ?? kind) === kind && random.chance(fault.probability ?? 1);
      const [afterMs, outcome] = isHit && fault !== null ? faulty(fault, answerMs) : [answerMs, yes(answerMs)];
      return afterMs <= timeoutMs
        ? { afterMs, outcome }
        : { afterMs: timeoutMs, outcome: no('provider_fault', 'timeout', timeoutMs) };
    },
  };
}

function faulty(fault: GatewayFault, answerMs: number): [number, Outcome<unknown>] {
  switch (fault.kind) {
    case 'hang':
      return [Number.POSITIVE_INFINITY, no('provider_fault', 'timeout', 0)];
    case 'slow':
      return [answerMs + (fault.latencyMs ?? 0), yes(answerMs + (fault.latencyMs ?? 0))];
    case 'down':
      return [REFUSED_MS, no('provider_fault', 'connection_refused', REFUSED_MS)];
    case 'http_500':
      return [answerMs, no('provider_fault', 'http_5xx', answerMs)];
    case 'invalid_key':
      return [answerMs, no('our_configuration', 'invalid_credentials', answerMs)];
    default:
      return fault.kind satisfies never;
  }
}

function yes(latencyMs: number): Outcome<unknown> {
  return { outcome: 'yes', value: null, call: { ...CALL, latencyMs } };
}

type Failure = Extract<Outcome<unknown>, { outcome: 'no' }>['failure'];

function no(failureClass: Failure['class'], code: Failure['code'], latencyMs: number): Outcome<unknown> {
  return { outcome: 'no', failure: { class: failureClass, code, message: code }, call: { ...CALL, latencyMs } };
}

const CALL = { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };

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
