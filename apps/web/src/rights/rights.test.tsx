// @vitest-environment happy-dom
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADMIN_SCENES, commandsWithoutLine } from '../testing/rights/admin-scenes.tsx';
import { MONEY_SCENES } from '../testing/rights/money-scenes.tsx';
import { OPERATION_SCENES } from '../testing/rights/operation-scenes.tsx';
import { SETTLEMENT_SCENES } from '../testing/rights/settlement-scenes.tsx';
import { permissionFor, permissionOf, proveScenes } from '../testing/rights/shown-by-right.tsx';

const root = join(import.meta.dirname, '..');

/** A function of a source at its top level: a component, a hook or another. */
interface Part {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** A mutation that a hook hands on: under a name in what it returns, or within what it returns. */
interface HandedOn {
  readonly procedure: string;
  readonly property: string | null;
}

const PAGES = 'app/(admin)/';

/** Paths of sources as they are said in tables: those of the dashboard's pages from their folder. */
function shortPath(path: string): string {
  return path.startsWith(PAGES) ? path.slice(PAGES.length).replace('_components/', '') : path;
}

function readParts(): Part[] {
  const paths = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*', 'testing/**'] });
  return paths.toSorted().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return text.split(/^(?=(?:export )?(?:default )?(?:async )?function )/m).map((part) => {
      const name = part.match(/^(?:export )?(?:default )?(?:async )?function (\w+)/)?.[1] ?? '';
      return { file: shortPath(path), name, text: part };
    });
  });
}

/** Procedures by the names that a part has for them: `trpc` is the router, the others are taken from it. */
function aliasesIn(text: string): ReadonlyMap<string, string> {
  const aliases = new Map([['trpc', '']]);
  const resolve = (chain: string) => resolveChain(aliases, chain);
  for (const [, taken = '', from = ''] of text.matchAll(/const \{([^}=]+)\} = (trpc[\w.]*|useTRPC\(\)[\w.]*)/g)) {
    const base = resolve(from.replace('useTRPC()', 'trpc')) ?? '';
    for (const [, property = '', name = property] of taken.matchAll(/(\w+)(?:: (\w+))?/g)) {
      aliases.set(name, joined(base, property));
    }
  }
  for (const [, name = '', from = ''] of text.matchAll(/const (\w+) = (trpc(?:\.\w+)+);/g))
    aliases.set(name, resolve(from) ?? '');
  return aliases;
}

function resolveChain(aliases: ReadonlyMap<string, string>, chain: string): string | null {
  const [first = '', ...rest] = chain.split('.');
  const base = aliases.get(first);
  return base === undefined ? null : rest.reduce(joined, base);
}

function joined(base: string, name: string): string {
  return base === '' ? name : `${base}.${name}`;
}

/** The mutations that a part names itself. */
function mutationsIn({ file, name, text }: Part): HandedOn[] {
  const aliases = aliasesIn(text);
  return [...text.matchAll(/(?:(\w+): useMutation\(\s*)?\b([\w.]+)\.(?:mutationOptions|mutationKey)\(/g)].map(
    ([, property = null, chain = '']) => {
      const procedure = resolveChain(aliases, chain);
      if (procedure === null) throw new Error(`${file}: ${name} calls ${chain}, which is not said by trpc`);
      return { procedure, property };
    },
  );
}

const isHook = (name: string) => /^use[A-Z]/.test(name);
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

/** True if a source takes something out of what a hook returns, or hands the hook on to a component that does. */
function takes(
  { text, hook, property }: { readonly text: string; readonly hook: string; readonly property: string },
  parts: readonly Part[],
): boolean {
  const ways = [`${hook}\\(\\)\\.${property}\\b`, `\\{[^}=]*\\b${property}\\b[^}=]*\\} = ${hook}\\(`, `\\.${property}\\.mutate`];
  if (ways.some((way) => new RegExp(way).test(text))) return true;
  const as = text.match(new RegExp(`(\\w+)=\\{${hook}\\}`))?.[1];
  return as !== undefined && parts.some((part) => takes({ text: part.text, hook: as, property }, []));
}

/** Every `file procedure` of the dashboard where a component calls a procedure that changes something, also through hooks. */
function actingPlaces(): string[] {
  const parts = readParts();
  const imports = new Map<string, string>();
  for (const { file, name, text } of parts) {
    if (name === '') imports.set(file, [...text.matchAll(/^import [\s\S]*?;$/gm)].join('\n'));
  }
  const handed = new Map<Part, HandedOn[]>(parts.map((part) => [part, mutationsIn(part)]));
  // Users of a hook call the mutations that it hands on, or hand them on in turn.
  const waiting = parts.filter((part) => isHook(part.name) && handed.get(part)?.length !== 0);
  for (let hook = waiting.shift(); hook !== undefined; hook = waiting.shift()) {
    const { name } = hook;
    for (const user of parts) {
      const isNear = user.file === hook.file || mentions(imports.get(user.file) ?? '', name);
      if (user === hook || user.name === '' || !isNear || !mentions(user.text, name)) continue;
      const known = handed.get(user) ?? [];
      const whole = parts.flatMap((part) => (part.file === user.file ? [part.text] : [])).join('\n');
      const more = (handed.get(hook) ?? [])
        .filter(({ property }) => property === null || takes({ text: whole, hook: name, property }, parts))
        .map(({ procedure }) => ({ procedure, property: null }))
        .filter(({ procedure }) => !known.some((one) => one.procedure === procedure));
      if (more.length === 0) continue;
      handed.set(user, [...known, ...more]);
      if (isHook(user.name)) waiting.push(user);
    }
  }
  const places = parts
    .filter(({ name }) => !isHook(name))
    .flatMap((part) => (handed.get(part) ?? []).map(({ procedure }) => `${part.file} ${procedure}`));
  return [...new Set(places)].toSorted();
}

/** Every `file permission` of the dashboard where a component asks for a right to change something. */
function askingPlaces(): string[] {
  const asked = readParts().flatMap(({ file, text }) =>
    [...text.matchAll(/(?:\bcan\w*|useCan\w*\(\))\(\s*'(\w+:\w+)'/g)].map(([, permission]) => `${file} ${permission}`),
  );
  return [...new Set(asked)].filter((place) => !place.endsWith(':read')).toSorted();
}

/*
 * Every control that acts is seen exactly by the right that its procedures ask, at the merchant of its row. A scene shows a page or a
 * part of one with rows of two merchants, to people with the right at one of them.
 */

const SCENES = [...ADMIN_SCENES, ...MONEY_SCENES, ...OPERATION_SCENES, ...SETTLEMENT_SCENES];
const CONTROLS = SCENES.flatMap(({ controls }) => controls);
/** Sources that ask for the rights of a table. */
const BY_TABLE = [
  'app-shell/commands/commands.ts',
  'app-shell/navigation/navigation.ts',
  'incidents/incident-links.tsx',
  'overview/setup/setup-checklist.tsx',
];

const procedureOf = (place: string) => place.split(' ').at(-1) ?? '';

describe('the table', () => {
  test('has a control for every place that calls a procedure which takes a right', () => {
    const places = actingPlaces().filter((place) => permissionFor(procedureOf(place)) !== 'signed_in');
    const proven = new Set(CONTROLS.flatMap(({ uses = [] }) => uses));
    const missing = places.filter((place) => !proven.has(place));
    expect(missing, 'add to `uses` of the control that leads there, in a scene of its page').toEqual([]);
    expect([...proven].filter((place) => !places.includes(place))).toEqual([]);
  });

  test('has a control for every place that asks for a right to change something', () => {
    const asked = askingPlaces();
    const proven = new Set(CONTROLS.map(({ asks }) => asks));
    expect(
      asked.filter((place) => !proven.has(place)),
      'add a control with it as `asks`',
    ).toEqual([]);
    const isKnown = (place: string) => asked.includes(place) || BY_TABLE.some((source) => place.startsWith(source));
    expect([...proven].filter((place) => !isKnown(place))).toEqual([]);
  });

  test('has a line for every action of the command menu that takes a right', () => {
    expect(commandsWithoutLine(), 'add it to COMMAND_RIGHTS').toEqual([]);
  });

  test.each(CONTROLS.filter(({ uses = [] }) => uses.length > 0))(
    'asks for $asks what its procedures ask',
    ({ asks, uses = [] }) => {
      for (const use of uses)
        expect(`${use} takes ${permissionFor(procedureOf(use))}`).toBe(`${use} takes ${permissionOf(asks)}`);
    },
  );
});

describe('controls', () => proveScenes(SCENES));
