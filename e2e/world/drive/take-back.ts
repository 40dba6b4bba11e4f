import type { GatewayName } from '../../harness/gateways.ts';
import type { AnsweredPayment, PlantedEvent } from '../checker/observations.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { Plan } from '../plan/plan.ts';
import type { World } from '../servers/open-world.ts';
import type { Host } from './inject-faults.ts';

/** A payment whose merchant has an answer. */
interface Answered {
  readonly plan: PaymentPlan;
  readonly payment: AnsweredPayment | null;
}

/** A transaction that was paid, with what becomes of its money. */
interface PaidTransaction {
  readonly gateway: GatewayName;
  readonly reference: string;
  readonly later: PaymentPlan['later'];
}

const DECIDED_AFTER_MS = 10 * 24 * 3_600_000;

/** Pays out at each gateway that pays out by a list, without a line for one payment of each where the plan has that. */
export async function payOutShort({ payoutsLeaveOut }: Plan, { simulators, gateways }: World): Promise<PlantedEvent[]> {
  const planted: PlantedEvent[] = [];
  if (payoutsLeaveOut === null) return planted;
  const { entries } = await simulators.readStatements();
  for (const gateway of gateways) {
    const paid = entries.filter((entry) => entry.gateway === gateway && entry.paid !== null);
    const { reference } = paid[payoutsLeaveOut % Math.max(1, paid.length)] ?? {};
    if (reference === undefined || !(await simulators.payOut(gateway, reference))) continue;
    planted.push({ kind: 'left_out_of_payout', gateway, reference, at: Date.now() });
  }
  return planted;
}

/** Reverses and disputes payments as planned, and decides the disputes; gives the events that it caused. */
export async function takeBack(
  { disputesAfterMs }: Plan,
  { simulators, gateways }: World,
  host: Host,
  driven: readonly Answered[],
): Promise<PlantedEvent[]> {
  const planted: PlantedEvent[] = [];
  const plant = (kind: PlantedEvent['kind'], { gateway, reference }: PaidTransaction): void => {
    host.note(`${gateway}: ${reference} ${kind}`);
    planted.push({ kind, gateway, reference, at: Date.now() });
  };
  const { entries } = await simulators.readStatements();
  const paid = driven.flatMap(({ plan: { later }, payment }): PaidTransaction[] => {
    const reference = payment?.session?.reference;
    const entry = entries.find((each) => each.reference === reference && each.paid !== null);
    const gateway = gateways.find((each) => each === entry?.gateway);
    return reference === undefined || gateway === undefined ? [] : [{ gateway, reference, later }];
  });
  for (const each of paid.filter(({ later }) => later === 'is_reversed')) {
    if (await simulators.reverse(each.gateway, each.reference)) plant('reversed', each);
  }
  const disputed = paid.filter(({ later }) => later === 'is_disputed_and_lost' || later === 'is_disputed_and_won');
  if (disputesAfterMs === null || disputed.length === 0) return planted;
  await host.pass(disputesAfterMs, 'days');
  const opened: PaidTransaction[] = [];
  for (const each of disputed) {
    if (!(await simulators.dispute(each.gateway, each.reference, null))) continue;
    plant('dispute_opened', each);
    opened.push(each);
  }
  if (opened.length === 0) return planted;
  await host.pass(DECIDED_AFTER_MS, 'days');
  for (const each of opened) {
    const decision = each.later === 'is_disputed_and_lost' ? 'lost' : 'won';
    if (await simulators.dispute(each.gateway, each.reference, decision)) plant(`dispute_${decision}`, each);
  }
  return planted;
}
