import type { IncidentDecisions, OpenIncident } from '@switchyard/alerts/incidents/decide';
import type { Failure, Outcome } from '@switchyard/gateways';
import type { HealthAssessment } from '@switchyard/provider-health/pure';
import type { Product } from './open-pure.ts';
import type { Report } from './oracle/violation.ts';
import { BEGIN, Draws, MINUTE, SECOND, timeAt } from './world/draws.ts';

/* The health of one account over an hour, and the incidents that follow from it, beside what its gateway truly did. */

const TICK_MS = 5 * SECOND;
const TICKS = 720;
const BUCKET_MS = 10 * SECOND;
const WINDOW_MS = 5 * MINUTE;
const SPANS_MS = [10, 20, 30, 60, 120, 300].map((seconds) => seconds * SECOND);
const REST_MS = 30 * SECOND;
const REST_MAX_MS = 8 * MINUTE;
const GRACE_MS = 30 * SECOND;
const ACCOUNT = { merchantId: 'm1', accountId: 'paystack-main' } as const;

/** How calls end, and whose fault that is. */
const CALLS = {
  opened: null,
  timeout: ['provider_fault', 'timeout'],
  http_5xx: ['provider_fault', 'http_5xx'],
  rate_limited: ['provider_fault', 'rate_limited'],
  declined: ['customer', 'declined'],
  not_paid_yet: ['customer', 'not_paid_yet'],
  invalid_credentials: ['our_configuration', 'invalid_credentials'],
} as const satisfies Readonly<Record<string, readonly [Failure['class'], Failure['code']] | null>>;
type Call = keyof typeof CALLS;
type Condition = IncidentDecisions['open'][number];
const FAULTS = ['timeout', 'http_5xx', 'rate_limited'] as const;

const CALL_RECORD = { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };
const OUTCOMES = new Map(
  Object.entries(CALLS).map(([name, failed]): [string, Outcome<unknown>] => {
    if (failed === null) return [name, { outcome: 'yes', value: null, call: CALL_RECORD }];
    const [failureClass, code] = failed;
    return [name, { outcome: 'unknown', failure: { class: failureClass, code, message: name }, call: CALL_RECORD }];
  }),
);

/** A time in which the gateway behaves in one way. */
interface Phase {
  readonly until: number;
  /** Of openings. `alternate` fails every second one. */
  readonly faults: number | 'alternate';
  readonly latencyMs: number;
  readonly openings: number;
  /** Our credentials are refused. */
  readonly refused: boolean;
}

interface Opening {
  readonly at: number;
  readonly failed: boolean;
  readonly latencyMs: number;
}

/** Runs the health of one account, and checks it. */
export function runHealth(product: Product, seed: number, report: Report): void {
  const draws = new Draws(seed, 1_000_003);
  const phases = drawPhases(draws);
  const looksUp = draws.chance(0.4);
  const truth = new Truth(looksUp, report);
  const incidents = new Incidents(product, report);
  let now = BEGIN;
  const ledger = product.createHealthLedger(() => new Date(now));
  const series = product.createSeriesStore();
  let last: HealthAssessment | null = null;
  let flips = 0;
  for (let tick = 1; tick <= TICKS; tick += 1) {
    now = BEGIN + tick * TICK_MS;
    const phase = phases.find(({ until }) => until > tick * TICK_MS) ?? phases[0];
    if (phase === undefined) return;
    const sums = { succeeded: 0, faulted: 0, answered: 0, failed: 0, paid: 0 };
    const openings = last?.state === 'probing' ? draws.between(0, 2) : last?.state === 'down' ? 0 : phase.openings;
    for (let left = openings; left > 0; left -= 1) {
      const isFault = phase.faults === 'alternate' ? flips++ % 2 === 1 : draws.chance(phase.faults);
      const call = isFault
        ? draws.pick(FAULTS)
        : draws.weighted(
            [
              ['declined', 10],
              ['invalid_credentials', phase.refused ? 60 : 2],
            ],
            'opened',
          );
      ledger.observeOpening({ ...ACCOUNT, method: 'CARD' }, outcomeOf(call), phase.latencyMs);
      if (call === 'opened' || isFault) truth.open({ at: now, failed: isFault, latencyMs: phase.latencyMs });
      if (call === 'opened') sums.succeeded += 1;
      if (isFault) sums.faulted += 1;
      if (call === 'opened' && draws.chance(0.5)) {
        ledger.observeEnd({ ...ACCOUNT, method: 'CARD' }, 'paid');
        sums.paid += 1;
      }
    }
    for (let left = looksUp ? draws.between(0, 2) : 0; left > 0; left -= 1) {
      const isFault = phase.faults !== 'alternate' && draws.chance(phase.faults);
      ledger.observeLookup({ ...ACCOUNT, method: 'CARD' }, outcomeOf(isFault ? 'timeout' : 'not_paid_yet'));
      if (isFault) sums.failed += 1;
      else sums.answered += 1;
    }
    const drained = ledger.drain();
    for (const method of [product.ANY_METHOD, 'CARD']) {
      const counted = { succeeded: 0, faulted: 0, answered: 0, failed: 0, paid: 0 };
      for (const row of drained) {
        if (row.method !== method) continue;
        counted.succeeded += row.succeeded;
        counted.faulted += row.faulted;
        counted.answered += row.lookupsAnswered;
        counted.failed += row.lookupsFailed;
        counted.paid += row.paid;
      }
      const expected = method === 'CARD' ? { ...sums, answered: 0, failed: 0 } : sums;
      if (Object.values(counted).join() !== Object.values(expected).join()) {
        report('health_differs', `counted ${JSON.stringify(counted)} of ${JSON.stringify(expected)} for ${method}`);
      }
    }
    series.addCounts(drained, now);
    const run = ledger.run(ACCOUNT.accountId, product.ANY_METHOD);
    const buckets = series.find(ACCOUNT.accountId, product.ANY_METHOD)?.buckets ?? [];
    const subject = { gateway: 'Paystack', method: null };
    const next: HealthAssessment = product.assessHealth({ subject, buckets, run, previous: last, now });
    truth.check(last, next, now);
    incidents.observe(next, phase.refused, timeAt(now - BEGIN));
    last = next;
  }
}

function outcomeOf(call: Call): Outcome<unknown> {
  const outcome = OUTCOMES.get(call);
  if (outcome === undefined) throw new Error(`no call ends with ${call}`);
  return outcome;
}

function drawPhases(draws: Draws): Phase[] {
  const phases: Phase[] = [];
  for (let at = 0; at < TICKS * TICK_MS; ) {
    at += draws.spread(MINUTE, 30 * MINUTE);
    phases.push({
      until: at,
      faults: draws.chance(0.1) ? 'alternate' : draws.pick([0, 0, 0, 0.03, 0.25, 0.6, 1]),
      latencyMs: draws.pick([300, 300, 400, 1_800, 3_000]),
      openings: draws.pick([0, 1, 2, 6]),
      refused: draws.chance(0.1),
    });
  }
  return phases;
}

/** Openings as the gateway truly took them, and the states that are allowed to follow. */
class Truth {
  private openings: Opening[] = [];
  private inRow: number[] = [];
  private relapses = 0;
  private wasDemoted = false;
  private readonly looksUp: boolean;
  private readonly report: Report;
  private demotedWith = 0;
  private countFrom = 0;

  constructor(looksUp: boolean, report: Report) {
    this.looksUp = looksUp;
    this.report = report;
  }

  open(opening: Opening): void {
    this.openings.push(opening);
    if (opening.failed) this.inRow.push(opening.at - opening.latencyMs);
    else this.inRow = [];
  }

  check(before: HealthAssessment | null, { state, since, movedFrom, faulted, demotion }: HealthAssessment, now: number): void {
    const { report } = this;
    this.openings = this.openings.filter(({ at }) => at > now - WINDOW_MS - BUCKET_MS);
    const previous = before?.state ?? 'healthy';
    const from = before?.countFrom ?? 0;
    if (movedFrom !== null && movedFrom !== previous) report('health_differs', `moved from ${movedFrom}, and was ${previous}`);
    if (previous === 'healthy') {
      const isDown = this.isDown(from, now);
      if (isDown && state !== 'down') report('health_differs', `${state} at ${now - BEGIN} ms, and its gateway is down`);
      if (state === 'down' && !isDown && demotion?.cause === 'faults')
        report('health_differs', `down at ${now - BEGIN} ms by too few faults`);
      if (state === 'degraded' && demotion?.cause === 'faults' && this.count(WINDOW_MS, from, now).failed < 5) {
        report('health_differs', `degraded at ${now - BEGIN} ms by too few faults`);
      }
      if (state !== 'healthy') {
        const wasHealthyFor = now - (before?.since ?? now);
        this.relapses = !this.wasDemoted || wasHealthyFor >= REST_MAX_MS ? 0 : this.relapses + 1;
      }
    }
    if (state === 'probing' && previous !== 'probing') this.checkRest(now - (before?.since ?? now));
    const isResting = previous === state && (state === 'down' || state === 'degraded');
    if (isResting && !this.looksUp) {
      const isLate = now - (before?.since ?? now) >= this.rest() + TICK_MS;
      if (isLate) report('health_differs', `${state} for ${now - since} ms, of ${this.rest()} to rest`);
      const counted = this.demotedWith + this.count(WINDOW_MS, this.countFrom, now).failed;
      if (demotion?.cause === 'faults' && faulted !== counted) report('health_differs', `${faulted} faults count, of ${counted}`);
    }
    if (state === 'healthy' && previous === 'probing' && before !== null && demotion?.cause !== 'lookups')
      this.checkProof(before, now);
    if (previous === 'probing' && (state === 'down' || state === 'degraded')) this.relapses += 1;
    if (movedFrom !== null && (state === 'down' || state === 'degraded')) {
      this.wasDemoted = true;
      this.demotedWith = demotion?.faulted ?? 0;
      this.countFrom = bucketOf(now + BUCKET_MS - 1);
    }
  }

  private rest(): number {
    return Math.min(REST_MS * 2 ** this.relapses, REST_MAX_MS);
  }

  private checkRest(rested: number): void {
    // Status checks that fail lengthen a rest, and an outage that they see go on is no relapse.
    if (this.looksUp) return;
    if (rested < this.rest()) this.report('health_differs', `probed after ${rested} ms, of ${this.rest()} to rest`);
  }

  private checkProof({ since, countFrom, demotion }: HealthAssessment, now: number): void {
    const { report } = this;
    const probes = this.openings.filter(({ at }) => bucketOf(at) >= countFrom);
    const succeeded = probes.filter(({ failed }) => !failed);
    if (succeeded.length < 3 || now - since < REST_MS)
      report('health_differs', `healthy after ${succeeded.length} answers in ${now - since} ms`);
    const mean = succeeded.reduce((sum, { latencyMs }) => sum + latencyMs, 0) / Math.max(1, succeeded.length);
    if (demotion?.cause === 'slow' && mean > 1_500) report('health_differs', `slow, and healthy at ${mean} ms`);
    if (demotion?.cause !== 'faults') return;
    const share = demotion.faulted / Math.max(1, demotion.faulted + demotion.succeeded);
    // So many answers in a row would come by chance once in ten times; of as many, one in ten may fail.
    const isProven = share === 1 || probes.length >= 20 || (1 - share) ** probes.length <= 0.1 + 1e-9;
    if (10 * succeeded.length < 9 * probes.length)
      report('health_differs', `healthy with ${succeeded.length} of ${probes.length} answers`);
    if (!isProven) report('health_differs', `healthy after ${succeeded.length} answers, of ${share} that failed`);
  }

  /** Openings of the last so many milliseconds in whole buckets. */
  private count(spanMs: number, countFrom: number, now: number): { readonly all: number; readonly failed: number } {
    const from = Math.max(bucketOf(now) + BUCKET_MS - spanMs, countFrom);
    let all = 0;
    let failed = 0;
    for (const opening of this.openings) {
      if (bucketOf(opening.at) < from) continue;
      all += 1;
      if (opening.failed) failed += 1;
    }
    return { all, failed };
  }

  private isDown(countFrom: number, now: number): boolean {
    const run = this.inRow.filter((at) => at >= countFrom && at > now - WINDOW_MS);
    if (run.length >= 10 || (run.length >= 5 && now - (run[0] ?? now) >= 2 * SECOND)) return true;
    const window = this.count(WINDOW_MS, countFrom, now);
    if (window.failed >= 5 && window.failed === window.all) return true;
    return SPANS_MS.some((spanMs) => {
      const { all, failed } = this.count(spanMs, countFrom, now);
      return all >= 10 && 2 * failed >= all;
    });
  }
}

function bucketOf(at: number): number {
  return Math.floor(at / BUCKET_MS) * BUCKET_MS;
}

/** Incidents as the database keeps them, beside those that ought to be open. */
class Incidents {
  private open: OpenIncident[] = [];
  private readonly product: Product;
  private readonly report: Report;
  /** Kinds that ought to be open, and since when their condition is gone. */
  private readonly expected = new Map<string, number | null>();
  private ids = 0;

  constructor(product: Product, report: Report) {
    this.product = product;
    this.report = report;
  }

  observe({ state, demotion, since }: HealthAssessment, refused: boolean, now: Date): void {
    const conditions: Condition[] = [];
    if (refused) {
      const facts = {
        of: 'credentials',
        gateway: 'Paystack',
        label: 'main',
        accountId: ACCOUNT.accountId,
        sentence: '',
      } as const;
      conditions.push({ ...KEY, kind: 'credentials_refused', severity: 'critical', since: now, opens: true, facts });
    } else if (state !== 'healthy') {
      const isDown = state === 'down' || (state === 'probing' && demotion?.to === 'down');
      const facts = { of: 'gateway', gateway: 'Paystack', label: 'main', accountId: ACCOUNT.accountId, methods: [] } as const;
      conditions.push({
        ...KEY,
        kind: isDown ? 'gateway_down' : 'gateway_degraded',
        severity: isDown ? 'critical' : 'warning',
        since: new Date(since),
        opens: state !== 'probing',
        facts: { ...facts, methods: [] },
      });
    }
    const decided = this.product.decideIncidents(this.open, { conditions, kinds: KINDS }, now);
    const closed = new Set(decided.close.map(({ incident }) => incident.incidentId));
    const updated = new Map(decided.update.map((each) => [each.incidentId, each]));
    this.open = this.open.filter(({ incidentId }) => !closed.has(incidentId)).map((each) => updated.get(each.incidentId) ?? each);
    for (const { opens: _, ...condition } of decided.open) {
      this.open.push({ ...condition, incidentId: String(++this.ids), absentSince: null });
    }
    this.expect(conditions[0], now.getTime());
    const present = this.open
      .map(({ kind }) => kind)
      .sort()
      .join();
    const expected = [...this.expected.keys()].sort().join();
    if (present !== expected)
      this.report('incident_differs', `${present || 'none'} open, and ${expected || 'none'} by what is so`);
  }

  /** An incident opens with its condition and stays for the grace period; down covers degraded, refused credentials cover both. */
  private expect(condition: Condition | undefined, now: number): void {
    const { expected } = this;
    const kind = condition?.kind;
    if (condition?.opens && kind === 'credentials_refused')
      for (const each of ['gateway_down', 'gateway_degraded']) expected.delete(each);
    if (condition?.opens && kind === 'gateway_down') expected.delete('gateway_degraded');
    const lasting = new Set<string>(kind === undefined ? [] : [kind]);
    if (kind === 'gateway_degraded' && expected.has('gateway_down')) lasting.add('gateway_down');
    for (const [each, goneAt] of expected) {
      if (lasting.has(each)) expected.set(each, null);
      else if (goneAt === null) expected.set(each, now);
      else if (now - goneAt >= GRACE_MS) expected.delete(each);
    }
    const isSameIncident = kind === 'gateway_degraded' && expected.has('gateway_down');
    if (condition?.opens && kind !== undefined && !expected.has(kind) && !isSameIncident) expected.set(kind, null);
  }
}

const KEY = { merchantId: ACCOUNT.merchantId, mode: 'live', subject: ACCOUNT.accountId } as const;
const KINDS = new Set(['gateway_down', 'gateway_degraded', 'credentials_refused'] as const);
