import { performance } from 'node:perf_hooks';
import type { RoutableAccount, RoutablePayment, RuleSet } from '@switchyard/routing';
import { type CompiledRuleSet, compileRuleSet, type DecideInput, decide } from '@switchyard/routing/decide';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { Engine } from 'json-rules-engine';

/**
 * Decisions per second at 1 to 10,000 rules, beside json-rules-engine with the same rules in the same run. Our decision
 * is the whole record (candidates, reasons, inputs); the engine returns the matching rule alone, first match by priority. Rounds of the
 * two alternate, so that a busy machine slows both; the figure is the median round.
 *
 * Run: npm run routing -w bench
 */
const SIZES = [1, 10, 100, 1_000, 10_000];
const METHODS = ['CARD', 'TRANSFER', 'USSD'] as const;
const LARGEST = 1_000_000;
const ROUNDS = 15;
const OURS_PER_ROUND = 4_096;
const THEIRS_MS_PER_ROUND = 60;

const accounts: RoutableAccount[] = ['paystack-main', 'flutterwave-main', 'monnify-main'].map((label) => ({
  accountId: label,
  gateway: label.slice(0, label.indexOf('-')),
  label,
  enabled: true,
  configured: true,
  currencies: ['NGN'],
  methods: [...METHODS],
  minAmount: 1,
  maxAmount: null,
  fees: null,
}));
const health: DecideInput['health'] = accounts.map(({ accountId }) => ({
  accountId,
  method: null,
  state: 'healthy',
  why: 'Healthy: 118 of 120 checkouts answered in 5 min.',
  since: '2026-11-20T13:00:00.000Z',
  succeeded: 118,
  faulted: 2,
  probePercent: 0,
  paid: 900,
  unpaid: 100,
}));
const payments: RoutablePayment[] = Array.from({ length: OURS_PER_ROUND }, (_, index) => ({
  paymentId: `0193471e-8a3b-7c21-9f4e-${index.toString(16).padStart(12, '0')}`,
  currency: 'NGN',
  amount: ((index * 7_919) % LARGEST) + 1,
  method: METHODS[index % METHODS.length] ?? 'CARD',
  customerCountry: null,
  requestedGateway: null,
}));

/** Bands side by side, one method after the other, the last of each open on top: every payment matches exactly one rule. */
function ruleSetOf(size: number): RuleSet {
  const methods = METHODS.slice(0, Math.min(size, METHODS.length));
  const rules = Array.from({ length: size }, (_, index) => {
    const ofMethod = Math.ceil((size - (index % methods.length)) / methods.length);
    const step = Math.floor(index / methods.length);
    const width = Math.floor(LARGEST / ofMethod);
    return {
      ruleId: `rule-${index}`,
      name: `Band ${index}`,
      enabled: true,
      when: {
        currency: 'NGN',
        methods: size === 1 ? [...METHODS] : [methods[index % methods.length]],
        amount: { from: step * width, to: step === ofMethod - 1 ? null : (step + 1) * width - 1 },
      },
      target: { strategy: 'priority', accounts: ['paystack-main', 'flutterwave-main'] },
    };
  });
  const document = rules.map(({ target, ...rule }) => Object.fromEntries([...Object.entries(rule), ['then', target]]));
  const parsed = parseRuleDocument({ rules: document, defaultOrder: accounts.map(({ accountId }) => accountId) });
  if (!parsed.ok) throw new Error(`the benchmark's rules do not parse: ${JSON.stringify(parsed.problems.slice(0, 3))}`);
  return parsed.ruleSet;
}

/** The same rules for json-rules-engine: earlier rules have the higher priority, and the first event stops the run. */
function engineOf({ rules }: RuleSet): Engine {
  const engine = new Engine();
  for (const [position, { ruleId, when }] of rules.entries()) {
    const all = [
      { fact: 'currency', operator: 'equal', value: when.currency },
      { fact: 'method', operator: 'in', value: [...when.methods] },
      { fact: 'amount', operator: 'greaterThanInclusive', value: when.amount.from },
      ...(when.amount.to === null ? [] : [{ fact: 'amount', operator: 'lessThanInclusive', value: when.amount.to }]),
    ];
    engine.addRule({ priority: rules.length - position, conditions: { all }, event: { type: ruleId } });
  }
  engine.on('success', () => engine.stop());
  return engine;
}

function decideOne(ruleSet: CompiledRuleSet, payment: RoutablePayment) {
  return decide({ payment, ruleSet, accounts, health, overrides: [], decidedAt: '2026-11-20T14:05:00.000Z' });
}

async function runEngine(engine: Engine, { currency, method, amount }: RoutablePayment): Promise<string | undefined> {
  const { events } = await engine.run({ currency, method, amount });
  return events[0]?.type;
}

/** Nanoseconds per decision of one round. */
function timeSwitchyard(ruleSet: CompiledRuleSet): number {
  const start = performance.now();
  for (const payment of payments) decideOne(ruleSet, payment);
  return ((performance.now() - start) * 1e6) / payments.length;
}

async function timeRulesEngine(engine: Engine, offset: number): Promise<number> {
  const start = performance.now();
  let runs = 0;
  for (; performance.now() - start < THEIRS_MS_PER_ROUND; runs += 1) {
    const payment = payments[(offset + runs * 37) % payments.length];
    if (payment) await runEngine(engine, payment);
  }
  return ((performance.now() - start) * 1e6) / runs;
}

/** Both must choose the same rule, or the comparison means nothing. */
async function checkAgreement(ruleSet: CompiledRuleSet, engine: Engine): Promise<void> {
  for (const payment of payments.slice(0, 25)) {
    const switchyard = decideOne(ruleSet, payment).ruleId;
    const rulesEngine = await runEngine(engine, payment);
    if (switchyard !== rulesEngine)
      throw new Error(`the two disagree on ${JSON.stringify(payment)}: ${switchyard} and ${rulesEngine}`);
  }
}

interface Line {
  readonly size: number;
  readonly compileMs: number;
  readonly switchyard: number;
  readonly rulesEngine: number;
}

async function measureAll(): Promise<Line[]> {
  const runs = SIZES.map((size) => {
    const ruleSet = ruleSetOf(size);
    const compileMs = medianOf(Array.from({ length: 5 }, () => timeCompile(ruleSet)));
    return { size, compileMs, compiled: compileRuleSet(ruleSet), engine: engineOf(ruleSet), switchyard: [0], rulesEngine: [0] };
  });
  for (const { compiled, engine } of runs) {
    await checkAgreement(compiled, engine);
    for (let warmUp = 0; warmUp < 10; warmUp += 1) timeSwitchyard(compiled);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const run of runs) {
      run.switchyard[round] = timeSwitchyard(run.compiled);
      run.rulesEngine[round] = await timeRulesEngine(run.engine, round * 101);
    }
  }
  return runs.map((run) => ({
    size: run.size,
    compileMs: run.compileMs,
    switchyard: medianOf(run.switchyard),
    rulesEngine: medianOf(run.rulesEngine),
  }));
}

function timeCompile(ruleSet: RuleSet): number {
  const start = performance.now();
  compileRuleSet(ruleSet);
  return performance.now() - start;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function print(lines: readonly Line[]): void {
  const figure = (value: number) => Math.round(value).toLocaleString('en-US');
  const rows = [
    ['rules', 'decide ns', 'decisions/s', 'json-rules-engine ns', 'decisions/s', 'times faster', 'compile ms'],
    ...lines.map(({ size, compileMs, switchyard, rulesEngine }) => [
      figure(size),
      figure(switchyard),
      figure(1e9 / switchyard),
      figure(rulesEngine),
      figure(1e9 / rulesEngine),
      figure(rulesEngine / switchyard),
      compileMs.toFixed(2),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    process.stdout.write(`${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')}\n`);
  }
  const at = (size: number) => lines.find((line) => line.size === size)?.switchyard ?? Number.NaN;
  process.stdout.write(`\nA decision at 10,000 rules takes ${(at(10_000) / at(10)).toFixed(2)} times one at 10 rules.\n`);
}

print(await measureAll());
