import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeAction } from './audit.ts';

const PACKAGES = new URL('../../../../packages/', import.meta.url);
/** Names of actions in the audit log, in the sources that write them. */
const RECORDED =
  /'((?:accounting|api_key|audit|customer|duplicate_charge|encryption_keys|gateway_account|incident|incident_kind|machine_token|merchant|month_close|payment|reconciliation|refund|retention|routing_override|rule_set|saved_view|settlements|staff|webhook_delivery|webhook_endpoint)\.[a-z_]+(?:ed|set|sent|made|in|made_optional|back|out_of_rotation|into_rotation))'/g;
/** An event of a payment's story, which looks like an action and is in no audit log. */
const EVENT = 'payment.transfer_returned';
/** Names of actions that are built from a variable part. */
const BUILT = [
  'webhook_endpoint.updated',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.removed',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.previous_secret_ended',
  'webhook_endpoint.test_event_sent',
  'notification_channel.created',
  'notification_channel.updated',
  'notification_channel.enabled',
  'notification_channel.disabled',
  'notification_channel.removed',
  'health_thresholds.changed',
  'health_thresholds.reset',
  'rule_set.approved',
  'rule_set.rejected',
  'payments.exported',
  'webhook_deliveries.exported',
];

function recordedActions(): string[] {
  const sources = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^[a-z-]+\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|generated|testing/.test(path),
  );
  const found = sources.flatMap((path) =>
    Array.from(readFileSync(new URL(path, PACKAGES), 'utf8').matchAll(RECORDED), ([, action = '']) => action),
  );
  return [...new Set([...found, ...BUILT])].filter((action) => action !== EVENT).toSorted();
}

/** A verb in the past tense that begins a sentence. */
const VERB = /^(?:[A-Z][a-z]+ed|Set|Sent|Reset|Resent|Put|Took|Made|Withdrew) /;

describe('every action is a verb in the past tense with its object', () => {
  test.each(recordedActions())('%s', (action) => {
    expect(describeAction(action)).toMatch(VERB);
    // One sentence without the dots and underscores of a name.
    expect(describeAction(action)).not.toMatch(/[._]/);
    expect(describeAction(action).split(' ').slice(1).join(' ')).not.toMatch(/\b[A-Z][a-z]/);
  });
});

test('a name is read as it is written: what was done, then to what', () => {
  expect(describeAction('api_key.revoked')).toBe('Revoked API key');
  expect(describeAction('gateway_account.connected')).toBe('Connected gateway account');
  expect(describeAction('merchant.updated')).toBe('Updated merchant');
  expect(describeAction('rule_set.published')).toBe('Published rules');
});
