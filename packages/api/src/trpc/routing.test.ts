import type { StaffSession } from '@switchyard/staff/permissions';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  rulesTo,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { appRouter } from './router.ts';

let dashboard: TestDashboard;
let merchant: DashboardMerchant;
const mode = 'test';

beforeAll(async () => {
  dashboard = await openTestDashboard();
  merchant = await createTestMerchant(dashboard);
});
afterAll(() => dashboard.close());

function as(session: StaffSession) {
  return appRouter.createCaller({ switchyard: dashboard.switchyard, session });
}
function operator(staffId?: string) {
  return as(sessionOf('operator', null, staffId));
}
function scope() {
  return { merchantId: merchant.merchantId, mode } as const;
}
/** The outcome, which must have this kind. */
function demand<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(outcome: Outcome, kind: Kind) {
  const isOfKind = (value: Outcome): value is Extract<Outcome, { kind: Kind }> => value.kind === kind;
  if (isOfKind(outcome)) return outcome;
  throw new Error(`${outcome.kind} instead of ${kind}: ${JSON.stringify(outcome)}`);
}

describe('a trial of rules', () => {
  test('is started, read by all roles, promoted or stopped by those who publish, and is of its own merchant', async () => {
    const own = await createTestMerchant(dashboard);
    const mine = { merchantId: own.merchantId, mode } as const;
    const { routing } = operator();
    const { routing: viewer } = as(sessionOf('viewer', null));
    const begin = async () => {
      const { draft } = demand(await routing.drafts.create({ ...mine, from: { kind: 'empty' } }), 'created');
      const document = rulesTo(own.flutterwave, [own.paystack, own.flutterwave]);
      const key = { merchantId: own.merchantId, draftId: draft.draftId };
      const saved = demand(await routing.drafts.save({ ...key, revision: draft.revision, document }), 'saved').draft;
      return { ...key, revision: saved.revision, percent: 10, toleratedLoss: 100, days: 28, reason: 'Cheaper' };
    };
    const terms = await begin();
    await expect(viewer.canaries.start(terms)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(routing.canaries.start({ ...terms, percent: 51 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { canaryId, version } = demand(await routing.canaries.start(terms), 'started');
    const key = { merchantId: own.merchantId, canaryId };
    expect(await viewer.canaries.list(mine)).toMatchObject([{ canaryId, version, percent: 10, ended: null }]);
    expect(await viewer.canaries.byId(key)).toMatchObject({ line: [], marks: [], difference: null });
    await expect(viewer.canaries.stop(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(viewer.canaries.promote(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(viewer.canaries.widen({ ...key, percent: 25 })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    demand(await routing.canaries.widen({ ...key, percent: 25 }), 'widened');
    demand(await routing.canaries.widen({ ...key, percent: 25 }), 'invalid');
    expect(await viewer.canaries.list(mine)).toMatchObject([{ canaryId, version, percent: 25, ended: null }]);
    await expect(routing.canaries.byId({ ...key, merchantId: merchant.merchantId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    demand(await routing.canaries.stop(key), 'stopped');
    demand(await routing.canaries.promote(key), 'not_running');
    const again = demand(await routing.canaries.start(await begin()), 'started');
    demand(await routing.canaries.promote({ ...key, canaryId: again.canaryId }), 'promoted');
    expect((await routing.live(mine)).ruleSet.version).toBe(again.version);
  });
});

describe('rule drafts', () => {
  test('a draft is created, checked, simulated, replayed, published, compared, and rolled back', async () => {
    const { routing } = operator();
    const { draft } = demand(await routing.drafts.create({ ...scope(), from: { kind: 'published' } }), 'created');
    const document = rulesTo(merchant.flutterwave, [merchant.paystack, merchant.flutterwave]);
    const key = { merchantId: merchant.merchantId, draftId: draft.draftId };
    const saved = demand(await routing.drafts.save({ ...key, revision: draft.revision, document }), 'saved').draft;
    const rules = { kind: 'draft', draftId: draft.draftId } as const;

    const checked = demand(await routing.validate({ ...scope(), rules }), 'checked');
    expect([checked.blocks, checked.problems]).toEqual([false, []]);
    const payment = { currency: 'NGN', amount: 2_500, method: 'CARD' } as const;
    const tried = demand(await routing.evaluate({ ...scope(), rules, payment, conditions: 'calm' }), 'evaluated');
    expect(tried.comparison).toMatchObject({ recommendedBefore: merchant.paystack, recommendedNow: merchant.flutterwave });
    const period = { from: new Date(Date.now() - 86_400_000), to: new Date() };
    const steps = [];
    for await (const step of await routing.replay({ ...scope(), rules, ...period })) steps.push(step.kind);
    expect(steps).toEqual(['progress', 'done']);
    expect(await routing.movedPayments({ ...scope(), rules, ...period })).toMatchObject({ kind: 'page', items: [], next: null });

    demand(await routing.drafts.publish({ ...key, revision: saved.revision, reason: 'Fees are lower there.' }), 'published');
    expect((await routing.live(scope())).ruleSet).toMatchObject({ version: 2, rules: document.rules });
    const { items } = await routing.versions.list(scope());
    expect(items.map(({ version, reason, publishedBy }) => [version, reason, publishedBy])).toEqual([
      [2, 'Fees are lower there.', 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10'],
      [1, null, 'system:test'],
    ]);
    const first = { kind: 'version', version: 1 } as const;
    const { diff } = demand(await routing.versions.diff({ ...scope(), from: first, to: { kind: 'published' } }), 'compared');
    expect(diff.changed).toMatchObject([{ ruleId: 'cards', fields: [{ path: 'then.accounts' }] }]);
    expect((await routing.versions.activeAt({ ...scope(), at: new Date() }))?.version).toBe(2);

    demand(
      await routing.versions.rollBack({ ...scope(), version: 1, baseVersion: 2, reason: 'It was better before.' }),
      'published',
    );
    expect((await routing.live(scope())).ruleSet).toMatchObject({
      version: 3,
      rules: [{ then: { accounts: [merchant.paystack] } }],
    });
    expect((await routing.versions.byVersion({ ...scope(), version: 2 })).ruleSet.version).toBe(2);
  });

  test('a second save, and a second publication, report the first', async () => {
    const { routing } = operator();
    const { draft } = demand(await routing.drafts.create({ ...scope(), from: { kind: 'published' } }), 'created');
    const key = { merchantId: merchant.merchantId, draftId: draft.draftId, revision: draft.revision };
    const document = rulesTo(merchant.paystack, [merchant.paystack]);
    demand(await routing.drafts.save({ ...key, document }), 'saved');
    demand(await routing.drafts.save({ ...key, document }), 'stale');
    demand(await routing.drafts.publish({ ...key, reason: 'Late.' }), 'stale');
    await expect(routing.drafts.publish({ ...key, reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a draft runs in shadow, is reported to every role and stopped by those who may publish', async () => {
    const { routing } = operator();
    const { draft } = demand(await routing.drafts.create({ ...scope(), from: { kind: 'published' } }), 'created');
    const key = { merchantId: merchant.merchantId, draftId: draft.draftId };
    expect(await routing.drafts.shadow.report(key)).toBeNull();
    demand(await routing.drafts.shadow.start({ ...key, revision: draft.revision, hours: 24 }), 'started');
    demand(await routing.drafts.shadow.start({ ...key, revision: draft.revision, hours: 24 }), 'already_running');
    const viewer = as(sessionOf('viewer', merchant.merchantId)).routing;
    expect(await viewer.drafts.shadow.report(key)).toMatchObject({ endedAt: null, summary: { payments: 0, moved: 0 } });
    expect(await viewer.drafts.shadow.differences(key)).toEqual({ items: [], next: null });
    await expect(viewer.drafts.shadow.stop(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    demand(await routing.drafts.shadow.stop(key), 'stopped');
    expect(await viewer.drafts.shadow.report(key)).toMatchObject({ ended: 'STOPPED' });
  });

  test('a draft with a rule under work is checked and tried without it, and a document is refused', async () => {
    const { routing } = operator();
    const { draft } = demand(await routing.drafts.create({ ...scope(), from: { kind: 'published' } }), 'created');
    const key = { merchantId: merchant.merchantId, draftId: draft.draftId };
    const complete = rulesTo(merchant.flutterwave, [merchant.paystack, merchant.flutterwave]);
    const unfinished = { ...complete.rules[0], ruleId: 'new', name: '', when: { ...complete.rules[0]?.when, methods: [] } };
    const document = { ...complete, rules: [unfinished, ...complete.rules] };
    demand(await routing.drafts.save({ ...key, revision: draft.revision, document }), 'saved');
    const rules = { kind: 'draft', draftId: draft.draftId } as const;
    const checked = demand(await routing.validate({ ...scope(), rules }), 'checked');
    expect(checked).toMatchObject({ blocks: true, compared: { version: expect.any(Number) } });
    expect(new Set(checked.problems.map(({ field }) => field.split('.')[1]))).toEqual(new Set(['0']));
    const payment = { currency: 'NGN', amount: 2_500, method: 'CARD' } as const;
    const tried = demand(await routing.evaluate({ ...scope(), rules, payment, conditions: 'calm' }), 'evaluated');
    expect(tried.draft.decision.plan[0]?.accountId).toBe(merchant.flutterwave);
    demand(await routing.evaluate({ ...scope(), rules: { kind: 'document', document }, payment }), 'invalid');
    demand(await routing.drafts.shadow.start({ ...key, revision: draft.revision + 1, hours: 1 }), 'invalid');
  });

  test('the history has the results of each version, from its publication to the next', async () => {
    const { routing } = operator();
    const { items } = await routing.versions.list(scope());
    const versions = items.map(({ version }) => version);
    const results = await routing.versions.results({ ...scope(), versions: [...versions, 9_999] });
    expect(results.map(({ version }) => version)).toEqual(versions);
    const paymentId = await recordPayment(dashboard.switchyard, merchant.merchantId, 'order-in-force');
    const { pool } = dashboard.database;
    await pool.query(`UPDATE payment SET status = 'SUCCESS', fee_amount = 37.5 WHERE id = $1`, [paymentId]);
    const [inForce] = await routing.versions.results({ ...scope(), versions: versions.slice(0, 1) });
    expect(inForce?.currencies).toMatchObject([{ currency: 'NGN', payments: 1, paid: 1, failed: 0 }]);
    expect(Number(inForce?.currencies[0]?.fees)).toBe(37.5);
  });

  test('every role reads the authors of rules, and whether a second person has to approve them', async () => {
    const { merchantId } = merchant;
    const seenBy = (role: 'operator' | 'viewer') => as(sessionOf(role, merchantId)).routing.access({ merchantId });
    expect(await seenBy('operator')).toEqual({ needsApproval: false, approvers: [], waiver: null, people: [] });
    const staffId = dashboard.switchyard.newId();
    const { prisma } = dashboard.switchyard.resources.database;
    const times = { createdAt: new Date(), updatedAt: new Date() };
    await prisma.staffUser.create({ data: { id: staffId, name: 'Bola', email: 'bola@example.com', ...times } });
    const granted = { merchantId, staffId, role: 'operator', grantedBy: 'system:test', createdAt: times.createdAt } as const;
    await prisma.staffGrant.create({ data: granted });
    await operator().routing.versions.requireApproval({ merchantId, required: true });
    const bola = { staffId, name: 'Bola' };
    expect(await seenBy('viewer')).toEqual({ needsApproval: true, approvers: [bola], waiver: null, people: [bola] });
    await operator().routing.versions.requireApproval({ merchantId, required: false });
    expect(await seenBy('viewer')).toMatchObject({ needsApproval: true, waiver: { requestedAt: expect.any(Date) } });
    await operator(staffId).routing.versions.requireApproval({ merchantId, required: false });
    expect(await seenBy('viewer')).toMatchObject({ needsApproval: false, waiver: null });
  });

  test('an exported file can be imported again, and names its version', async () => {
    const { routing } = operator();
    const { file } = demand(await routing.versions.export({ ...scope(), rules: { kind: 'published' } }), 'exported');
    expect(file.ruleSet.rules[0]?.then).toMatchObject({ accounts: ['paystack-main'] });
    const { draft } = demand(await routing.drafts.create({ ...scope(), from: { kind: 'file', file } }), 'created');
    const { document } = await routing.drafts.byId({ merchantId: merchant.merchantId, draftId: draft.draftId });
    expect(document).toMatchObject({ rules: [{ then: { accounts: [merchant.paystack] } }] });
  });
});

describe('health', () => {
  const CALL = { method: 'POST', url: '', httpStatus: 500, latencyMs: 9, request: null, answer: null, retryAfterMs: null };
  const FAULT = { class: 'provider_fault', code: 'http_5xx', message: 'x' } as const;

  test('an override is set and ended under the caller’s name, and both are in the feed', async () => {
    const { health } = operator('0193471e-8a3b-7c21-9f4e-0000000000aa');
    const question = { merchantId: merchant.merchantId, accountId: merchant.paystack, method: null, expiresAt: null };
    const set = demand(await health.setOverride({ ...question, action: 'drain', reason: 'Settlement is late.' }), 'set');
    const { accounts } = await health.overview({ mode });
    const own = accounts.find(({ accountId }) => accountId === merchant.paystack);
    expect(own?.overrides).toMatchObject([{ action: 'drain', actor: 'staff:0193471e-8a3b-7c21-9f4e-0000000000aa' }]);
    demand(await health.endOverride({ merchantId: merchant.merchantId, overrideId: set.override.id }), 'ended');
    const feed = await health.feed({ mode, accountId: merchant.paystack });
    expect(feed.items.map(({ kind }) => kind)).toEqual(['override_ended', 'override_set']);
  });

  test('a drain of a gateway is for people of all merchants alone, and is in the feed of each merchant that has an account there', async () => {
    const drain = { gateway: 'paystack', mode, reason: 'The gateway is down.', expiresAt: null } as const;
    const { health: theirs } = as(sessionOf('operator', merchant.merchantId));
    const refusal = 'Only people who may set overrides for all merchants can do this.';
    await expect(theirs.drainGateway(drain)).rejects.toThrow(refusal);
    const { health } = as(sessionOf('operator', null));
    const { override } = demand(await health.drainGateway(drain), 'set');
    await expect(theirs.endGatewayDrain({ overrideId: override.id })).rejects.toThrow(refusal);
    demand(await health.endGatewayDrain({ overrideId: override.id }), 'ended');
    const own = (items: readonly { readonly eventId: string }[]) => items.filter(({ eventId }) => eventId === override.id);
    for (const accountId of [null, merchant.paystack]) {
      expect(own((await theirs.feed({ mode, accountId })).items)).toMatchObject([
        { kind: 'override_ended', accountId: null, gateway: 'paystack', gatewayTitle: 'Paystack' },
        { kind: 'override_set', accountId: null, gateway: 'paystack', merchantName: '', reason: 'The gateway is down.' },
      ]);
    }
    expect(own((await theirs.feed({ mode: 'live' })).items)).toEqual([]);
    expect(own((await theirs.feed({ mode, accountId: merchant.flutterwave })).items)).toEqual([]);
  });

  test('an account that goes down shows in the overview, its timeline and the live view, to those who may see it', async () => {
    const { payments } = dashboard.switchyard;
    const where = { merchantId: merchant.merchantId, accountId: merchant.flutterwave, method: 'CARD' };
    for (let n = 0; n < 12; n++) payments.health.beginOpening(where)({ outcome: 'unknown', failure: FAULT, call: CALL });
    await payments.health.tick();
    await payments.health.tick();
    const { health } = as(sessionOf('viewer', merchant.merchantId));
    for await (const { accounts } of await health.live({ mode })) {
      const own = accounts.find(({ accountId }) => accountId === merchant.flutterwave);
      expect(own?.health[0]).toMatchObject({ state: 'down', faulted: 12 });
      break;
    }
    const { strips } = await health.strips({ mode, accountId: merchant.flutterwave });
    expect(strips.find(({ method }) => method === 'CARD')?.faulted).toEqual([12]);
    const behind = await health.paymentsBehind({ accountId: merchant.flutterwave, method: 'CARD' });
    expect(behind).toMatchObject({ counts: { faulted: 12, serverError: 12 }, attempts: [] });
    const preview = await health.previewThresholds({ ...scope(), thresholds: { hardFaults: 100, minSamples: 100 } });
    const series = preview.kind === 'preview' ? preview.series : [];
    expect(series.find(({ method }) => method === 'CARD')).toMatchObject({ inForce: { down: 1 }, proposed: { down: 0 } });

    const elsewhere = as(sessionOf('owner', (await createTestMerchant(dashboard)).merchantId));
    expect((await elsewhere.health.overview({ mode })).accounts.some(({ accountId }) => accountId === merchant.flutterwave)).toBe(
      false,
    );
    await expect(elsewhere.health.paymentsBehind({ accountId: merchant.flutterwave, method: null })).rejects.toThrow(
      'no such account',
    );
  });
});

test('a replay reaches the browser as server-sent events, progress first, with exact amounts', async () => {
  const period = { from: new Date(Date.now() - 86_400_000), to: new Date() };
  const input = superjson.stringify({ ...scope(), rules: { kind: 'published' }, ...period });
  const url = `http://localhost/api/trpc/routing.replay?input=${encodeURIComponent(input)}`;
  const answer = await fetchRequestHandler({
    endpoint: '/api/trpc',
    router: appRouter,
    req: new Request(url, { headers: { accept: 'text/event-stream' } }),
    createContext: async () => ({ switchyard: dashboard.switchyard, session: sessionOf('viewer', merchant.merchantId) }),
  });
  expect(answer.headers.get('content-type')).toMatch('text/event-stream');
  const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data: {"json"'));
  const kinds = events.map(
    (line) => z.object({ json: z.object({ kind: z.string() }) }).parse(JSON.parse(line.slice(6))).json.kind,
  );
  expect(kinds).toEqual(['progress', 'done']);
});
