import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '@switchyard/routing';
import { compareDecisions } from '@switchyard/routing/recompute';

/** The differences between a recomputed decision and the stored one, a sentence each; empty when they match. */
export function differencesFromStored(stored: Decision, again: Decision): readonly string[] {
  const differences = compareDecisions(stored, again).differences;
  if (differences.length > 0) return differences;
  const was = parts(stored);
  return Object.entries(parts(again)).flatMap(([name, value]) =>
    isDeepStrictEqual(was[name], value) ? [] : [`What was stored as ${name} is different when recomputed.`],
  );
}

function parts({ record, ...decision }: Decision): Record<string, unknown> {
  const { routingMode, smartRoutingBypassed, ruleId, ruleSetVersion } = decision;
  return { ...record, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion };
}
