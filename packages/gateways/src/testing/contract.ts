import { describe } from 'vitest';
import type { Gateway } from '../gateway.ts';
import { createBench } from './bench.ts';
import { describeDisputes } from './disputes.ts';
import { describeErrorCodes } from './error-codes.ts';
import { describeHostility, describeSecrets, describeUnusableAccounts } from './hostility.ts';
import { describeLists } from './lists.ts';
import { describeMoney, describeOpening, describeVerifying } from './payments.ts';
import { describeRefunds } from './refunds.ts';
import type { GatewayScript } from './script.ts';
import { describeSettlements } from './settlements.ts';
import { describeIdentity, describeReturns, describeWebhooks } from './webhooks.ts';

/**
 * The suite every gateway passes, against a real HTTP server that answers by its script: opening, verifying, refunding, lists,
 * webhooks, and hostile or broken answers.
 */
export function describeGatewayContract(gateway: Gateway, script: GatewayScript): void {
  describe(`the gateway contract, implemented by ${gateway.title}`, () => {
    const bench = createBench(gateway, script);
    describeOpening(bench);
    describeVerifying(bench);
    describeMoney(bench);
    describeRefunds(bench);
    describeErrorCodes(bench);
    describeLists(bench);
    describeSettlements(bench);
    describeDisputes(bench);
    describeHostility(bench);
    describeSecrets(bench);
    describeUnusableAccounts(bench);
    describeWebhooks(bench);
    describeReturns(bench);
    describeIdentity(bench);
  });
}

export {
  headersWith,
  type ReplayedRecording,
  readDocumented,
  replayRecordings,
  replayWebhooks,
  signDocumented,
} from './replay.ts';
export type { GatewayScript, TransactionFacts, WebhookFacts, WireAnswer } from './script.ts';
export { findClosedAddress, type StubCall, type StubReply, type StubServer, startStubServer } from './stub-server.ts';
