import type { Answer, Delivery, GatewayNotice } from '../../world/checker/observations.ts';
import { observationsByPayment, type PaymentObservations } from '../../world/checker/payment-observations.ts';
import { money, type Violation } from '../../world/checker/violation.ts';
import type { WorldRun } from '../run-world.ts';

const REFUSAL_MAX = 90;

/** The payment of a violation, or one that it names; the first of the world where it names none. Null in a world without payments. */
export function findPaymentOf({ observations }: WorldRun, { file, what }: Violation): PaymentObservations | null {
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
export function historyOf({ observations, log, startMs }: WorldRun, file: PaymentObservations): HistoryLine[] {
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
export const LINES_MAX = 40;
/** Most characters of a line. */
export const LINE_MAX = 200;

/** At most so many lines of a history as they are printed; what happens again and again is one, and the middle of a long one is left out. */
export function printHistory(lines: readonly HistoryLine[], most: number): readonly string[] {
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
