import { z } from 'zod';

/** Every fault a gateway can be given, with what it does, in the order the control page offers them. */
export const faultKinds = {
  down: 'Connections are cut, or refused at a port of its own; hosted pages included.',
  slow: 'API calls are answered normally, after latencyMs (3,000 when left out).',
  hang: 'API calls are accepted, do nothing, and are never answered.',
  http_500: "API calls do nothing and answer 500 in the gateway's own error envelope.",
  html_502: "API calls do nothing and answer 502 with a proxy's HTML page.",
  broken_json: 'API calls are carried out, but the JSON of the answer stops half-way.',
  huge_body: 'API calls are carried out, but the answer is a 64 MiB JSON document.',
  timeout_after_create:
    'Calls that create something are carried out and never answered; with latencyMs a time-out error is answered after that time.',
  invalid_key: "Every key is refused with 401, in the gateway's own envelope.",
  expired_token: 'A token is taken for one call, and refused as expired after it.',
  rate_limited: 'API calls answer 429 with Retry-After (latencyMs rounded up to seconds; 10 s when left out).',
  duplicate_webhook: 'Each webhook is delivered twice.',
  webhook_before_redirect: "The customer's browser is sent back only after the webhook has been answered.",
  forged_webhook:
    'A webhook that claims success under a wrong signature is sent when a payment opens and before each genuine event.',
  no_webhook: 'No webhook is sent.',
  underpaid: 'Successful payments arrive 10 % short.',
  overpaid: 'Successful payments arrive 10 % over.',
  missing_settlement_line: 'Each settlement pays for a payment that its list lacks.',
  wrong_settlement_fee: 'Each settlement takes twice the fee of a payment.',
  split_settlement: 'Each settlement has only half of a payment, the next one the rest.',
  late_settlement: 'Payments are paid out two working days later than usual.',
} as const;

/** The name of a fault. */
export type FaultKind = keyof typeof faultKinds;

/** Every fault by name, also those that only some gateways have. */
export const faultKindNames = z.enum(Object.keys(faultKinds) as [FaultKind, ...FaultKind[]]).options;

/** Faults of payouts, where a gateway lists its settlements. */
export const settlementFaults = [
  'missing_settlement_line',
  'wrong_settlement_fee',
  'split_settlement',
  'late_settlement',
] as const satisfies readonly FaultKind[];

/** A fault of a payout. */
export type SettlementFault = (typeof settlementFaults)[number];

/** The faults every gateway can be given; those with tokens have `expired_token` as well. */
export const commonFaults: readonly FaultKind[] = faultKindNames.filter(
  (kind) => kind !== 'expired_token' && !settlementFaults.some((fault) => fault === kind),
);

/** Faults that strike a call of the API; the others concern ports, webhooks or money. */
export const callFaults: readonly FaultKind[] = [
  'slow',
  'hang',
  'http_500',
  'html_502',
  'broken_json',
  'huge_body',
  'timeout_after_create',
  'invalid_key',
  'rate_limited',
];

/** Calls that a fault strikes when it does not strike all: those that create something, or those that only read. */
export const affectedCalls = ['creating', 'reading'] as const;

const faultSchema = z
  .object({
    kind: z.enum(faultKindNames),
    latencyMs: z
      .int({ error: 'must be a whole number of milliseconds' })
      .min(0, { error: 'must be 0 or more' })
      .max(120_000, { error: 'must be at most 120000' })
      .optional(),
    probability: z
      .number({ error: 'must be a number' })
      .min(0, { error: 'must be 0 or more' })
      .max(1, { error: 'must be at most 1' })
      .optional(),
    seed: z.int({ error: 'must be a whole number' }).optional(),
    calls: z.enum(affectedCalls, { error: `must be one of ${affectedCalls.join(', ')}` }).optional(),
  })
  .refine((fault) => fault.calls === undefined || callFaults.includes(fault.kind), {
    path: ['calls'],
    error: 'must be left out for a fault that strikes no calls',
  })
  .refine((fault) => fault.kind !== 'down' || fault.probability === undefined || fault.probability === 1, {
    path: ['probability'],
    error: 'must be left out for down: a gateway is down or it is not',
  });

/** The body of `PUT /control/<gateway>/fault`, at a gateway that supports these faults. */
export function faultSchemaOf(known: readonly FaultKind[]) {
  const kind = z.enum(known, { error: `must be one of ${known.join(', ')}` });
  return faultSchema.safeExtend({ kind });
}

/** A fault as it was set, checked. */
export type Fault = z.infer<typeof faultSchema>;

/** Numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A fault that is on: the seed of its random choices, and since when (ISO 8601). */
export interface ActiveFault extends Fault {
  readonly seed: number;
  readonly since: string;
}

/**
 * The one fault a gateway has at a time. Whether it strikes is drawn per occasion (a call, a webhook, a payment)
 * from a generator seeded when the fault is set, so a run repeats.
 */
export class FaultSwitches {
  #fault: ActiveFault | null = null;
  #random: () => number = seededRandom(1);

  get active(): ActiveFault | null {
    return this.#fault;
  }

  set(fault: Fault, since: string): ActiveFault {
    const seed = fault.seed ?? 1;
    this.#random = seededRandom(seed);
    this.#fault = { ...fault, seed, since };
    return this.#fault;
  }

  clear(): void {
    this.#fault = null;
  }

  /** The active fault when it is one of `kinds` and its probability strikes this time. */
  strike(kinds: readonly FaultKind[]): ActiveFault | null {
    const fault = this.#fault;
    if (fault === null || !kinds.includes(fault.kind)) return null;
    const probability = fault.probability ?? 1;
    return probability >= 1 || this.#random() < probability ? fault : null;
  }
}
