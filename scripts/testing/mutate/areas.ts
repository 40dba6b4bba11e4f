/** Code that is mutated together, and the suites that have to notice. */
interface Area {
  readonly mutate: readonly string[];
  readonly suites: readonly string[];
  /** True if suites need a server. */
  readonly isOfDatabase: boolean;
}

const PAYMENTS = 'packages/payments/src';

export const AREAS = {
  'life-cycle': {
    mutate: [`${PAYMENTS}/life-cycle/{apply-gateway-result,event-record,transitions}.ts`],
    suites: [`${PAYMENTS}/life-cycle/{apply-gateway-result,event-record,transitions}.test.ts`],
    isOfDatabase: false,
  },
  decide: {
    // Without those that make sentences: these are compared as wholes.
    mutate: ['packages/routing/src/decide/{compile,decide,eligibility,fallback-reasons,plan,probe,rank,split,strategy}.ts'],
    suites: ['packages/routing/src/decide/*.test.ts'],
    isOfDatabase: false,
  },
  verdicts: {
    mutate: ['packages/gateways/src/*/verdict.ts', 'packages/gateways/src/states.ts'],
    suites: ['packages/gateways/src/*/*.test.ts', 'packages/gateways/src/{documented,states}.test.ts'],
    isOfDatabase: false,
  },
  refunds: {
    mutate: [`${PAYMENTS}/refunds/{apply-refund-result,next-refund-check,refund-transitions,fetch-refund,request-refund}.ts`],
    suites: [`${PAYMENTS}/refunds/*.test.ts`],
    isOfDatabase: true,
  },
  deliveries: {
    mutate: ['packages/webhooks/src/deliveries/{deliver-next,dispatcher,schedule,send,sign}.ts'],
    suites: ['packages/webhooks/src/deliveries/*.test.ts'],
    isOfDatabase: true,
  },
} as const satisfies Record<string, Area>;

/** True if there is an area of that name. */
export function isArea(name: string): name is keyof typeof AREAS {
  return Object.hasOwn(AREAS, name);
}
