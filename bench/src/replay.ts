import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { RuleSet } from '@switchyard/routing';
import { listMovedPayments, type ReplayOutcome, replayRules } from '@switchyard/rule-sets/replay';
import { type Loaded, load } from './replay-load.ts';

/**
 * Replays a month of one merchant's payments through its own rules and through a draft, on a database loaded for it. Prints how
 * long each took from the query to the result, what came of it, and how much the process was held up meanwhile.
 *
 * Run: npm run bench -- replay [payments]
 */
const PAYMENTS = Number(process.argv[2] ?? 100_000);
const MEBIBYTE = 1_048_576;

interface Line {
  readonly name: string;
  readonly seconds: number;
  readonly steps: number;
  /** Longest the process did nothing else, in milliseconds. */
  readonly heldUpMs: number;
  readonly memoryMiB: number;
  readonly outcome: ReplayOutcome;
}

async function measure(name: string, loaded: Loaded, document: unknown): Promise<Line> {
  const { payments, merchantId, from, to } = loaded;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  let steps = 0;
  let memory = 0;
  let outcome: ReplayOutcome | null = null;
  const query = { merchantId, mode: 'test', document, from, to } as const;
  for await (const step of replayRules(payments, query, new AbortController().signal)) {
    steps += 1;
    memory = Math.max(memory, process.memoryUsage().rss);
    if (step.kind === 'done') outcome = step;
  }
  const seconds = (performance.now() - began) / 1_000;
  delay.disable();
  if (outcome === null) throw new Error(`${name}: the replay came to nothing`);
  return { name, seconds, steps, heldUpMs: delay.max / 1e6, memoryMiB: memory / MEBIBYTE, outcome };
}

function print({ name, seconds, steps, heldUpMs, memoryMiB, outcome: { result } }: Line): void {
  const figure = (value: number) => Math.round(value).toLocaleString('en-US');
  const fees = result.fees.map(({ currency, difference }) => `${currency} ${(Number(difference) / 100).toFixed(2)}`).join(', ');
  process.stdout.write(`
${name}
  ${figure(result.payments)} payments in ${seconds.toFixed(2)} s (${figure(result.payments / seconds)} a second), progress reported ${steps} times
  process held up for ${heldUpMs.toFixed(1)} ms at most, ${figure(memoryMiB)} MiB of memory at most
  moved ${figure(result.moved)}, no route ${figure(result.unroutable.payments)}, fee difference ${fees}
  ${result.conversion.message}
`);
}

function draftOf({ published, accountIds }: Loaded): Omit<RuleSet, 'version'> {
  const [, second] = accountIds;
  const rules = published.rules.map((rule) =>
    rule.ruleId === 'small' ? { ...rule, then: { strategy: 'priority' as const, accounts: [second] } } : rule,
  );
  return { ...published, rules };
}

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name an empty database: npm run bench -- replay makes one');
const began = performance.now();
const loaded = await load(databaseUrl, PAYMENTS);
process.stdout.write(
  `${PAYMENTS.toLocaleString('en-US')} payments loaded in ${((performance.now() - began) / 1_000).toFixed(1)} s\n`,
);
print(await measure('What is live, over the payments it routed', loaded, loaded.published));
const draft = draftOf(loaded);
print(await measure('A draft that sends small payments to one account', loaded, draft));

const startedAt = performance.now();
const { merchantId, from, to } = loaded;
const query = { merchantId, mode: 'test', document: draft, from, to, move: null, after: null, limit: 50 } as const;
const page = await listMovedPayments(loaded.payments, query);
const found = page.kind === 'page' ? `${page.items.length} payments of ${page.scanned} scanned` : page.kind;
process.stdout.write(`\nA page of what moved: ${found}, in ${(performance.now() - startedAt).toFixed(0)} ms\n`);
loaded.payments.close();
await loaded.resources.close();
