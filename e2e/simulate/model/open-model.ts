import { bundle, type Code, compile, isOfDatabase, type SourceEdit } from '../kernel/code.ts';
import { checkModel } from './oracle/check-model.ts';
import { explainModel, type RunPlan } from './oracle/explain-model.ts';
import { planModel } from './world/plan.ts';
import { type ModelRun, runModel } from './world/run-model.ts';

/** A world that was run and judged. */
export interface JudgedWorld extends Omit<ModelRun, 'observations' | 'lines' | 'committed'> {
  /** Kinds of what it broke. */
  readonly kinds: readonly string[];
  /** Report on a world that broke an invariant; null where none was asked for. */
  readonly report: readonly string[] | null;
}

/** Runs worlds of the model, one after the other. */
export interface Model {
  run(seed: number, payments: number, of: { readonly explains: boolean; readonly shrinks: boolean }): Promise<JudgedWorld>;
  /** One digest of everything that happens in the world of a seed. */
  digest(seed: number, payments: number): Promise<string>;
}

/** Opens the model on the product's code, with these edits of its sources, which reach no file. */
export async function openModel(edits: readonly SourceEdit[] = []): Promise<Model> {
  // A statement of the database's own functions is no part of the model: its tables are.
  const fitting = edits.filter((edit) => !isOfDatabase(edit));
  const code: Code = compile(await bundle(new URL('product-entry.ts', import.meta.url).pathname, fitting), 'model');
  const run: RunPlan = (plan, records) => runModel(code, plan, { records });
  return {
    async run(seed, payments, { explains, shrinks }) {
      const plan = planModel(seed, payments);
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
