import type { AccountAccess, CallOptions, Gateway, Outcome } from '../gateway.ts';
import { order, query, refundOrder, wholeList, wholeRefundList } from './script.ts';

/** An operation of a gateway with an input of the contract's. */
export interface ContractOperation {
  readonly name: string;
  /** An `action` is certainly not done where a refusal says so; `pages` may be larger than single answers; a `file` is uploaded in steps. */
  readonly kind: 'action' | 'question' | 'pages' | 'file';
  /** False where the gateway has no call for it, which is answered without one. */
  readonly isSupported: boolean;
  run(account: AccountAccess, options: CallOptions): Promise<Outcome<unknown>>;
}

const settlement = {
  settlementId: '3090024',
  status: 'paid',
  currency: 'NGN',
  gross: '10000',
  fees: '150',
  deductions: '0',
  net: '9850',
  settledOn: '2026-11-20',
  createdAt: new Date('2026-11-20T01:04:08.000Z'),
} as const;

const answer = {
  gatewayDisputeId: '358950',
  action: 'accept',
  amount: '2500.5',
  message: 'The item was out of stock',
  evidence: 'receipt',
  customer: null,
} as const;

const file = { gatewayDisputeId: '358950', fileName: 'receipt.pdf', mediaType: 'application/pdf', content: new Uint8Array([1]) };

/** Every operation that a gateway has, once. */
export function everyOperation(gateway: Gateway): readonly ContractOperation[] {
  const { findDispute, listDisputes, uploadEvidence, answerDispute, listSettlements, listSettlementLines } = gateway;
  const { missingLookups = [] } = gateway.capabilities;
  const of = (
    name: string,
    kind: ContractOperation['kind'],
    run: ContractOperation['run'] | undefined,
    isSupported = true,
  ): ContractOperation[] => (run === undefined ? [] : [{ name, kind, run, isSupported }]);
  return [
    ...of('open', 'action', (account, options) => gateway.open(account, order, options)),
    ...of('verify', 'question', (account, options) => gateway.verify(account, query, options)),
    ...of('refund', 'action', (account, options) => gateway.refund(account, refundOrder, options)),
    ...of(
      'findRefund',
      'question',
      (account, options) => gateway.findRefund(account, { gatewayRefundId: '1' }, options),
      !missingLookups.includes('findRefund'),
    ),
    ...of('listPayments', 'pages', (account, options) => gateway.listPayments(account, wholeList, options)),
    ...of(
      'listRefunds',
      'pages',
      (account, options) => gateway.listRefunds(account, wholeRefundList, options),
      !missingLookups.includes('listRefunds'),
    ),
    ...of('listSettlements', 'pages', listSettlements && ((account, options) => listSettlements(account, wholeList, options))),
    ...of(
      'listSettlementLines',
      'pages',
      listSettlementLines && ((account, options) => listSettlementLines(account, { settlement, cursor: null }, options)),
    ),
    ...of('listDisputes', 'pages', listDisputes && ((account, options) => listDisputes(account, wholeList, options))),
    ...of(
      'findDispute',
      'question',
      findDispute && ((account, options) => findDispute(account, { gatewayDisputeId: '358950' }, options)),
    ),
    ...of('answerDispute', 'action', answerDispute && ((account, options) => answerDispute(account, answer, options))),
    ...of('uploadEvidence', 'file', uploadEvidence && ((account, options) => uploadEvidence(account, file, options))),
  ];
}
