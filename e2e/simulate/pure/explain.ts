import { LINE_MAX, LINES_MAX, printHistory } from '../oracle/report-lines.ts';
import type { Product } from './open-pure.ts';
import { INVARIANTS } from './oracle/violation.ts';
import { type Found, openWorld, runWorld, scriptOf, tryPayment } from './run-world.ts';
import { DAY, HOUR, MINUTE, SECOND } from './world/draws.ts';
import type { CheckoutScript, PaymentScript, RefundScript } from './world/script.ts';

/** Lines beside the script and the steps. */
const HEAD_LINES = 4;

/** Report on a world that broke an invariant: which, what is true of the smallest payment that still breaks it, its steps, and how to repeat it. */
export function explainWorld(product: Product, seed: number, payments: number): string[] {
  const { found } = runWorld(product, seed, payments);
  const [first] = found;
  if (first === undefined) return [];
  const again = `again: npm run simulate:pure -- --seed ${seed} --payments ${payments} --each ${payments}`;
  const head = `seed ${seed} breaks ${[...new Set(found.map(({ kind }) => kind))].join(', ')}`;
  if (first.index === null) return [head, INVARIANTS[first.kind], `${first.kind}: ${first.what}`.slice(0, 2 * LINE_MAX), again];
  const world = openWorld(product, seed);
  const breaks = (script: PaymentScript): Found | undefined =>
    tryPayment(world, script, false).found.find(({ kind }) => kind === first.kind);
  const smallest = shrink(scriptOf(world, first.index), (script) => breaks(script) !== undefined);
  const { run, found: shown } = tryPayment(world, smallest, true);
  const { kind, what } = shown.find((each) => each.kind === first.kind) ?? first;
  const truth = describeScript(smallest, run?.file.attempts.length ?? 1);
  return [
    head,
    INVARIANTS[kind],
    `${kind}: ${what}`.slice(0, 2 * LINE_MAX),
    ...truth,
    ...printHistory(run?.lines ?? [], LINES_MAX - HEAD_LINES - truth.length),
    again,
  ];
}

/** Leaves out parts of a script as long as what is left breaks the same invariant. */
export function shrink(whole: PaymentScript, breaks: (script: PaymentScript) => boolean): PaymentScript {
  let best = whole;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const smaller of simpler(best)) {
      if (!breaks(smaller)) continue;
      best = smaller;
      hasChanged = true;
      break;
    }
  }
  return best;
}

/** Scripts with one part less. */
function* simpler(script: PaymentScript): Generator<PaymentScript> {
  const { checkouts, verifies, refunds, dispute, reviewedAt, stalls, crashes } = script;
  if (stalls > 0) yield { ...script, stalls: 0 };
  if (crashes > 0) yield { ...script, crashes: 0 };
  if (dispute !== null) yield { ...script, dispute: null };
  if (reviewedAt !== null) yield { ...script, reviewedAt: null };
  if (verifies.length > 0) yield { ...script, verifies: [] };
  for (const refund of refunds) yield { ...script, refunds: refunds.filter((each) => each !== refund) };
  for (const [at, refund] of refunds.entries()) {
    if (refund.sendings.length > 1)
      yield { ...script, refunds: refunds.with(at, { ...refund, sendings: refund.sendings.slice(0, 1) }) };
    if (refund.answersAfter > 0) yield { ...script, refunds: refunds.with(at, { ...refund, answersAfter: 0 }) };
    if (refund.unrecognisedFor > 0) yield { ...script, refunds: refunds.with(at, { ...refund, unrecognisedFor: 0 }) };
  }
  const [first, ...others] = checkouts;
  if (others.length > 0) yield { ...script, checkouts: [first, ...others.slice(0, -1)] };
  for (const [at, checkout] of checkouts.entries()) {
    const change = (smaller: Partial<CheckoutScript>): PaymentScript => {
      const [begin = first, ...rest] = checkouts.with(at, { ...checkout, ...smaller });
      return { ...script, checkouts: [begin, ...rest] };
    };
    const { money, silence, declinedAt, listedFrom } = checkout;
    if (silence !== null) yield change({ silence: null });
    if (declinedAt !== null) yield change({ declinedAt: null });
    if (listedFrom > 0) yield change({ listedFrom: 0 });
    for (const each of money) {
      yield change({ money: money.filter((other) => other !== each) });
      for (const webhook of each.webhooks) {
        const fewer = { ...each, webhooks: each.webhooks.filter((other) => other !== webhook) };
        yield change({ money: money.map((other) => (other === each ? fewer : other)) });
      }
    }
  }
}

/** The script of a payment, in lines. */
function describeScript(
  { amount, currency, sessionMs, checkouts, refunds, dispute, reviewedAt }: PaymentScript,
  attempts: number,
): string[] {
  const lines = [`truth: ${currency} ${amount}, a session of ${span(sessionMs)}`];
  for (const [position, checkout] of checkouts.slice(0, attempts).entries()) {
    const { opening, money, declinedAt, silence } = checkout;
    const parts = [opening.replaceAll('_', ' ')];
    if (declinedAt !== null) parts.push(`declined at ${span(declinedAt)}`);
    if (silence !== null)
      parts.push(`${silence.unreadable ? 'unreadable' : 'silent'} from ${span(silence.from)} to ${span(silence.to)}`);
    for (const { transactionId, at, amount: received, currency: of, doubt, reversedAt, restoredAt, webhooks } of money) {
      const webhook = webhooks.length === 0 ? 'no webhook' : `webhooks at ${webhooks.map(span).join(', ')}`;
      const again = restoredAt === null ? '' : `, here again at ${span(restoredAt)}`;
      const back = reversedAt === null ? '' : `, back at ${span(reversedAt)}${again}`;
      parts.push(`${of} ${received} as ${transactionId} at ${span(at)}${doubt ? ' in doubt' : ''}${back}, ${webhook}`);
    }
    lines.push(`  checkout ${position}: ${parts.join('; ')}`.slice(0, LINE_MAX));
  }
  for (const refund of refunds) lines.push(`  ${describeRefund(refund)}`.slice(0, LINE_MAX));
  if (dispute !== null) lines.push(`  a dispute of ${dispute.lost} is lost at ${span(dispute.at)}`);
  if (reviewedAt !== null) lines.push(`  staff refunds what is under review at ${span(reviewedAt)}`);
  return lines;
}

function describeRefund({ at, amount, sendings, endsAfter, end }: RefundScript): string {
  const ends = end === 'open' ? 'it does not end' : `${end.replaceAll('_', ' ')} after ${span(endsAfter)}`;
  return `refund of ${amount ?? 'the rest'} at ${span(at)}: ${sendings.join(', ').replaceAll('_', ' ')}; ${ends}`;
}

function span(ms: number): string {
  if (ms >= 2 * DAY) return `${(ms / DAY).toFixed(1)} days`;
  if (ms >= 2 * HOUR) return `${(ms / HOUR).toFixed(1)} h`;
  return ms >= 2 * MINUTE ? `${(ms / MINUTE).toFixed(1)} min` : `${(ms / SECOND).toFixed(1)} s`;
}
