import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findViolations } from '../../world/checker/find-violations.ts';
import type { Answer, Delivery, GatewayNotice } from '../../world/checker/observations.ts';
import { observationsByPayment, type PaymentObservations } from '../../world/checker/payment-observations.ts';
import { buildTimeline, INVARIANTS, money, type Violation, violation } from '../../world/checker/violation.ts';
import type { Simulator, WorldRun } from '../run-world.ts';
import type { Climate } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { checkStaffWork } from './check-staff-work.ts';

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

/** A plan of which parts can be left out. */
interface Shrinkable {
  readonly payments: readonly unknown[];
  readonly faults: readonly unknown[];
  readonly outage: unknown;
}

/** Runs a plan; gives what it breaks of the guarantee in question, or null. */
export type Breaks<Plan, Broken> = (plan: Plan) => Promise<Broken | null>;

/** A plan that breaks the guarantee, and how. */
export interface Shrunk<Plan, Broken> {
  readonly plan: Plan;
  readonly broken: Broken;
}

const RUNS_MAX = 60;

/**
 * Leaves out payments and faults of a plan as long as what is left breaks the same guarantee: halves first, then smaller parts. Null when
 * not even the whole plan breaks it again, which means that something in the simulator depends on more than the seed.
 */
export async function shrinkPlan<Plan extends Shrinkable, Broken>(
  plan: Plan,
  breaks: Breaks<Plan, Broken>,
  runsMax = RUNS_MAX,
): Promise<Shrunk<Plan, Broken> | null> {
  let runs = 0;
  const attempt = async (candidate: Plan): Promise<Shrunk<Plan, Broken> | null> => {
    if (runs++ >= runsMax) return null;
    const broken = await breaks(candidate);
    return broken === null ? null : { plan: candidate, broken };
  };
  const whole = await attempt(plan);
  if (whole === null) return null;
  const calm = plan.outage === null ? null : await attempt({ ...plan, outage: null });
  const fewer = await leaveOut(calm ?? whole, 'payments', attempt);
  return leaveOut(fewer, 'faults', attempt);
}

/** Leaves out parts of one list: halves first, then ever smaller ones. */
async function leaveOut<Plan extends Shrinkable, Broken>(
  whole: Shrunk<Plan, Broken>,
  list: 'payments' | 'faults',
  attempt: (candidate: Plan) => Promise<Shrunk<Plan, Broken> | null>,
): Promise<Shrunk<Plan, Broken>> {
  let best = whole;
  for (let size = Math.ceil(best.plan[list].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.plan[list].length; ) {
      const smaller = await attempt(without(best.plan, list, from, size));
      if (smaller === null) from += size;
      else best = smaller;
    }
  }
  return best;
}

function without<Plan extends Shrinkable>(plan: Plan, list: 'payments' | 'faults', from: number, size: number): Plan {
  const isKept = (_: unknown, at: number): boolean => at < from || at >= from + size;
  return list === 'payments'
    ? { ...plan, payments: plan.payments.filter(isKept) }
    : { ...plan, faults: plan.faults.filter(isKept) };
}

/** Checks what a world did against the invariants and the gateways' own records. */
export function checkWorld({ observations, verified, staffWork, unhandled }: WorldRun): Violation[] {
  return [
    ...findViolations({ ...observations, wrongRollups: verified.wrongRollups }),
    ...unhandled.map((what) => violation('process_ended', `a promise was rejected without a handler: ${what}`)),
    ...verified.decisions.map((what) => violation('decision_differs', what)),
    ...verified.otherPlans.map((what) => violation('plan_not_followed', what)),
    ...verified.chains.map((what) => violation('audit_chain_broken', what)),
    ...(staffWork === null ? [] : checkStaffWork(staffWork)),
  ];
}

const REFUSAL_MAX = 90;

/** The payment of a violation, or one that it names; the first of the world where it names none. Null in a world without payments. */
function findPaymentOf({ observations }: WorldRun, { file, what }: Violation): PaymentObservations | null {
  const files = observationsByPayment(observations);
  const isNamed = ({ payment, attempts, events }: PaymentObservations): boolean =>
    [
      payment.paymentId,
      payment.merchantOrderId,
      ...attempts.map(({ reference }) => reference),
      ...events.map(({ eventId }) => eventId),
    ].some((name) => what.includes(name));
  return files.find(({ payment }) => payment.paymentId === file?.payment.paymentId) ?? files.find(isNamed) ?? files[0] ?? null;
}

/** Events of one payment, and the faults of its time, in order. */
function historyOf({ observations, log, startMs }: WorldRun, file: PaymentObservations): HistoryLine[] {
  const { payment, attempts, answers, calls, statements, moves, timeline, events } = file;
  const names = new Map(attempts.map(({ reference, position, gateway }) => [reference, `attempt ${position + 1} at ${gateway}`]));
  const named = (text: string): string =>
    [...names].reduce((shown, [reference, name]) => shown.replaceAll(reference, `<${name}>`), text);
  const eventIds = new Set(events.map(({ eventId }) => eventId));
  const types = new Map(events.map(({ eventId, type }) => [eventId, type]));
  const lines: HistoryLine[] = [
    ...answers.map((answer) => ({ at: answer.begun, text: `merchant: ${describeAnswered(answer)}` })),
    ...calls.map(({ gateway, reference, method, what, at }) => ({
      at,
      text: `switchyard → ${gateway}, ${names.get(reference) ?? reference}: ${method} ${named(what)}`,
    })),
    ...statements.flatMap(({ reference, paid, currency, paidAt }) =>
      paid === null || paidAt === null
        ? []
        : [{ at: paidAt, text: `customer pays ${money(paid)} ${currency}, ${names.get(reference) ?? reference}` }],
    ),
    ...observations.notices
      .filter(({ reference }) => names.has(reference))
      .flatMap((notice) => describeNotice(notice, names.get(notice.reference) ?? '')),
    ...moves.map(({ from, to, toVersion, at }) => ({
      at,
      text: from === to ? `payment changes, version ${toVersion}` : `payment is ${to}, version ${toVersion}`,
    })),
    ...timeline
      .filter(({ to }) => to === null)
      .map(({ type, at }) => ({ at, text: `on record, by the clock of its process: ${type}` })),
    ...observations.deliveries
      .filter(({ eventId }) => eventIds.has(eventId))
      .map((delivery) => ({ at: delivery.at, text: describeDelivery(delivery, types.get(delivery.eventId) ?? '') })),
  ].sort((one, other) => one.at - other.at);
  const endAt = lines.at(-1)?.at ?? payment.expiresAt;
  const ofWorld = faultsOf(log).filter(({ at }) => at <= endAt);
  return [...lines, ...ofWorld].sort((one, other) => one.at - other.at).map(({ at, text }) => ({ at: at - startMs, text }));
}

function describeAnswered({ to, begun, ended, httpStatus, payment, refusal, idempotencyKey }: Answer): string {
  const key = idempotencyKey === null ? '' : ` (key ${idempotencyKey})`;
  const took = ended - begun >= 1_000 ? ` after ${Math.round((ended - begun) / 1_000)} s` : '';
  if (httpStatus === null) return `${to}${key}: no answer${took}`;
  return `${to}${key}: ${httpStatus}${payment === null ? '' : ` ${payment.status}`}${took} ${refusal?.slice(0, REFUSAL_MAX) ?? ''}`.trimEnd();
}

function describeNotice({ gateway, event, forged, tries }: GatewayNotice, name: string): HistoryLine[] {
  return tries.map(({ at, httpStatus }) => ({
    at,
    text: `${gateway}, ${name}: ${forged ? 'forged ' : ''}webhook ${event}: ${httpStatus ?? 'no answer'}`,
  }));
}

function describeDelivery({ answered, tookMs, objection }: Delivery, type: string): string {
  const late = tookMs !== null && tookMs >= 1_000 ? ` after ${Math.round(tookMs / 1_000)} s` : '';
  const lost = answered === null || tookMs === null ? ', and no answer is sent' : '';
  return `switchyard → merchant: event ${type}: ${answered ?? 'nothing'}${late}${lost}${objection === null ? '' : `, with ${objection}`}`;
}

/** Lines of the log about faults. Each begins with its time. */
function faultsOf(log: readonly string[]): HistoryLine[] {
  return log.flatMap((line) => {
    const space = line.indexOf(' ');
    const text = line.slice(space + 1);
    return /^fault |^\S+ is killed$|^all faults have ended$/.test(text) ? [{ at: Date.parse(line.slice(0, space)), text }] : [];
  });
}

/** One line of what happened. */
interface HistoryLine {
  /** Milliseconds from the beginning of the world. */
  readonly at: number;
  readonly text: string;
}

/** Most lines of a report. */
const LINES_MAX = 40;
/** Most characters of a line. */
const LINE_MAX = 200;

/** At most so many lines of a history as they are printed; what happens again and again is one, and the middle of a long one is left out. */
function printHistory(lines: readonly HistoryLine[], most: number): readonly string[] {
  const folded: { text: string; at: number; times: number }[] = [];
  for (const { at, text } of lines) {
    const last = folded.at(-1);
    if (last?.text === text) last.times += 1;
    else folded.push({ text, at, times: 1 });
  }
  const printed = folded.map(({ text, at, times }) =>
    `  ${clock(at)} ${text}${times > 1 ? ` (${times} times)` : ''}`.slice(0, LINE_MAX),
  );
  if (printed.length <= most) return printed;
  const end = Math.trunc(most / 2);
  const begin = most - end - 1;
  return [...printed.slice(0, begin), `  … ${printed.length - begin - end} lines …`, ...printed.slice(-end)];
}

/** Days, hours, minutes and seconds from the beginning of a world. */
function clock(ms: number): string {
  const seconds = Math.trunc(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [days, hours, minutes] = [Math.trunc(seconds / 86_400), Math.trunc(seconds / 3_600) % 24, Math.trunc(seconds / 60) % 60];
  return `${days === 0 ? '' : `day ${days} `}${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(Math.trunc(ms % 1_000)).padStart(3, '0')}`;
}
