export { describeGatewayContract } from './contract.ts';
export { type ReplayedRecording, replayRecordings, replayWebhooks } from './replay.ts';
export type { GatewayScript, TransactionFacts, WebhookFacts, WireAnswer } from './script.ts';
export { findClosedAddress, type StubCall, type StubReply, type StubServer, startStubServer } from './stub-server.ts';
