import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import type { MetadataCondition, Rule, RuleSet } from '../types.ts';
import { type CoveragePlane, type ExamplePayment, exampleIn, spansIn } from './coverage.ts';
import { describeExample, type Finding, ruleNumbers } from './finding.ts';

/** Most earlier rules named against one rule. */
const OVERLAPS_MAX = 20;

/** The payments that one enabled rule matches: whether it decides any, and which rules decide the others, with an example each. */
interface RuleCoverage {
  decides: boolean;
  readonly takenBy: Map<number, ExamplePayment>;
}

/** Overlaps, duplicates, shadowed and unreachable rules: who takes whose payments. */
export function findRuleOverlaps(ruleSet: RuleSet, planes: readonly CoveragePlane[]): Finding[] {
  const coverages = coverageOfRules(ruleSet, planes);
  const firstWith = new Map<string, number>();
  const declared = keysByName(ruleSet.keys);
  const findings: Finding[] = [];
  for (const [position, rule] of ruleSet.rules.entries()) {
    const coverage = coverages.get(position);
    if (!coverage) continue;
    const key = conditionsKey(rule);
    const twin = firstWith.get(key);
    if (twin === undefined) firstWith.set(key, position);
    if (coverage.decides) findings.push(...overlaps(ruleSet, position, coverage, declared));
    else findings.push(neverDecides(ruleSet, position, coverage, twin, declared));
  }
  return findings;
}

function coverageOfRules(ruleSet: RuleSet, planes: readonly CoveragePlane[]): Map<number, RuleCoverage> {
  const coverages = new Map<number, RuleCoverage>();
  for (const [position, rule] of ruleSet.rules.entries()) {
    if (rule.enabled) coverages.set(position, { decides: false, takenBy: new Map() });
  }
  for (const plane of planes) {
    for (const { winner } of plane.spans) {
      const coverage = coverages.get(winner);
      if (coverage) coverage.decides = true;
    }
    for (const placed of plane.bands) {
      const coverage = coverages.get(placed.position);
      if (!coverage) continue;
      for (const span of spansIn(plane, placed.band)) {
        if (coverage.takenBy.size >= OVERLAPS_MAX) break;
        if (span.winner === placed.position || coverage.takenBy.has(span.winner)) continue;
        coverage.takenBy.set(span.winner, exampleIn(span, Math.max(span.from, placed.band.from)));
      }
    }
  }
  return coverages;
}

function overlaps(ruleSet: RuleSet, position: number, coverage: RuleCoverage, declared: KeysByName): Finding[] {
  return Array.from(coverage.takenBy)
    .sort(([left], [right]) => left - right)
    .map(([winner, example]) => ({
      kind: 'overlap',
      severity: 'info',
      ...against(ruleSet, [winner, position]),
      example,
      message: `${describeExample(example, declared)} matches ${ruleNumbers([winner, position])}; rule ${winner + 1} always wins.`,
    }));
}

function neverDecides(
  ruleSet: RuleSet,
  position: number,
  coverage: RuleCoverage,
  twin: number | undefined,
  declared: KeysByName,
): Finding {
  const takers = Array.from(coverage.takenBy.keys()).sort((left, right) => left - right);
  const example = takers[0] === undefined ? null : (coverage.takenBy.get(takers[0]) ?? null);
  const number = position + 1;
  if (example === null) {
    const message = `Rule ${number} never decides: no payment has an amount in its band.`;
    return { kind: 'unreachable', severity: 'warning', ...against(ruleSet, [position]), example, message };
  }
  const what = describeExample(example, declared);
  if (twin !== undefined) {
    const message = `Rule ${number} has the same conditions as rule ${twin + 1}, so it never decides; ${what} matches both.`;
    return { kind: 'duplicate', severity: 'warning', ...against(ruleSet, [twin, position]), example, message };
  }
  const kind = takers.length === 1 ? 'shadowed' : 'unreachable';
  const verb = takers.length === 1 ? 'takes' : 'together take';
  const message = `Rule ${number} never decides: ${ruleNumbers(takers)} ${verb} every payment it matches, such as ${what}.`;
  return { kind, severity: 'warning', ...against(ruleSet, [...takers, position]), example, message };
}

/** The parts of a finding that name rules. */
export function against(
  ruleSet: RuleSet,
  positions: readonly number[],
): Pick<Finding, 'positions' | 'ruleIds' | 'accountIds' | 'gap' | 'limit' | 'consequences'> {
  const ruleIds = positions.map((position) => ruleSet.rules[position]?.ruleId ?? '');
  return { positions, ruleIds, accountIds: [], gap: null, limit: null, consequences: [] };
}

/** Equal for rules with the same conditions, in any order of their values. */
function conditionsKey({ when }: Rule): string {
  const countries = when.countries ? [...when.countries].sort() : null;
  const metadata = when.metadata?.map(conditionKey).sort() ?? [];
  const keys = [when.customer, when.weekdays && [...when.weekdays].sort(), when.hours?.from, when.hours?.to, metadata];
  return JSON.stringify([when.currency, [...when.methods].sort(), when.amount.from, when.amount.to, countries, keys]);
}

function conditionKey(condition: MetadataCondition): string {
  const { key, is } = condition;
  const values = 'values' in condition ? [...condition.values].sort() : [];
  const { from, to } = condition.is === 'between' ? condition : { from: null, to: null };
  const orAbsent = 'orAbsent' in condition && condition.orAbsent === true;
  return JSON.stringify([key, is, values, from, to, orAbsent]);
}
