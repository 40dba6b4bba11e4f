import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INVARIANTS } from '../../world/checker/invariants.ts';
import { buildTimeline, money, type Violation } from '../../world/checker/violation.ts';
import type { Simulator, WorldRun } from '../run-world.ts';
import type { Climate } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { checkWorld } from './check-world.ts';
import { findPaymentOf, historyOf } from './payment-history.ts';
import { LINE_MAX, LINES_MAX, printHistory } from './report-lines.ts';
import { shrinkPlan } from './shrink-plan.ts';

const HEAD_LINES = 7;

/**
 * Report on a world that broke guarantees, of at most {@link LINES_MAX} lines: the guarantee in a sentence, what contradicts it, and the history of
 * one payment in the smallest world found that still breaks it. The plan with every value and the whole log are written to a file.
 */
export async function explainViolations(of: {
  readonly simulator: Pick<Simulator, 'run'>;
  readonly plan: WorldPlan;
  readonly climate: Climate;
  readonly violations: readonly Violation[];
  readonly run: WorldRun;
  readonly shrinks: boolean;
}): Promise<string[]> {
  const { simulator, plan, climate, violations, run, shrinks } = of;
  const { seed, payments } = plan;
  const [first] = violations;
  if (first === undefined) return [];
  const breaks = async (candidate: WorldPlan) => {
    const again = await simulator.run(candidate);
    const violation = checkWorld(again).find(({ kind }) => kind === first.kind);
    return violation === undefined ? null : { violation, run: again };
  };
  const shrunk = shrinks ? await shrinkPlan(plan, breaks) : null;
  const smallest = shrunk?.plan ?? plan;
  const shown = shrunk?.broken ?? { violation: first, run };
  const file = findPaymentOf(shown.run, shown.violation);
  const theme = plan.theme === null ? '' : ` --theme ${plan.theme}`;
  return [
    `seed ${seed} breaks ${violations.length} guarantees: ${[...new Set(violations.map(({ kind }) => kind))].join(', ')}`,
    INVARIANTS[shown.violation.kind],
    inOneLine(`${shown.violation.kind}: ${shown.violation.what}`, 2 * LINE_MAX),
    inOneLine(describeWorld(smallest), LINE_MAX),
    ...(file === null
      ? []
      : [
          `payment ${file.payment.paymentId}, ${file.payment.merchantOrderId}, of ${money(file.payment.amount)} ${file.payment.currency}:`,
          ...printHistory(historyOf(shown.run, file), LINES_MAX - HEAD_LINES),
        ]),
    `everything that happened: ${keepWhole(smallest, shown)}`,
    `again: npm run simulate -- --seed ${seed} --payments ${payments.length} --each ${payments.length} --climate ${climate}${theme}`,
  ];
}

function describeWorld({ theme, payments, faults, outage, webs, workers }: WorldPlan): string {
  const kinds = faults.map(({ kind, lengthMs }) => `${kind} for ${Math.round(lengthMs / 1_000)} s`).join(', ');
  const late = outage === null ? '' : `, and ${outage.kind} while sessions end`;
  const about = theme === null ? '' : ` about ${theme}`;
  return `in a world${about} of ${payments.length} payments, ${webs} web processes and ${workers} workers, with these faults: ${kinds || 'none'}${late}`;
}

function inOneLine(text: string, most: number): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, most);
}

/** Writes everything that is known of a world to a file, and gives its path. */
function keepWhole(plan: WorldPlan, { violation, run }: { readonly violation: Violation; readonly run: WorldRun }): string {
  const path = join(tmpdir(), `switchyard-simulate-${plan.seed}-${process.pid}.log`);
  writeFileSync(path, [JSON.stringify(plan, null, 2), buildTimeline(violation), ...run.log, ''].join('\n'));
  return path;
}
