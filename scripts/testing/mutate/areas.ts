/** Code that is mutated together, and the suites that have to notice. */
interface Area {
  readonly mutate: readonly string[];
  /** None of them needs a database: each change is a run. */
  readonly suites: readonly string[];
}

const PAYMENTS = 'packages/payments/src';

export const AREAS = {
  'life-cycle': {
    mutate: [`${PAYMENTS}/life-cycle/{apply-gateway-result,event-record,transitions}.ts`],
    suites: [`${PAYMENTS}/life-cycle/{apply-gateway-result,event-record,transitions}.test.ts`],
  },
  decide: {
    // Without those that make sentences: these are compared as wholes.
    mutate: ['packages/routing/src/decide/{compile,decide,eligibility,fallback-reasons,plan,probe,rank,split,strategy}.ts'],
    suites: ['packages/routing/src/decide/*.test.ts'],
  },
  verdicts: {
    mutate: ['packages/gateways/src/*/verdict.ts', 'packages/gateways/src/states.ts'],
    suites: ['packages/gateways/src/*/*.test.ts', 'packages/gateways/src/{documented,states}.test.ts'],
  },
  refunds: {
    // Without what writes: each change would be a run with a database.
    mutate: [`${PAYMENTS}/refunds/{apply-refund-result,next-refund-check,refund-transitions}.ts`],
    suites: [`${PAYMENTS}/refunds/{apply-refund-result,refund-transitions}.test.ts`],
  },
  deliveries: {
    // Without what writes and sends, likewise.
    mutate: ['packages/webhooks/src/deliveries/{schedule,sign}.ts'],
    suites: ['packages/webhooks/src/deliveries/{schedule,sign}.test.ts'],
  },
} as const satisfies Record<string, Area>;

/** True if there is an area of that name. */
export function isArea(name: string): name is keyof typeof AREAS {
  return Object.hasOwn(AREAS, name);
}
