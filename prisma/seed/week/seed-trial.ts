import type { CanaryUnit } from '@switchyard/db/client';
import { NO_UNITS, takeUnit, unitsOf, verdictOf } from '@switchyard/routing/canary';
import { startCanary, takeCanaryUnits } from '@switchyard/rule-sets/canary';
import { createDraft, saveDraft } from '@switchyard/rule-sets/drafts';
import type { RuntimeContext } from '@switchyard/runtime';
import { type DemoMerchant, demand, SEED_ACTOR } from '../demo.ts';
import { demoRules } from '../demo-plan.ts';
import { DAY_MS } from './calendar.ts';
import { seededRandom } from './random.ts';

const TERMS = { percent: 20, toleratedLoss: 100, days: 28 } as const;
/** Success rates of customers: the draft sends small cards to an account that declines many of them. */
const RATES = { draft: 0.62, live: 0.86 } as const;
const CUSTOMERS_MAX = 2_000;
const BETWEEN_CUSTOMERS_MS = 8 * 60_000;

/** A version of rules that was tried with a share of customers some days before the history ends, and was rolled back by itself. */
export async function seedTrial(
  context: RuntimeContext,
  { merchantId, paystackId, flutterwaveId }: DemoMerchant,
  { endsAt, seed }: { readonly endsAt: number; readonly seed: number },
): Promise<void> {
  const startedAt = endsAt - 5 * DAY_MS;
  const at = (moment: number) => ({ ...context, now: () => new Date(moment) });
  const by = { merchantId, actor: SEED_ACTOR };
  const { defaultOrder, ...rules } = demoRules(paystackId, flutterwaveId);
  const document = { ...rules, defaultOrder: defaultOrder.toReversed() };
  const name = 'Flutterwave first';
  const created = demand(await createDraft(at(startedAt), { ...by, mode: 'test', from: { kind: 'published' }, name }), 'created');
  const { draftId, revision } = created.draft;
  const saved = demand(await saveDraft(at(startedAt), { ...by, draftId, revision, document }), 'saved');
  const reason = 'Flutterwave pays out a day earlier';
  const begun = demand(
    await startCanary(at(startedAt), { ...by, draftId, revision: saved.draft.revision, ...TERMS, reason }),
    'started',
  );
  const { units, sums } = drawUnits(context, { merchantId, canaryId: begun.canaryId, startedAt, seed });
  const { prisma } = context.resources.database;
  await prisma.canaryUnit.createMany({ data: units });
  await prisma.ruleCanary.update({
    where: { merchantId_id: { merchantId, id: begun.canaryId } },
    data: { sums: JSON.parse(JSON.stringify(sums)) },
  });
  const last = units.at(-1)?.createdAt.getTime() ?? startedAt;
  await takeCanaryUnits(at(last + 70 * 60_000));
}

function drawUnits(
  context: RuntimeContext,
  { merchantId, canaryId, startedAt, seed }: { merchantId: string; canaryId: string; startedAt: number; seed: number },
) {
  const random = seededRandom(seed);
  const units: CanaryUnit[] = [];
  let sums = NO_UNITS;
  while (verdictOf(sums) === null && units.length < CUSTOMERS_MAX) {
    const arm = random.chance(TERMS.percent / 100) ? 'draft' : 'live';
    const paid = random.chance(RATES[arm]);
    sums = takeUnit({ share: TERMS.percent / 100, toleratedLoss: TERMS.toleratedLoss / 10_000 }, sums, { arm, paid });
    const paymentId = context.newId();
    const createdAt = new Date(startedAt + units.length * BETWEEN_CUSTOMERS_MS);
    const { promote, rollBack } = sums;
    const unit = { merchantId, canaryId, customer: paymentId, paymentId, position: unitsOf(sums), tried: arm === 'draft', paid };
    units.push({ ...unit, createdAt, promote, rollBack });
  }
  return { units, sums };
}
