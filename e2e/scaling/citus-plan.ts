/*
 * How the schema and the statements go onto Citus, as `docs/scaling.md` describes it. A table, trigger, function or statement that is
 * new and fits no rule fails the test until it is named here, with its reason.
 */

/** Copied to every node, by name with the reason. Small, read by all merchants' requests, written by people. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  api_key: 'a key is found by its public id, which is unique over all merchants, before the merchant is known',
  configuration_revision: 'every process reads the revisions of all merchants once a second',
  merchant: 'the number of a merchant is unique over all of them; read with the configuration',
};

/** Kept on the coordinator, by name with the reason, as is the whole schema `graphile_worker`. */
export const LOCAL_TABLES: Readonly<Record<string, string>> = {
  agent_token: 'kept equal to machine_token for the version before',
  finance_token: 'kept equal to machine_token for the version before',
  job_pool: 'heartbeats of worker processes, read with the job queue',
  machine_token: 'a token is found by its public id, and belongs to a staff user',
  process_heartbeat: 'heartbeats of processes that answer requests, of no merchant',
  saved_view: 'belongs to a staff user',
  secret_check: 'a check value of each secret of the processes, of no merchant',
  staff_credential: 'belongs to a staff user',
  staff_grant: 'belongs to a staff user, and is read of all merchants at sign-in',
  staff_link: 'found by a token before the user is known',
  staff_session: 'found by a token before the user is known',
  staff_sign_in_limit: 'counted by address',
  staff_two_factor: 'belongs to a staff user',
  staff_user: 'an e-mail address is unique over all users, who belong to no merchant',
  staff_verification: 'belongs to a sign-in',
};

/** A trigger with the function it calls, and what becomes of it. */
export interface TriggerVerdict {
  readonly calls: string;
  /**
   * `as it is`: touches only its own row, or stays on the coordinator. `replace`: it names a distributed table, and a statement on a shard may not start a
   * distributed one.
   */
  readonly verdict: 'as it is' | 'replace';
}

/** `create_distributed_table` refuses tables with triggers unless `citus.enable_unsafe_triggers` is on. */
export const TRIGGERS: Readonly<Record<string, TriggerVerdict>> = {
  'agent_token.agent_token_copy': { calls: 'copy_agent_token', verdict: 'as it is' },
  'attempt.attempt_rollup_insert': { calls: 'record_attempt_rollup_change', verdict: 'replace' },
  'attempt.attempt_rollup_update': { calls: 'record_attempt_rollup_changes', verdict: 'replace' },
  'audit_entry.audit_entry_append_only': { calls: 'refuse_audit_change', verdict: 'as it is' },
  'audit_entry.audit_entry_no_truncate': { calls: 'refuse_audit_change', verdict: 'as it is' },
  'audit_entry.audit_entry_stays_keyed': { calls: 'refuse_unkeyed_audit_entry', verdict: 'replace' },
  'finance_token.finance_token_copy': { calls: 'copy_finance_token', verdict: 'as it is' },
  'machine_token.machine_token_copy': { calls: 'copy_machine_token', verdict: 'as it is' },
  'payment.payment_rollup_delete': { calls: 'record_payment_rollup_change', verdict: 'replace' },
  'payment.payment_rollup_insert': { calls: 'record_payment_rollup_change', verdict: 'replace' },
  'payment.payment_rollup_update': { calls: 'record_payment_rollup_changes', verdict: 'replace' },
  'payment.payment_set_account': { calls: 'set_payment_account', verdict: 'replace' },
};

/** Functions that no trigger calls, with what uses them. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  latency_bucket: 'immutable arithmetic, which runs on any node',
  payment_rollup_contribution: 'called by the roll-up triggers of payment, and replaced with them',
};

/** A statement that does not go to one merchant's shard. */
export interface AcrossMerchants {
  readonly findings: readonly string[];
  readonly reason: string;
  /** Sent by the clock, so seldom that a run may pass without it. */
  readonly seldom?: true;
}

const GATHERED = 'rows of concurrent requests in one statement, joined on the merchant of each';
const CLAIMS = 'due work of all merchants, the longest overdue first';
const HEALTH = 'health of all accounts, read by every process and added to once a second; no payment waits for it';
const ROLL_UPS = 'adds the change records of all merchants to the roll-ups, beside payments';

const KEY_USE = 'the use of keys in the last seconds, in one statement; no request waits for it';

const readOfInput = (...tables: string[]) => tables.map((table) => `${table} is read of merchants of the input`);
const writtenOfInput = (...tables: string[]) => tables.map((table) => `${table} is written of merchants of the input`);
const readOfAll = (...tables: string[]) => tables.map((table) => `${table} is read of all merchants`);
const writtenOfAll = (...tables: string[]) => tables.map((table) => `${table} is written of all merchants`);
const LOCKS = 'locks rows across shards';
const ANNOUNCED = [...writtenOfInput('merchant_event', 'webhook_delivery'), ...readOfInput('webhook_endpoint')];
const CHANGED = [...writtenOfInput('payment', 'payment_check', 'attempt', 'timeline_event'), ...ANNOUNCED];

/** By the name of the prepared statement, or by verb and tables. */
export const ACROSS_MERCHANTS: Readonly<Record<string, AcrossMerchants>> = {
  'reserve-payments': { findings: writtenOfInput('payment', 'payment_check', 'timeline_event', 'attempt'), reason: GATHERED },
  'settle-opened-initiations': {
    findings: writtenOfInput('payment', 'payment_check', 'timeline_event', 'attempt'),
    reason: GATHERED,
  },
  'change-payments': { findings: CHANGED, reason: GATHERED },
  'SELECT payment, payment_check, attempt, timeline_event, merchant_event, webhook_delivery, webhook_endpoint': {
    findings: CHANGED,
    reason: 'change-payments for one payment, in a transaction with other changes',
  },
  'SELECT merchant_event, webhook_delivery, webhook_endpoint': {
    findings: ANNOUNCED,
    reason: 'the announcing part of change-payments',
  },
  'read-payment-answers': { findings: readOfInput('payment'), reason: GATHERED },
  'find-payments': { findings: readOfInput('payment'), reason: GATHERED },
  'list-attempts': { findings: readOfInput('attempt'), reason: GATHERED },
  'schedule-next-checks': { findings: writtenOfInput('payment_check'), reason: GATHERED },
  'claim-due-payments': { findings: [LOCKS, ...readOfAll('payment_check'), ...writtenOfAll('payment_check')], reason: CLAIMS },
  'claim-due-refunds': { findings: [LOCKS, ...readOfAll('refund'), ...writtenOfAll('refund')], reason: CLAIMS },
  'list-due-endpoints': { findings: readOfAll('webhook_endpoint', 'webhook_delivery'), reason: CLAIMS },
  'read-health-counts': { findings: readOfAll('health_bucket'), reason: HEALTH },
  'SELECT health_status': { findings: readOfAll('health_status'), reason: HEALTH },
  'add-health-counts': { findings: writtenOfAll('health_bucket'), reason: HEALTH },
  'read-conversions': { findings: readOfAll('health_bucket'), reason: HEALTH, seldom: true },
  'find-attempts': { findings: readOfInput('attempt'), reason: GATHERED },
  'find-attempts-by-reference': { findings: readOfInput('attempt'), reason: GATHERED },
  'find-gateway-webhooks': { findings: readOfInput('gateway_webhook'), reason: GATHERED },
  'store-gateway-webhooks': {
    findings: [...writtenOfInput('gateway_webhook'), ...readOfInput('attempt', 'payment')],
    reason: GATHERED,
  },
  'mark-webhooks-processed': { findings: writtenOfInput('gateway_webhook'), reason: GATHERED },
  'read-webhook-arrivals': { findings: readOfAll('webhook_arrival'), reason: HEALTH },
  'record-api-key-use': { findings: [LOCKS, ...writtenOfInput('api_key_use')], reason: KEY_USE },
  'apply-payment-rollup-changes': {
    findings: [...readOfAll('payment_rollup_change'), ...writtenOfAll('payment_rollup_change', 'payment_rollup')],
    reason: ROLL_UPS,
  },
  'apply-attempt-rollup-changes': {
    findings: [...readOfAll('attempt_rollup_change'), ...writtenOfAll('attempt_rollup_change', 'attempt_rollup')],
    reason: ROLL_UPS,
  },
};
