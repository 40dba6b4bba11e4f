import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Code that is mutated together, and the suites that have to notice. */
interface Area {
  readonly mutate: readonly string[];
  readonly suites: readonly string[];
  /** True if its suites use PostgreSQL: a change is then a run of seconds, and an area is a piece of a night. */
  readonly needsDatabase: boolean;
}

const PAYMENTS = 'packages/payments/src';

/** Pure code whose suites need no database: each change is a run of milliseconds. */
const PURE = {
  'life-cycle': {
    mutate: [`${PAYMENTS}/record/{apply-gateway-result,event-record,transitions}.ts`],
    suites: [`${PAYMENTS}/record/{apply-gateway-result,event-record,transitions}.test.ts`],
  },
  decide: {
    // Without those that make sentences: these are compared as wholes.
    mutate: ['packages/routing/src/decide/{compile,decide,eligibility,plan,rank,split}.ts'],
    suites: ['packages/routing/src/decide/*.test.ts'],
  },
  verdicts: {
    mutate: ['packages/gateways/src/*/verdict.ts', 'packages/gateways/src/states.ts'],
    suites: ['packages/gateways/src/*/*.test.ts', 'packages/gateways/src/{documented,states}.test.ts'],
  },
  refunds: {
    // Without what writes: each change would be a run with a database.
    mutate: [`${PAYMENTS}/refunds/apply-refund-result.ts`],
    suites: [`${PAYMENTS}/refunds/apply-refund-result.test.ts`],
  },
  deliveries: {
    mutate: ['packages/webhooks/src/deliveries/sign.ts'],
    suites: ['packages/webhooks/src/deliveries/sign.test.ts'],
  },
} as const satisfies Record<string, Pick<Area, 'mutate' | 'suites'>>;

/** Names of areas that are mutated when none is named. */
export const PURE_AREAS: readonly string[] = Object.keys(PURE);

/** Suites over lists, reports and books of every feature. */
const OF_ALL = 'packages/api/src/{books,columns,filters,reports}.test.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * The area of a name: one of {@link PURE_AREAS}, a package (`settlements`), a folder of one (`settlements/fees`), or one of the dashboard's
 * (`web/format`). Null where there is none.
 */
export function areaOf(name: string): Area | null {
  const pure = Object.entries(PURE).find(([known]) => known === name)?.[1];
  if (pure !== undefined) return { ...pure, needsDatabase: false };
  const [top = '', ...rest] = name.split('/');
  const source = top === 'web' ? 'apps/web/src' : `packages/${top}/src`;
  const folder = [source, ...rest].join('/');
  if (!/^[\w/-]+$/.test(name) || !existsSync(join(ROOT, folder))) return null;
  const unmutated = ['*.test.{ts,tsx}', '*.long.test.ts', 'testing/**', 'generated/**', 'index.ts'].map(
    (left) => `!${folder}/**/${left}`,
  );
  return {
    mutate: [`${folder}/**/*.{ts,tsx}`, ...unmutated],
    suites: [`${source}/**/*.test.{ts,tsx}`, ...(top === 'web' ? [] : [OF_ALL])],
    needsDatabase: true,
  };
}

/** Names that an area can have, for a sentence. */
export function areaNames(): string {
  const packages = readdirSync(join(ROOT, 'packages')).filter((name) => existsSync(join(ROOT, 'packages', name, 'src')));
  return [...PURE_AREAS, ...packages, 'web'].join(', ');
}
