import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '@switchyard/routing';
import { compareDecisions } from '@switchyard/routing/recompute';

/** What of a decision computed again is not as it was stored, a sentence each; empty when everything is. */
export function differencesFromStored(stored: Decision, again: Decision): readonly string[] {
  const differences = compareDecisions(stored, again).differences;
  if (differences.length > 0) return differences;
  const was = parts(stored);
  return Object.entries(parts(again)).flatMap(([name, value]) =>
    isDeepStrictEqual(was[name], value) ? [] : [`What was stored as ${name} comes out otherwise.`],
  );
}

function parts({ record, ...decision }: Decision): Record<string, unknown> {
  const { routingMode, smartRoutingBypassed, ruleId, ruleSetVersion } = decision;
  return { ...record, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion };
}
