import type { Dispute, DisputeResponse, DisputeResponseState, DisputeState, Prisma } from '@switchyard/db/client';
import { type DisputeAnswer, type Failure, type Outcome, type ReportedDispute, readAllPages } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';
import { settleReportedDispute, writeDisputeEvent } from '@switchyard/payments/reversals';
import type { OpenAccount } from '@switchyard/runtime';

const DAY_MS = 86_400_000;

/** A dispute as its gateway reports it now, by its own call or in its list; null where it reports none. */
async function findAtGateway(
  { gateway, access }: OpenAccount,
  { gatewayDisputeId, openedAt }: Pick<Dispute, 'gatewayDisputeId' | 'openedAt'>,
  timeoutMs: number,
): Promise<ReportedDispute | null> {
  const { findDispute, listDisputes } = gateway;
  if (findDispute !== undefined) {
    const found = await findDispute(access, { gatewayDisputeId }, { timeoutMs });
    return found.outcome === 'yes' ? found.value : null;
  }
  if (listDisputes === undefined) return null;
  const span = { from: new Date(openedAt.getTime() - DAY_MS), to: new Date(openedAt.getTime() + DAY_MS) };
  const listed = await readAllPages(
    (cursor) => listDisputes(access, { ...span, cursor }, { timeoutMs }),
    (row) => row.gatewayDisputeId,
  );
  if (listed.outcome !== 'yes') return null;
  return listed.value.find((row) => row.gatewayDisputeId === gatewayDisputeId) ?? null;
}

const TIMEOUT_MS = 20_000;

/** An answer of a merchant. */
interface ResponseKey {
  readonly merchantId: string;
  readonly responseId: string;
}

/** An answer to send, with what it is about. */
interface Sending {
  readonly response: DisputeResponse;
  readonly dispute: Dispute;
  readonly account: OpenAccount;
}

/**
 * Sends a recorded answer: asks whether the gateway still waits for one, as an earlier answer may be lost with its row, uploads its evidence,
 * notes that the call which cannot be taken back is about to be made, and makes it. From
 * that note on the call is never made again: where its outcome is not known, also because the process ended, the gateway is asked about the
 * dispute. Repeating it does no more.
 */
export async function sendResponse(context: PaymentsContext, { merchantId, responseId }: ResponseKey): Promise<void> {
  const { prisma } = context.resources.database;
  const response = await prisma.disputeResponse.findUnique({ where: { merchantId_id: { merchantId, id: responseId } } });
  if (response === null || (response.state !== 'SENDING' && response.state !== 'UNKNOWN')) return;
  const dispute = await prisma.dispute.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: response.disputeId } } });
  const account = await openGateway(context, { merchantId, accountId: dispute.accountId });
  const sending = account === null ? null : { response, dispute, account };
  if (response.attemptedAt !== null) return askAbout(context, sending, response);
  if (sending === null) return refuse(context, response, dispute, 'The account has no credentials.');
  const { answerDispute } = sending.account.gateway;
  if (answerDispute === undefined) return refuse(context, response, dispute, 'The gateway takes no answers by a call.');
  if (await isAnswered(context, sending)) return refuse(context, response, dispute, 'The gateway waits for no answer any more.');
  const evidence = await uploadEvidence(context, sending);
  if (evidence !== null && evidence.outcome !== 'yes') return refuse(context, response, dispute, evidence.failure.message);
  const answer = await toAnswer(context, sending, evidence?.value ?? null);
  const attemptedAt = context.now();
  const { count } = await prisma.disputeResponse.updateMany({
    where: { merchantId, id: responseId, state: 'SENDING', attemptedAt: null },
    data: { attemptedAt },
  });
  if (count === 0) return;
  const outcome = await answerDispute(sending.account.access, answer, { timeoutMs: TIMEOUT_MS });
  switch (outcome.outcome) {
    case 'yes':
      return conclude(context, sending, outcome.value.state);
    case 'no':
      return refuse(context, response, dispute, outcome.failure.message);
    case 'unknown':
      return leaveOpen(context, response, dispute, outcome.failure);
    default:
      return outcome satisfies never;
  }
}

/** The evidence under the gateway's name; null without any. */
async function uploadEvidence(
  context: PaymentsContext,
  { response, dispute, account }: Sending,
): Promise<Outcome<string> | null> {
  const { merchantId, evidenceId } = response;
  const { uploadEvidence: upload } = account.gateway;
  if (evidenceId === null || upload === undefined) return null;
  const { prisma } = context.resources.database;
  const row = await prisma.disputeEvidence.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: evidenceId } } });
  const { fileName, mediaType, content } = row;
  const file = { gatewayDisputeId: dispute.gatewayDisputeId, fileName, mediaType, content };
  return upload(account.access, file, { timeoutMs: TIMEOUT_MS });
}

async function toAnswer(
  context: PaymentsContext,
  { response, dispute }: Sending,
  evidence: string | null,
): Promise<DisputeAnswer> {
  const { action, amount, message, customerName, service } = response;
  const customer =
    customerName === null ? null : await readCustomer(context, dispute, { name: customerName, service: service ?? '' });
  return {
    gatewayDisputeId: dispute.gatewayDisputeId,
    action: action === 'ACCEPT' ? 'accept' : 'contest',
    amount: amount?.toFixed() ?? '0',
    message,
    evidence,
    customer,
  };
}

/** Whom an answer is about; null of a payment that is not in the ledger, of which nothing is known. */
async function readCustomer(
  { resources }: PaymentsContext,
  { merchantId, paymentId }: Dispute,
  named: { readonly name: string; readonly service: string },
): Promise<DisputeAnswer['customer']> {
  if (paymentId === null) return null;
  const { customerEmail: email, customerPhone: phone } = await resources.database.prisma.payment.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: paymentId } },
    select: { customerEmail: true, customerPhone: true },
  });
  return { ...named, email, phone };
}

/** The gateway has the answer: its dispute is read again, and what that says is applied. */
async function conclude(context: PaymentsContext, sending: Sending, state: ReportedDispute['state']): Promise<void> {
  const { response, dispute } = sending;
  const { merchantId, id } = response;
  const { prisma } = context.resources.database;
  await prisma.$transaction(async (transaction) => {
    const { count } = await transaction.disputeResponse.updateMany({
      where: { merchantId, id, state: { in: ['SENDING', 'UNKNOWN'] } },
      data: { state: 'SENT', failure: null },
    });
    const event = { merchantId, disputeId: dispute.id, state: dispute.state, type: 'sent', detail: { reported: state } } as const;
    if (count > 0) await writeResponseEvent(context, transaction, event);
  });
  await applyPresent(context, sending);
}

/** Asks the gateway about the dispute of an answer whose outcome is not known. Throws while it does not tell, to be asked again. */
async function askAbout(context: PaymentsContext, sending: Sending | null, response: DisputeResponse): Promise<void> {
  if (sending !== null && (await applyPresent(context, sending))) return;
  throw new Error(`it is not known whether answer ${response.id} has arrived`);
}

/** True if the gateway waits for no answer any more, which is applied. Throws while it cannot be asked; one without a call for it waits. */
async function isAnswered(context: PaymentsContext, { dispute, account }: Sending): Promise<boolean> {
  const { findDispute, listDisputes } = account.gateway;
  if (findDispute === undefined && listDisputes === undefined) return false;
  const { merchantId, accountId } = dispute;
  const found = await findAtGateway(account, dispute, TIMEOUT_MS);
  if (found === null) throw new Error(`it is not known whether dispute ${dispute.id} waits for an answer`);
  const { state } = await settleReportedDispute(context, { merchantId, accountId, reported: found, cause: 'staff' });
  return state !== 'NEEDS_RESPONSE';
}

/** Applies what the gateway says of the dispute now. True once it waits for no answer any more. */
async function applyPresent(context: PaymentsContext, { dispute, account }: Sending): Promise<boolean> {
  const { merchantId, accountId } = dispute;
  const found = await findAtGateway(account, dispute, TIMEOUT_MS);
  if (found === null) return false;
  const report = { merchantId, accountId, reported: found, cause: 'staff' } as const;
  const settled = await settleReportedDispute(context, report);
  if (settled.state === 'NEEDS_RESPONSE') return false;
  await confirmResponse(context, { merchantId, ...settled });
  return true;
}

async function refuse(context: PaymentsContext, response: DisputeResponse, dispute: Dispute, why: string): Promise<void> {
  const { merchantId, id } = response;
  await context.resources.database.prisma.$transaction(async (transaction) => {
    await transaction.disputeResponse.updateMany({
      where: { merchantId, id, state: 'SENDING' },
      data: { state: 'REFUSED', failure: why },
    });
    const event = { merchantId, disputeId: dispute.id, state: dispute.state, type: 'refused', detail: { why } } as const;
    await writeResponseEvent(context, transaction, event);
  });
}

/** The answer may have arrived. Throws, so that the gateway is asked. */
async function leaveOpen(context: PaymentsContext, response: DisputeResponse, dispute: Dispute, failure: Failure): Promise<void> {
  const { merchantId, id } = response;
  await context.resources.database.prisma.$transaction(async (transaction) => {
    await transaction.disputeResponse.updateMany({
      where: { merchantId, id, state: 'SENDING' },
      data: { state: 'UNKNOWN', failure: failure.message },
    });
    const detail = { why: failure.message };
    await writeResponseEvent(context, transaction, {
      merchantId,
      disputeId: dispute.id,
      state: dispute.state,
      type: 'unknown',
      detail,
    });
  });
  throw new Error(`it is not known whether answer ${id} has arrived: ${failure.code}`);
}

/** A dispute as its gateway reports it after an answer may have reached it. */
interface AskedDispute {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly state: DisputeState;
}

/** The answer whose outcome is not known has arrived once the gateway waits for none any more. Repeating it changes nothing. */
export async function confirmResponse(context: PaymentsContext, { merchantId, disputeId, state }: AskedDispute): Promise<void> {
  if (state === 'NEEDS_RESPONSE') return;
  const { prisma } = context.resources.database;
  const open: DisputeResponseState[] = ['SENDING', 'UNKNOWN'];
  const where = { merchantId, disputeId, state: { in: open }, attemptedAt: { not: null } };
  if ((await prisma.disputeResponse.count({ where })) === 0) return;
  await prisma.$transaction(async (transaction) => {
    const data = { state: 'SENT', failure: null } as const;
    const { count } = await transaction.disputeResponse.updateMany({ where, data });
    if (count > 0) await writeResponseEvent(context, transaction, { merchantId, disputeId, state, type: 'sent', detail: {} });
  });
}

/** The outcome of an answer, for the history. */
interface ResponseEvent extends AskedDispute {
  readonly type: 'sent' | 'unknown' | 'refused';
  readonly detail: Readonly<Record<string, string | null>>;
}

/** Adds what became of an answer to the dispute's history. */
async function writeResponseEvent(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  event: ResponseEvent,
): Promise<void> {
  await writeDisputeEvent(transaction, { ...event, id: context.newId(), actor: null }, context.now());
}

/** An account of a merchant. */
export interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}

/** A merchant's account with its gateway; null without credentials. Throws `UnavailableError` where a fault of ours is in the way. */
export async function openGateway(
  { resources }: PaymentsContext,
  { merchantId, accountId }: AccountKey,
): Promise<OpenAccount | null> {
  await resources.configuration.ready();
  const known = resources.configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return null;
  return resources.openAccount(known.account);
}
