import { handleExport } from '@switchyard/api/export';
import { handleGraphql } from '@switchyard/api/graphql';
import { handleMcp } from '@switchyard/api/mcp';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { appRouter } from '@switchyard/api/trpc';
import type { MachineScope, StaffRole } from '@switchyard/db/client';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { authenticateToken, readTokenSession } from '@switchyard/staff/token-access';
import { z } from 'zod';
import type { ProductEnvironment } from './staff-work.ts';

/** Something that staff or a program tried and that must be refused. */
export interface ForbiddenAttempt {
  readonly what: string;
  /** The answers that refuse it. */
  readonly refusedAs: readonly string[];
  /** Code of the error, kind of the outcome, or status. */
  readonly answer: string;
}

/** A payment of a merchant, beside another merchant. */
export interface AttemptTarget {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly otherMerchantId: string;
}

type Caller = ReturnType<typeof appRouter.createCaller>;

/** A staff user of one merchant, with their dashboard and a way to make tokens of theirs. */
interface Person {
  readonly dashboard: Caller;
  issue(scopes: readonly MachineScope[]): Promise<string>;
}

const DAY_MS = 86_400_000;
const MODE = 'test';
const ORIGIN = 'http://switchyard.test';

/**
 * Has staff of one merchant and of another try what their roles do not allow, at the dashboard's procedures, and programs what their tokens do not, at
 * GraphQL, exports and MCP. None of them signs in: passwords and cookies take time that is not virtual.
 */
export async function tryAsStaff(environment: ProductEnvironment, target: AttemptTarget): Promise<ForbiddenAttempt[]> {
  const switchyard = openSwitchyard(environment, { write: () => undefined });
  try {
    await switchyard.resources.configuration.ready();
    const attempts: ForbiddenAttempt[] = [];
    const refuse = async (what: string, refusedAs: readonly string[], call: Promise<unknown>): Promise<void> => {
      attempts.push({ what, refusedAs, answer: await answerOf(call) });
    };
    const staff = await createStaff(switchyard, target);
    await tryRefunds(target, staff, refuse);
    await tryRules(target, staff, refuse);
    await tryTokens(switchyard, target, staff, refuse);
    return attempts;
  } finally {
    await switchyard.close();
  }
}

type Staff = Awaited<ReturnType<typeof createStaff>>;
type Refuse = (what: string, refusedAs: readonly string[], call: Promise<unknown>) => Promise<void>;

async function createStaff(switchyard: Switchyard, { merchantId, otherMerchantId }: AttemptTarget) {
  const of = (role: StaffRole, at: string) => createPerson(switchyard, { role, merchantId: at });
  return {
    owner: await of('owner', merchantId),
    viewer: await of('viewer', merchantId),
    operator: await of('operator', merchantId),
    finance: await of('finance', merchantId),
    otherOperator: await of('operator', otherMerchantId),
    otherFinance: await of('finance', otherMerchantId),
  };
}

async function createPerson(
  switchyard: Switchyard,
  { role, merchantId }: { readonly role: StaffRole; readonly merchantId: string },
): Promise<Person> {
  const { prisma } = switchyard.resources.database;
  const staffId = switchyard.newId();
  const at = switchyard.now();
  const person = { id: staffId, name: role, email: `${staffId}@example.com`, createdAt: at, updatedAt: at };
  await prisma.staffUser.create({ data: person });
  await prisma.staffGrant.create({ data: { staffId, merchantId, role, grantedBy: 'system:world', createdAt: at } });
  const issue: Person['issue'] = async (scopes) => {
    const reach = scopes.includes('reports') ? { merchantIds: [merchantId], modes: [MODE] as const } : {};
    const expiresAt = new Date(at.getTime() + DAY_MS);
    const issued = await issueToken(switchyard, { name: role, scopes, ...reach, expiresAt, staffId });
    if (issued.kind !== 'issued') throw new Error(`no token was issued: ${JSON.stringify(issued)}`);
    return `Bearer ${issued.token}`;
  };
  const access = await authenticateToken(switchyard, await issue(['tools']));
  const session = access && (await readTokenSession(switchyard, access));
  if (session === null) throw new Error(`a ${role} has no session`);
  return { dashboard: appRouter.createCaller({ switchyard, session }), issue };
}

async function tryRefunds(
  { merchantId, paymentId, otherMerchantId }: AttemptTarget,
  staff: Staff,
  refuse: Refuse,
): Promise<void> {
  const { owner, viewer, operator, finance, otherFinance } = staff;
  const request = ({ dashboard }: Person, refundId: string, at = merchantId) =>
    dashboard.refunds.request({ merchantId: at, paymentId, refundId, amount: 2n, reason: null });
  await refuse('a viewer refunds', ['FORBIDDEN'], request(viewer, refundIdOf(1)));
  await refuse('an operator refunds', ['FORBIDDEN'], request(operator, refundIdOf(2)));
  await refuse('finance of another merchant refunds', ['FORBIDDEN'], request(otherFinance, refundIdOf(3)));
  const asOwn = request(otherFinance, refundIdOf(4), otherMerchantId);
  await refuse('finance of another merchant refunds a payment as one of theirs', ['NOT_FOUND'], asOwn);
  const change = { merchantId, changes: { secondPersonAbove: null } };
  await refuse('finance turns off the second person', ['FORBIDDEN'], finance.dashboard.refunds.control.change(change));
  await owner.dashboard.refunds.control.change({ merchantId, changes: { secondPersonAbove: 1n } });
  const held = await request(finance, refundIdOf(5));
  if (held.kind !== 'needs_approval') return;
  const approval = { merchantId, approvalId: held.approval.id };
  const approve = ({ dashboard }: Person) => dashboard.refunds.approvals.approve(approval);
  await refuse('finance approves a refund that they requested', ['own_request'], approve(finance));
  await refuse('a viewer approves a refund', ['FORBIDDEN'], approve(viewer));
  await refuse('finance of another merchant approves a refund', ['FORBIDDEN'], approve(otherFinance));
}

/** Ids by which refunds are requested. */
function refundIdOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

async function tryRules({ merchantId, otherMerchantId }: AttemptTarget, staff: Staff, refuse: Refuse): Promise<void> {
  const { viewer, operator, finance, otherOperator } = staff;
  const begin = ({ dashboard }: Person) =>
    dashboard.routing.drafts.create({ merchantId, mode: MODE, from: { kind: 'published' } });
  await refuse('a viewer begins a draft of rules', ['FORBIDDEN'], begin(viewer));
  await refuse('finance begins a draft of rules', ['FORBIDDEN'], begin(finance));
  await refuse('an operator of another merchant begins a draft of rules', ['FORBIDDEN'], begin(otherOperator));
  const created = await begin(operator);
  if (created.kind !== 'created') throw new Error(`an operator's draft is not created: ${created.kind}`);
  const { draftId, revision } = created.draft;
  const seen = { merchantId, draftId, revision };
  const publish = ({ dashboard }: Person, at = merchantId) =>
    dashboard.routing.drafts.publish({ ...seen, merchantId: at, reason: 'as asked' });
  await refuse('an operator of another merchant publishes rules', ['FORBIDDEN'], publish(otherOperator));
  const asOwn = publish(otherOperator, otherMerchantId);
  await refuse('an operator of another merchant publishes rules as theirs', ['not_found'], asOwn);
  await operator.dashboard.routing.drafts.requestApproval(seen);
  const { approve } = operator.dashboard.routing.drafts;
  await refuse('an operator approves rules that they wrote', ['own_work'], approve(seen));
}

const EXPORT_PATH = '/api/export/payments';

async function tryTokens(switchyard: Switchyard, target: AttemptTarget, staff: Staff, refuse: Refuse): Promise<void> {
  const { viewer, operator, finance } = staff;
  const ask = (token: string) => {
    const body = JSON.stringify({ query: '{ payments(mode: TEST, first: 1) { nodes { id } } }' });
    return handleGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers: jsonOf(token), body }));
  };
  const exportOf = (token: string, merchantId: string) => {
    const filter = encodeURIComponent(JSON.stringify({ mode: MODE, merchantIds: [merchantId] }));
    const request = new Request(`${ORIGIN}${EXPORT_PATH}?filter=${filter}`, { headers: { authorization: token } });
    return handleExport(switchyard, 'payments', request);
  };
  const callTool = (token: string, name: string, given: object) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const headers = { ...jsonOf(token), accept: 'application/json, text/event-stream' };
    const request = new Request(`${ORIGIN}/api/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    return handleMcp(switchyard, request, async () => new Response(null, { status: 503 }));
  };
  const { merchantId, otherMerchantId } = target;
  const tools = await operator.issue(['tools']);
  const reports = await finance.issue(['reports']);
  const ofViewer = await viewer.issue(['tools', 'drafts']);
  const draft = { merchantId, mode: MODE };
  await refuse('a token without the scope reports asks GraphQL', ['FORBIDDEN', '403'], readAnswer(ask(tools)));
  await refuse('a token without the scope reports exports', ['403'], readAnswer(exportOf(tools, merchantId)));
  await refuse('a token exports payments of another merchant', ['403'], readAnswer(exportOf(reports, otherMerchantId)));
  await refuse('a token without the scope tools calls a tool', ['401'], readAnswer(callTool(reports, 'whoami', {})));
  await refuse('a token without the scope drafts saves a draft', ['refused'], readAnswer(callTool(tools, 'save_draft', draft)));
  await refuse('a token of a viewer saves a draft', ['refused'], readAnswer(callTool(ofViewer, 'save_draft', draft)));
  const unknown = `${tools.slice(0, -1)}${tools.endsWith('A') ? 'B' : 'A'}`;
  await refuse('an unknown token calls a tool', ['401'], readAnswer(callTool(unknown, 'whoami', {})));
  await refuse('an unknown token asks GraphQL', ['401'], readAnswer(ask(unknown)));
}

function jsonOf(token: string): Record<string, string> {
  return { authorization: token, 'content-type': 'application/json' };
}

const bodySchema = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string().optional() }).optional() })).optional(),
  result: z.object({ isError: z.boolean().optional() }).optional(),
});

/** The word of a response: a code of GraphQL, that a tool refused, or its status. */
async function readAnswer(response: Promise<Response>): Promise<{ readonly kind: string }> {
  const { status, ok, headers, body } = await response;
  const text = await new Response(body).text();
  if (!ok || headers.get('content-type')?.includes('json') !== true) return { kind: String(status) };
  const { errors, result } = bodySchema.parse(JSON.parse(text));
  const [first] = errors ?? [];
  if (first !== undefined) return { kind: first.extensions?.code ?? 'an error' };
  return { kind: result?.isError === true ? 'refused' : String(status) };
}

const outcomeSchema = z.object({ kind: z.string() });
const errorSchema = z.object({ code: z.string() });

async function answerOf(call: Promise<unknown>): Promise<string> {
  try {
    return outcomeSchema.safeParse(await call).data?.kind ?? 'done';
  } catch (error) {
    const known = errorSchema.safeParse(error);
    if (!known.success) throw error;
    return known.data.code;
  }
}
