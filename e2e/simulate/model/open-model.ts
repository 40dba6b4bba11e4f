import { bundlePart, type Code, compile, ForeignEdit, isOfDatabase, type SourceEdit } from '../kernel/code.ts';
import { checkModel } from './oracle/check-model.ts';
import { explainModel, type RunPlan } from './oracle/explain-model.ts';
import { GATEWAYS, type ModelTheme, planModel } from './world/plan.ts';
import { type ModelRun, runModel } from './world/run-model.ts';

const REGISTRY = 'packages/gateways/src/registry.ts';
const CLIENT = 'packages/db/src/generated/client.ts';

/**
 * The only edits of the product's code: neither connectors nor the client of the database are loaded, which would take most of the time in
 * which a process starts.
 */
const WITHOUT_OUTSIDE: readonly SourceEdit[] = [
  { file: CLIENT, search: 'import * as $Class from "./internal/class.ts"\n', replace: '' },
  {
    file: CLIENT,
    search: 'export const PrismaClient = $Class.getPrismaClientClass()',
    replace: 'export const PrismaClient = null',
  },
  ...GATEWAYS.map((name) => ({ file: REGISTRY, search: `import { ${name} } from './${name}/${name}.ts';\n`, replace: '' })),
  {
    file: REGISTRY,
    search: 'gatewayNames.map((name) => observable(connectors[name]))',
    replace: '[]',
  },
  {
    file: REGISTRY,
    search: `const connectors: Readonly<Record<GatewayName, Gateway>> = { ${GATEWAYS.join(', ')} };\n`,
    replace: '',
  },
];

/** Bundles the code that the model runs, with these edits of its sources. */
export function bundleProduct(edits: readonly SourceEdit[] = []): Promise<Code> {
  return bundleWithoutOutside(new URL('product-entry.ts', import.meta.url).pathname, edits);
}

/** Bundles a program without connectors and the client of the database, with these edits of its sources; {@link ForeignEdit} where it has no such file. */
export async function bundleWithoutOutside(entry: string, edits: readonly SourceEdit[] = []): Promise<Code> {
  const { text, missed } = await bundlePart(entry, [...WITHOUT_OUTSIDE, ...edits], ['@prisma/client/runtime/client']);
  const unused = missed.find((edit) => edits.includes(edit));
  if (unused !== undefined) throw new ForeignEdit(`${unused.file} is no part of the program`);
  return compile(text, 'model');
}

/** A world that was run and judged. */
export interface JudgedWorld extends Omit<ModelRun, 'observations' | 'lines' | 'committed'> {
  /** Kinds of what it broke. */
  readonly kinds: readonly string[];
  /** Report on a world that broke an invariant; null where none was asked for. */
  readonly report: readonly string[] | null;
}

interface RunOptions {
  /** True if a report is made where an invariant is broken, and of the smallest world that breaks it. */
  readonly explains: boolean;
  readonly shrinks: boolean;
  /** Theme of the world; the one that its seed draws where it is left out. */
  readonly theme?: ModelTheme | null;
}

/** Runs worlds of the model, one after the other. */
export interface Model {
  run(seed: number, payments: number, of: RunOptions): Promise<JudgedWorld>;
  /** One digest of everything that happens in the world of a seed. */
  digest(seed: number, payments: number): Promise<string>;
}

/** Opens the model on the product's code, with these edits of its sources, which reach no file. */
export async function openModel(edits: readonly SourceEdit[] = []): Promise<Model> {
  // A statement of the database's own functions is no part of the model: its tables are.
  const fitting = edits.filter((edit) => !isOfDatabase(edit));
  const code = await bundleProduct(fitting);
  const run: RunPlan = (plan, records) => runModel(code, plan, { records });
  return {
    async run(seed, payments, { explains, shrinks, theme = null }) {
      const plan = planModel(seed, payments, theme);
      const { observations, lines: _, committed: __, ...figures } = await run(plan, false);
      const violations = checkModel(observations);
      const kinds = [...new Set(violations.map(({ kind }) => kind))];
      const report = explains && kinds.length > 0 ? await explainModel(run, plan, violations, shrinks) : null;
      return { ...figures, kinds, report };
    },
    async digest(seed, payments) {
      const { lines } = await run(planModel(seed, payments), true);
      return lines.map(({ at, about, text }) => `${at} ${about} ${text}`).join('\n');
    },
  };
}
