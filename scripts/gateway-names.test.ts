import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gatewayNames } from '@switchyard/gateways';
import { expect, it } from 'vitest';
import { linesMatching, projectFiles, readSources } from './testing/sources.ts';

/** Registries that a gateway is added to, a line in each. */
const REGISTRIES = ['packages/gateways/src/registry.ts', 'apps/sandbox/src/simulators.ts'];

/** Texts that stored rows were packed with: they never change, and no further gateway is in them. */
const DICTIONARIES = [
  'packages/gateways/src/dictionaries.ts',
  'packages/rule-sets/src/snapshot/store-inputs.ts',
  'packages/webhooks/src/events/packed-event.ts',
];

/** Gateways that the demo, benchmarks, tests and examples in texts pay at. */
const EXAMPLES: readonly string[] = ['paystack', 'flutterwave'];

/** The same two as dialects: APIs and webhooks that merchants' code is written for. */
const DIALECTS = [
  'packages/compat/',
  'packages/api/src/compat/',
  'packages/api/src/http/request-kinds.ts',
  'packages/webhooks/src/deliveries/sign.ts',
  'packages/webhooks/src/events/formats.ts',
  'apps/web/src/app/(admin)/developers/switch-over/',
  'apps/web/src/app/(admin)/webhooks/',
  'apps/web/src/app/docs/_components/prose.tsx',
  'apps/web/src/copy/webhooks.ts',
];

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OWN_FOLDERS = new RegExp(`^(packages/gateways|apps/sandbox)/src/(${gatewayNames.join('|')})/`);
/** Code of the product and of what stands around it; tests name gateways as examples. */
const CODE = readSources(
  ROOT,
  projectFiles(ROOT).filter(
    (path) =>
      /\.(tsx?|mts|mjs|js|sql|prisma|css|sh|ya?ml)$/.test(path) &&
      !/\.(test|spec)\.tsx?$|\/testing\//.test(path) &&
      !OWN_FOLDERS.test(path),
  ),
);
const outside = (places: readonly string[]) => CODE.filter(({ path }) => !places.some((place) => path.startsWith(place)));

it('names a gateway in its own folders and in two registries', () => {
  const names = gatewayNames.filter((name) => !EXAMPLES.includes(name));
  expect(names.length).toBeGreaterThan(4);
  const named = new RegExp(`(?<![a-z])(${names.join('|')})(?![a-z])`, 'i');
  expect(linesMatching(outside([...REGISTRIES, ...DICTIONARIES]), named, { code: true })).toEqual([]);
});

it('decides nothing by the names of the two that are examples, but for their dialects', () => {
  const product = outside([...REGISTRIES, ...DICTIONARIES, ...DIALECTS]).filter(({ path }) => /^(packages|apps)\//.test(path));
  const names = EXAMPLES.join('|');
  const decided = new RegExp(`(['"\`])(${names})\\1|(?<![\\w-])(${names})\\??:|\\.(${names})\\b|/(${names})/`);
  expect(linesMatching(product, decided, { code: true })).toEqual([]);
});

it('has no exception that is not needed', () => {
  const named = new RegExp(gatewayNames.join('|'), 'i');
  const places = [...REGISTRIES, ...DICTIONARIES, ...DIALECTS];
  const unused = places.filter((place) => {
    const sources = CODE.filter(({ path }) => path.startsWith(place));
    return linesMatching(sources, named, { code: true }).length === 0;
  });
  expect(unused).toEqual([]);
});
